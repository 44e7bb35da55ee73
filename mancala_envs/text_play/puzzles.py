"""Puzzles: solved positions as questions with exact regrets, written as JSON lines and Parquet."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from mancala_envs.core.extras import needs_extra
from mancala_envs.evaluation.solved import ILLEGAL, SOLVED_GAMES, TEST, solved_positions
from mancala_envs.programs.files import atomic_write, write_text
from mancala_envs.text_play.prompts import SHORT, TextGame
from mancala_envs.text_play.states import state_to_json

JSON_LINES, PARQUET, CARD = "puzzles.jsonl", "puzzles.parquet", "README.md"

CARD_TEXT = """\
# Mancala puzzles

Positions of board games in which the actions differ in value, with the exact value of each.

| game | puzzles | positions |
| --- | --: | --- |
{rows}

Each puzzle comes from a random game of its own: one position is drawn, with equal chances, from those
with a choice, described above. A proof by alpha-beta search gives the final lead of the player to move
after each action. Positions in which all actions lead to the same final lead are left out, and so are
repetitions.
Seed {seed}. The games were played at random, so the positions are not typical of strong play.

`question` is the prompt, `actions`, `names`, `leads`, `regrets` and `result_regrets` go together, `best`
lists the actions without regret, and `state` restores the position (`mancala_envs.text_play`).
A best answer has regret 0 in seeds; an answer that keeps the result has result regret 0.
"""


@dataclass(frozen=True)
class Puzzle:
    """A position in which not every action is equally good.

    Attributes:
        game: Name of the game.
        state: The position, see `state_to_json`.
        question: The prompt of `TextGame`.
        actions: The legal actions.
        names: Their names.
        leads: The proven final lead of the player to move after each action, in seeds; 1, 0 or -1 in games without a
            lead.
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


def puzzles(name: str, number: int, seed: int, rules: str = SHORT, part: str = TEST) -> Iterator[Puzzle]:
    """Yield puzzles of a game, all different: positions of `mancala_envs.evaluation.solved`.

    Args:
        name: Name of the game, a key of `evaluation.solved.SOLVED_GAMES`.
        number: Number of puzzles, at most the number of positions of the part.
        seed: Seed that draws the positions and their order.
        rules: How much of the rules the question quotes, see `TextGame`.
        part: `"test"`, or `"train"` for puzzles to learn from.

    Raises:
        ValueError: There are no solved positions of the game, fewer than `number`, or no such part.
    """
    found = solved_positions(name, part)
    if not 1 <= number <= len(found):
        raise ValueError(f"number must lie in 1..{len(found)}, got {number}")
    game, talk = found.game, TextGame(found.game, rules)
    for index in np.random.default_rng(seed).permutation(len(found))[:number]:
        state, values = found.states[index : index + 1], found.values[index].astype(np.int64)
        actions = np.flatnonzero(values != ILLEGAL)
        leads, names = values[actions], game.names_for(int(state["to_move"][0]))
        regrets, results = leads.max() - leads, np.sign(leads)
        yield Puzzle(
            game=name,
            state=state_to_json(game, state),
            question=talk.prompt(state),
            actions=actions.tolist(),
            names=[names[action] for action in actions],
            leads=leads.tolist(),
            regrets=regrets.tolist(),
            result_regrets=(results.max() - results).tolist(),
            best=actions[regrets == 0].tolist(),
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
        f"| {SOLVED_GAMES[name].title(name)} | {names.count(name)} | {SOLVED_GAMES[name].about} |"
        for name in dict.fromkeys(names)
    ]
    return CARD_TEXT.format(rows="\n".join(counted), seed=seed)
