"""Puzzles: solved endgame positions as questions with exact regrets, written as JSON lines and Parquet."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from mancala_envs.core.extras import needs_extra
from mancala_envs.evaluation.optimal import CRITERIA, ENDINGS, Ending, paid_by_margin, positions, values
from mancala_envs.evaluation.runs import atomic_write, write_text
from mancala_envs.registry import make_game
from mancala_envs.text_play.prompts import SHORT, TextGame
from mancala_envs.text_play.states import state_to_json

BATCH = 50
"""Number of random games from which positions are drawn at a time."""

JSON_LINES, PARQUET, CARD = "puzzles.jsonl", "puzzles.parquet", "README.md"


@dataclass(frozen=True)
class Puzzle:
    """A position in which not every action is equally good.

    Attributes:
        game: Name of the game.
        state: The position, see `state_to_json`.
        question: The prompt of `TextGame`.
        actions: The legal actions.
        names: Their names.
        leads: The proven final lead of the player to move after each action, in seeds.
        regrets: How many seeds of lead each action gives away.
        result_regrets: How much of the result it gives away: 2 from a win to a loss, 1 from or to a draw.
        best: The actions without regret in seeds.
    """

    game: str
    state: str
    question: str
    actions: list[int]
    names: list[str]
    leads: list[int]
    regrets: list[int]
    result_regrets: list[int]
    best: list[int]


def puzzles(name: str, number: int, seed: int, rules: str = SHORT) -> Iterator[Puzzle]:
    """Yield puzzles of a game, one for each of `number` random games, all different.

    Args:
        name: Name of the game, a key of `evaluation.optimal.ENDINGS`.
        number: Number of puzzles.
        seed: Seed of the random games.
        rules: How much of the rules the question quotes, see `TextGame`.
    """
    ending: Ending = ENDINGS[name]
    game, counted = (make_game(name, reward=reward, **ending.options) for reward in ("win", "margin"))
    talk = TextGame(game, rules)
    chance = np.random.default_rng([seed, crc32(name.encode())])
    met: set[str] = set()
    while len(met) < number:
        drawn = positions(game, ending.seeds, BATCH, int(chance.integers(2**63)))
        for state in np.split(drawn, len(drawn)):
            text = game.text(state, int(state["to_move"][0]))
            leads = values(counted, paid_by_margin(counted, state))
            if len(set(leads.values())) == 1 or text in met or len(met) == number:
                continue
            met.add(text)
            names = game.names_for(int(state["to_move"][0]))
            lead, result = (
                [max(map(judge, leads.values())) - judge(value) for value in leads.values()]
                for judge in (CRITERIA["lead"], CRITERIA["result"])
            )
            yield Puzzle(
                game=name,
                state=state_to_json(game, state),
                question=talk.prompt(state),
                actions=list(leads),
                names=[names[action] for action in leads],
                leads=list(leads.values()),
                regrets=lead,
                result_regrets=result,
                best=[action for action, regret in zip(leads, lead, strict=True) if regret == 0],
            )


def write(folder: Path, found: Iterable[Puzzle], seed: int) -> int:
    """Write puzzles to a folder, as JSON lines, as Parquet and with a card, and return their number.

    Args:
        folder: The folder; it is made if it does not exist.
        found: The puzzles.
        seed: Their seed, for the card.

    Raises:
        MissingExtra: PyArrow is not installed.
    """
    with needs_extra():
        import pyarrow
        import pyarrow.parquet

    rows = [asdict(puzzle) for puzzle in found]
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / JSON_LINES, "".join(json.dumps(row) + "\n" for row in rows))
    with atomic_write(folder / PARQUET) as file:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    write_text(folder / CARD, card(rows, seed))
    return len(rows)


def card(rows: list[dict[str, object]], seed: int) -> str:
    """Return the card of a set of puzzles, in Markdown."""
    names = [str(row["game"]) for row in rows]
    counted = [
        f"| {ENDINGS[name].title(name)} | {names.count(name)} | at most {ENDINGS[name].seeds} seeds in the holes |"
        for name in dict.fromkeys(names)
    ]
    return "\n".join(
        [
            "# Mancala puzzles",
            "",
            "Positions of sowing games in which the actions differ in value, with the exact value of each.",
            "",
            "| game | puzzles | positions |",
            "| --- | --: | --- |",
            *counted,
            "",
            "Each puzzle comes from a random game of its own: one position is drawn, with equal chances, from those",
            "with a choice and few seeds. A proof by alpha-beta search gives the final lead of the player to move",
            "after each action. Positions in which all actions lead to the same final lead are left out, and so are",
            "repetitions.",
            f"Seed {seed}. The games were played at random, so the positions are not typical of strong play.",
            "",
            "`question` is the prompt, `actions`, `names`, `leads`, `regrets` and `result_regrets` go together, `best`",
            "lists the actions without regret, and `state` restores the position (`mancala_envs.text_play`).",
            "A best answer has regret 0 in seeds; an answer that keeps the result has result regret 0.",
            "",
        ]
    )
