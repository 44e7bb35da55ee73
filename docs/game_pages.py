"""Write the pages of the games: the text of the rule book, pictures, an explained turn and an example program."""

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import tables
from PIL import Image, ImageDraw

from mancala_envs import REGISTRY, make_game
from mancala_envs.core import kernels
from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board, with_last_move
from mancala_envs.core.book import stand_ins
from mancala_envs.core.explanation import (
    Description,
    ExplainingEdition,
    Line,
    SmallEvent,
    Summary,
    groups,
    lines_of,
    sentence,
)
from mancala_envs.evaluation.standings import standings_for
from mancala_envs.game import Game
from mancala_envs.play.numbered import numbered_places
from mancala_envs.registry import Entry
from mancala_envs.render import draw_picture
from mancala_envs.render.layout import INK, PAPER, centres
from mancala_envs.render.picture import write as write_on
from mancala_envs.studies import options

DECISIONS = 100
"""Random decisions from which the explained turn of a page is chosen."""
MAX_STEPS = 9
"""The most steps of an explained turn, and the most decisions of an explained settlement."""
MAX_DECISIONS = 4000
"""Random decisions of a campaign, among which a round must be settled in few steps."""
QUALITY = 80
"""WebP quality from 0 to 100: keeps all colours and saves most bytes."""
DIGIT_HEIGHT, DISC_RADIUS = 26, 24
"""Height of the numbers on places, and radius of the discs behind them, in pixels."""


def write(folder: Path) -> None:
    """Write the page and the pictures of every game into `folder`, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pictures").mkdir(parents=True)
    for entry in REGISTRY.values():
        (folder / f"{entry.name}.md").write_text(page(entry, folder / "pictures"))


def page(entry: Entry, pictures: Path) -> str:
    """Return the page of one game in Markdown; save its pictures in `pictures`."""
    game = make_game(entry.name)
    title, facts, rules = parts(game.book.page)
    names = {game.book.title, tables.title_of(entry)}
    if game.name != game.book.name:
        title = f"{tables.title_of(entry)}, the same game as {title}"
    save(pictures / f"{game.name}.webp", draw_picture(middle_of_a_game(game)))
    sections = [
        f"# {title}",
        f"![A game of {game.book.title}](pictures/{game.name}.webp)",
        facts,
        "## Play it",
        f"```python\n{example(entry)}```",
        f"To play it yourself in the browser, run `python scripts/board.py {game.name} --opponent greedy --open`; "
        f"in the terminal, `python scripts/play.py {game.name} --opponent greedy`; in a window, add `--window`.",
        "## Numbered places",
        numbered(game, pictures),
        "## A turn, step by step",
        worked_turn(game, pictures),
        *(campaign(make_game(game.name, campaign=True), pictures) if entry.has_campaign else []),
        rules,
        "## Strength and speed",
        strength_and_speed(names),
        *(effects_of_options(game) if game.book.name in tables.studies() else []),
    ]
    return "\n\n".join(sections) + "\n"


def parts(text: str) -> tuple[str, str, str]:
    """Return the title, the facts below it and the sections of a rule book's page."""
    found = re.fullmatch(r"# (.+?)\n\n(.*?)\n(?=## )(.*)", text.strip(), re.DOTALL)
    if not found:
        raise ValueError(f"a page must have a title, facts and sections, got {text[:200]!r}")
    title, facts, rules = (part.strip() for part in found.groups())
    return title, facts, rules


def example(entry: Entry) -> str:
    """Return a short program that plays the game to its end."""
    return f'''from mancala_envs import make_game

game = make_game("{entry.name}")
states = game.init(1, seed=1)
while states[0].to_move >= 0:
    actions = game.sample(states, seed=int(states[0].turn))
    before, rewards = states.copy(), game.step(states, actions)
print("\\n".join(game.explain(before[0], actions[0])))
print("rewards of the players:", rewards[0])
'''


# Pictures.


def save(path: Path, picture: np.ndarray[Any, Any], scale: float = 1.0) -> None:
    """Save a picture as WebP, scaled down by `scale`."""
    image = Image.fromarray(picture)
    if scale < 1:
        image = image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.LANCZOS)
    image.save(path, quality=QUALITY)


def figures(pictures: Path, name: str, steps: Iterable[tuple[str, Board]]) -> str:
    """Return captioned boards in Markdown, side by side, or one below the other if they are wide."""
    drawn = []
    for number, (words, board) in enumerate(steps):
        file, picture = f"{name}-{number}.webp", draw_picture(board)
        is_wide = 2 * picture.shape[1] > 3 * picture.shape[0]
        save(pictures / file, picture, 0.8 if is_wide else 0.5)
        drawn.append(f":::{{figure}} pictures/{file}\n:alt: {words}\n\n{words}\n:::")
    return f"::::{{container}} steps{' wide' * is_wide}\n\n" + "\n\n".join(drawn) + "\n\n::::"


def random_games(game: Game) -> Iterable[tuple[States, int]]:
    """Yield the positions (1,) of a fixed sequence of random games, each with the action played in it."""
    states = game.init(1, seed=1)
    for number in range(MAX_DECISIONS):
        (action,) = game.sample(states, seed=number)
        yield states.copy(), int(action)
        game.step(states, [action], autoreset=True)


def middle_of_a_game(game: Game) -> Board:
    """Return a board after some turns: early in games of seeds, whose boards empty, and later in games of men."""
    decisions, turns = (0, 6) if "holes" in game.position_fields else (DECISIONS // 3, 3)
    for number, (state, _) in enumerate(random_games(game)):
        if number >= decisions and state["turn"][0] >= turns:
            return game.board(state)
    raise ValueError(f"{game.name}: random play never gets past its first turns")


def numbered(game: Game, pictures: Path) -> str:
    """Return a figure of the empty board with the numbers of its places."""
    empty, numbers, words = numbered_places(game)
    image = Image.fromarray(draw_picture(empty))
    draw = ImageDraw.Draw(image)
    for number, (x, y) in zip(numbers, centres(empty)[bool(empty.points)], strict=True):
        if number:
            box = (x - DISC_RADIUS, y - DISC_RADIUS, x + DISC_RADIUS, y + DISC_RADIUS)
            draw.rounded_rectangle(box, DISC_RADIUS, PAPER)
            write_on(image, number, (round(x), round(y)), DIGIT_HEIGHT, INK, "middle", 2 * DISC_RADIUS - 2)
    file = f"{game.name}-numbers.webp"
    save(pictures / file, np.array(image), 0.7)
    return f":::{{figure}} pictures/{file}\n:alt: {words}\n:figclass: numbers\n\n{words}\n:::"


# A turn.


@dataclass(frozen=True)
class SmallEventWithBoard(SmallEvent):
    """A `SmallEvent` with the board after it."""

    board: Board


class LineWithBoard(str):
    """A line of an explanation with the board after it."""

    board: Board


def with_boards(game: Game, description: Description | Summary) -> Description | Summary:
    """Return `description` with the board added to each line they return."""
    if isinstance(description, Summary):
        whole = with_boards(game, description.describe)
        assert not isinstance(whole, Summary)
        return Summary(whole)

    describe = description

    def with_board(before: Any, s: Any, *arguments: Any) -> Line:
        line = describe(before, s, *arguments)
        if isinstance(line, SmallEvent):
            return SmallEventWithBoard(line.verb, line.place, game.book.presentation.board(s))
        if line:
            line = LineWithBoard(line)
            line.board = game.book.presentation.board(s)
        return line

    return with_board


def explained_with_boards(game: Game, state: States, action: int) -> list[tuple[str, Board]]:
    """Return the lines of `Game.explain`, each with the board after it; the first has the board before the action."""
    descriptions = {
        verb: with_boards(game, description) for verb, description in game.book.presentation.descriptions.items()
    }
    move = ExplainingEdition(
        game.book.name, stand_ins(game.book, game.campaign, None, compiled=False), descriptions
    ).bind(kernels.move)
    first, *explained, last = game.explain(state, action)
    played = state.copy()
    _, lines = lines_of(move, game.records(played).view(np.recarray)[0], action)
    steps = [(sentence(group), group[-1].board) for group in groups(lines)]
    assert [words for words, _ in steps] == explained[: len(steps)], (steps, explained)
    begin, end = game.board(state), game.board(played)
    ends = "; ".join([*explained[len(steps) :], last])
    steps = [(first, begin), *joined_laps(steps), (ends, end)]
    return [(words, with_last_move(board, begin)) for words, board in steps]


def joined_laps(steps: list[tuple[str, Board]]) -> list[tuple[str, Board]]:
    """Join each lift with the sowing that follows it."""
    laps: list[tuple[str, Board]] = []
    for words, board in steps:
        if laps and laps[-1][0].startswith("lifts ") and " and " not in laps[-1][0]:
            laps[-1] = (f"{laps[-1][0]} and {words}", board)
        else:
            laps.append((words, board))
    return laps


def worked_turn(game: Game, pictures: Path) -> str:
    """Return the decision of random play with the most varied explanation, in figures."""
    turns = (explained_with_boards(game, *played) for played in islice(random_games(game), DECISIONS))
    steps = max((steps for steps in turns if len(steps) <= MAX_STEPS), key=variety)
    words = "One decision of a random game, as described by `Game.explain`."
    return f"{words}\n\n{figures(pictures, f'{game.name}-turn', steps)}"


def variety(steps: list[tuple[str, Board]]) -> tuple[int, int, int]:
    """Return the number of different verbs, the number of lines and their length."""
    lines = [words for words, _ in steps[1:-1]]
    return len({words.split()[0] for words in lines}), len(lines), sum(map(len, lines))


def campaign(game: Game, pictures: Path) -> list[str]:
    """Return the sections about campaigns: the end of a round, and the chances of winning."""
    return [worked_settlement(game, pictures), chances(game)]


def chances(game: Game) -> str:
    """Return the chances of winning a campaign from its standings: a picture, and in games with debts their price."""
    found = standings_for(game)
    words = (
        "The probability that the player who starts a round wins the campaign; a draw counts half. "
        f"`{found.agent}` played {found.rounds:,} rounds against itself from each of {len(found.standings)} standings. "
        "Lines: means over all standings at that value, by rounds left. Dots: single standings with "
        f"{found.most_left} rounds left, with 95% intervals."
    )
    sections = [
        "## The chance of winning a campaign",
        f":::{{figure}} ../standings/{game.book.name}.webp\n:alt: {words}\n\n{words}\n:::",
    ]
    if len(found.by_debt) > 1:
        price, half = found.price_of_debt()
        sections.append(
            "Between players who own equally many holes and stones, each stone of debt lowers the debtor's chance by "
            f"{100 * price:.1f} ± {100 * half:.1f} percentage points on average."
        )
    sections.append("[](../campaigns.md#standings) compares these chances with whole campaigns.")
    return "\n\n".join(sections)


def worked_settlement(game: Game, pictures: Path) -> str:
    """Return the end of a round of a random campaign, decision by decision, and the standing after it."""
    decided = settled(game)
    explained = [game.explain(state, action) for state, action in decided]
    last, action = decided[-1]
    after = last.copy()
    game.step(after, [action])
    words = ["The round before its last turn", *(lines[0] for lines in explained)]
    words[-1] += f"; {explained[-1][-1]}"
    boards = [game.board(state) for state in (*(state for state, _ in decided), after)]
    standing = game.standing(after)
    each = "\n".join(
        f"| player_{p} | {standing['owned'][0, p]} | {standing['worth'][0, p]} |" for p in range(game.num_players)
    )
    explanation = "\n\n".join("\n".join(lines) for lines in explained)
    return "\n\n".join(
        [
            "## Between two rounds",
            "The end of a round of a random campaign (`campaign=True`), as described by `Game.explain`.",
            f"```text\n{explanation}\n```",
            figures(pictures, f"{game.name}-settled", list(zip(words, boards, strict=True))),
            f"| | holes owned | worth |\n|---|--:|--:|\n{each}",
        ]
    )


def settled(game: Game) -> list[tuple[States, int]]:
    """Return the positions and actions from the last ordinary decision of a round to the start of the next one.

    Takes the first round of a random campaign that is settled in few steps.
    """
    decided: list[tuple[States, int]] = []
    for state, action in random_games(game):
        if state["phase"][0] == 0:
            if decided and 0 < decided[0][0]["round_number"][0] < state["round_number"][0] and len(decided) < MAX_STEPS:
                return decided
            decided = []
        decided.append((state, action))
    raise ValueError(f"{game.name}: no round is settled within {MAX_DECISIONS} random decisions")


# Tables.


def strength_and_speed(names: set[str]) -> str:
    """Return the tables of figures about the game with these titles, each with a link to the page that shows all of it.

    Raises:
        ValueError: If there are none.
    """
    found = tables.of_game(names)
    if not found:
        named = " or ".join(sorted(names))
        raise ValueError(f"no table has a row of {named}: measure it, see CONTRIBUTING.md, Adding a game")
    titles = "; ".join(sorted(names))
    return "\n\n".join(
        f"### [{tables.table(name).title}]({link})\n\n```{{results}} {name}\n:game: {titles}\n```"
        for name, link in found.items()
    )


def effects_of_options(game: Game) -> list[str]:
    """Return the section about the effects of a game's options."""
    study, others = options.effects(tables.studies()[game.book.name])
    picture = f"![{game.book.title}: the effect of its options](/study/{game.book.name}.webp)"
    return [
        "## Effects of options",
        f":::{{container}} numbers\n\n{picture}\n\n:::",
        options.table(study, game.book.title).text,
        *([f"No figure differs significantly with {', '.join(f'`{other}`' for other in others)}."] if others else []),
        "[](/options.md) explains the method.",
    ]
