"""The pages of the games, from their rule books: what is written there, with pictures, a turn told and an example."""

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import measured
import numpy as np
from PIL import Image, ImageDraw

from mancala_envs import REGISTRY, make_game
from mancala_envs.core import kernels
from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board, with_last_move
from mancala_envs.core.book import stand_ins
from mancala_envs.core.tale import Line, Small, Telling, Whole, Words, heard, in_words, rows
from mancala_envs.game import Game
from mancala_envs.registry import Entry
from mancala_envs.render import draw_picture
from mancala_envs.render.picture import INK, PAPER, middles
from mancala_envs.render.picture import write as write_on

DECISIONS = 100
"""Random decisions among which the turn that a page tells is looked for."""
MOST = 9
"""Steps of such a turn, and decisions of a settlement."""
SETTLED_WITHIN = 4000
"""Random decisions of a campaign, within which a round must be settled in few steps."""
QUALITY = 80
"""Of pictures, in hundredths: none of their colours is lost, and most of their bytes are saved."""
DIGITS, DISC = 26, 24
"""Height of the numbers on numbered places, and from the middle of what they stand on to its rim, in pixels."""


def write(folder: Path) -> None:
    """Every game's page and its pictures, into an emptied folder."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pictures").mkdir(parents=True)
    for entry in REGISTRY.values():
        (folder / f"{entry.name}.md").write_text(page(entry, folder / "pictures"))


def page(entry: Entry, pictures: Path) -> str:
    """One game's page; its pictures are saved in `pictures`."""
    game = make_game(entry.name)
    title, facts, rules = parts(game.book.page)
    names = {game.book.title}
    if game.name != game.book.name:
        own = re.sub("(?<=[a-z])(?=[A-Z])", " ", entry.id_name)
        title = f"{own}, the same game as {title}"
        names.add(own)
    save(pictures / f"{game.name}.webp", draw_picture(middle_of_a_game(game)))
    sections = [
        f"# {title}",
        f"![A game of {game.book.title}](pictures/{game.name}.webp)",
        facts,
        "## Play it",
        f"```python\n{example(entry)}```",
        f"Or play it yourself, in the browser: `python -m mancala_envs.play {game.name} --opponent greedy --open`, "
        f"or in the terminal: `python scripts/play.py {game.name} --opponent greedy`; with `--window` by mouse.",
        "## Numbered places",
        numbered(game, pictures),
        "## A turn, step by step",
        worked_turn(game, pictures),
        *([worked_settlement(make_game(game.name, campaign=True), pictures)] if entry.has_campaign else []),
        rules,
        "## Strength and speed",
        strength_and_speed(names),
    ]
    return "\n\n".join(sections) + "\n"


def parts(written: str) -> tuple[str, str, str]:
    """Title, the facts below it and all sections of a rule book's page."""
    found = re.fullmatch(r"# (.+?)\n\n(.*?)\n(?=## )(.*)", written.strip(), re.DOTALL)
    if not found:
        raise ValueError(f"a page must have a title, facts and sections, got {written[:200]!r}")
    title, facts, rules = (part.strip() for part in found.groups())
    return title, facts, rules


def example(entry: Entry) -> str:
    """A short program that plays the game to its end."""
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
    """A small file."""
    image = Image.fromarray(picture)
    if scale < 1:
        image = image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.LANCZOS)
    image.save(path, quality=QUALITY)


def figures(pictures: Path, name: str, steps: Iterable[tuple[str, Board]]) -> str:
    """The boards side by side, wide ones one below the other, each with its words."""
    drawn = []
    for number, (words, board) in enumerate(steps):
        file, picture = f"{name}-{number}.webp", draw_picture(board)
        is_wide = 2 * picture.shape[1] > 3 * picture.shape[0]
        save(pictures / file, picture, 0.8 if is_wide else 0.5)
        drawn.append(f":::{{figure}} pictures/{file}\n:alt: {words}\n\n{words}\n:::")
    return f"::::{{container}} steps{' wide' * is_wide}\n\n" + "\n\n".join(drawn) + "\n\n::::"


def random_games(game: Game) -> Iterable[tuple[States, int]]:
    """Positions (1,) of random play and what is decided in them, always the same."""
    states = game.init(1, seed=1)
    for number in range(SETTLED_WITHIN):
        (action,) = game.sample(states, seed=number)
        yield states.copy(), int(action)
        game.step(states, [action], autoreset=True)


def middle_of_a_game(game: Game) -> Board:
    """After some turns, with something to see: seeds soon leave a board, and men come to it."""
    decisions, turns = (0, 6) if "holes" in game.position_fields else (DECISIONS // 3, 3)
    for number, (state, _) in enumerate(random_games(game)):
        if number >= decisions and state["turn"][0] >= turns:
            return game.board(state)
    raise ValueError(f"{game.name}: random play is always at its beginning")


def numbered(game: Game, pictures: Path) -> str:
    """The empty board with the numbers by which positions call its places."""
    state = game.init(1, seed=1)
    board = game.board(state)
    if "pieces" in game.position_fields:
        numbers, words = places_on_the_way(game), "The places on the way of player_0, as `pieces` counts them."
    elif board.points:
        numbers, words = list(map(str, range(len(board.points)))), "The points, as actions and `board` count them."
    else:
        numbers, words = list(map(str, range(state["holes"].size))), "The holes, as `holes` counts them."
    holes = () if board.points else board.places[: len(numbers)]
    empty = Board(
        places=tuple(replace(hole, pieces=0, large=0, label="", blind=True) for hole in holes),
        points=tuple(replace(point, man="", player=-1, others=(), label="") for point in board.points),
        lines=board.lines,
    )
    image = Image.fromarray(draw_picture(empty))
    draw = ImageDraw.Draw(image)
    for number, (x, y) in zip(numbers, middles(empty)[bool(board.points)], strict=True):
        if number:
            draw.rounded_rectangle((x - DISC, y - DISC, x + DISC, y + DISC), DISC, PAPER)
            write_on(image, number, (round(x), round(y)), DIGITS, INK, "middle", 2 * DISC - 2)
    file = f"{game.name}-numbers.webp"
    save(pictures / file, np.array(image), 0.7)
    return f":::{{figure}} pictures/{file}\n:alt: {words}\n:figclass: numbers\n\n{words}\n:::"


def places_on_the_way(game: Game) -> list[str]:
    """What each cell of a track is called, found by putting a piece of player 0 on each of his places."""
    state = game.init(1, seed=1)
    state["pieces"] = 0
    names: list[list[str]] = [[] for _ in game.board(state).points]
    for place in range(1, game.observation_fields[0].high):
        state["pieces"][0, 0, 0] = place
        (cell,) = (i for i, point in enumerate(game.board(state).points) if point.man)
        names[cell].append(str(place))
    return ["/".join(name) for name in names]


# A turn.


@dataclass(frozen=True)
class SeenSmall(Small):
    """A small deed, with the board after it."""

    board: Board


class SeenLine(str):
    """What a verb has told, with the board after it."""

    board: Board


def seen(game: Game, words: Words | Whole) -> Words | Whole:
    """The same words, which bring the board after what they tell of."""
    if isinstance(words, Whole):
        whole = seen(game, words.words)
        assert not isinstance(whole, Whole)
        return Whole(whole)

    def with_board(before: Any, s: Any, *arguments: Any) -> Line:
        line = words(before, s, *arguments)
        if isinstance(line, Small):
            return SeenSmall(line.verb, line.place, game.book.look.board(s))
        if line:
            line = SeenLine(line)
            line.board = game.book.look.board(s)
        return line

    return with_board


def told(game: Game, state: States, action: int) -> list[tuple[str, Board]]:
    """What `Game.explain` tells of the step, each line with the board after it; first the board before."""
    tells = {verb: seen(game, words) for verb, words in game.book.look.tells.items()}
    move = Telling(game.book.name, stand_ins(game.book, game.campaign, None, compiled=False), tells).bind(kernels.move)
    first, *explained, last = game.explain(state, action)
    played = state.copy()
    _, lines = heard(move, game.records(played).view(np.recarray)[0], action)
    steps = [(in_words(row), row[-1].board) for row in rows(lines)]
    assert [words for words, _ in steps] == explained[: len(steps)], (steps, explained)
    begin, end = game.board(state), game.board(played)
    ends = "; ".join([*explained[len(steps) :], last])
    steps = [(first, begin), *by_laps(steps), (ends, end)]
    return [(words, with_last_move(board, begin)) for words, board in steps]


def by_laps(steps: list[tuple[str, Board]]) -> list[tuple[str, Board]]:
    """A lift and what is sown of it together."""
    laps: list[tuple[str, Board]] = []
    for words, board in steps:
        if laps and laps[-1][0].startswith("lifts ") and " and " not in laps[-1][0]:
            laps[-1] = (f"{laps[-1][0]} and {words}", board)
        else:
            laps.append((words, board))
    return laps


def worked_turn(game: Game, pictures: Path) -> str:
    """The decision of a random game of which there is most to tell."""
    turns = (told(game, *decided) for decided in islice(random_games(game), DECISIONS))
    steps = max((steps for steps in turns if len(steps) <= MOST), key=much_to_tell)
    words = "One decision of a random game, as `Game.explain` tells it."
    return f"{words}\n\n{figures(pictures, f'{game.name}-turn', steps)}"


def much_to_tell(steps: list[tuple[str, Board]]) -> tuple[int, int, int]:
    """How many different things happen, how many in all, and in how many words."""
    happens = [words for words, _ in steps[1:-1]]
    return len({words.split()[0] for words in happens}), len(happens), sum(map(len, happens))


def worked_settlement(game: Game, pictures: Path) -> str:
    """How a round of a random campaign ends, decision by decision, and how everyone stands at the next one."""
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
    told = "\n\n".join("\n".join(lines) for lines in explained)
    return "\n\n".join(
        [
            "## A round settled",
            "The end of a round of a random campaign (`campaign=True`), as `Game.explain` tells it.",
            f"```text\n{told}\n```",
            figures(pictures, f"{game.name}-settled", list(zip(words, boards, strict=True))),
            f"| | holes owned | worth |\n|---|--:|--:|\n{each}",
        ]
    )


def settled(game: Game) -> list[tuple[States, int]]:
    """From the last ordinary decision of a round to the next round's first: what is decided, in which positions.

    Of the rounds of a random campaign the first that is settled in few steps.
    """
    decided: list[tuple[States, int]] = []
    for state, action in random_games(game):
        if state["phase"][0] == 0:
            if decided and 0 < decided[0][0]["round_number"][0] < state["round_number"][0] and len(decided) < MOST:
                return decided
            decided = []
        decided.append((state, action))
    raise ValueError(f"{game.name}: no round is settled within {SETTLED_WITHIN} random decisions")


# Tables.


def strength_and_speed(names: set[str]) -> str:
    """What was measured and proven of the game that has these names; ValueError where nothing was."""
    tables = measured.of_game(names)
    if not tables:
        pages, named = (" or ".join(sorted(words)) for words in (measured.PAGES, names))
        raise ValueError(f"no table of {pages} has a row of {named}: measure it, see CONTRIBUTING.md, Adding a game")
    return "\n\n".join(f"From [{table.section}](../{table.place}):\n\n{table.text}" for table in tables)
