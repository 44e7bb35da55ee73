"""Write playthroughs: random games as text files, so that a change of behaviour shows as a diff in review.

    python tests/playthroughs.py            # rewrite all files after an intended change
    python tests/playthroughs.py qelat dam  # rewrite the files of these games

A file has the options of the game, the columns of its observation, and the decisions of one random game with boards,
observations and rewards. Writes to tests/playthroughs/.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np

from mancala_envs.core.observation import Column
from mancala_envs.programs.arguments import program
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.render import draw_text

FOLDER = Path(__file__).with_name("playthroughs")
SEED = 20
DECISIONS = 24
"""Decisions in a file. A campaign has twice as many, and few turns per round, so that settlements are included."""
BOARD_EVERY = 4
"""Number of decisions from one drawn board to the next."""
OPTIONS_OF_CAMPAIGNS = {"max_turns": 6}
CASES = [(name, campaign) for name, entry in REGISTRY.items() for campaign in (False, True)[: 1 + entry.has_campaign]]


def path_of(name: str, campaign: bool) -> Path:
    """Return the path of a game's file."""
    return FOLDER / f"{name}{'_campaign' * campaign}.txt"


def playthrough(name: str, campaign: bool) -> str:
    """Return the content of a game's file."""
    return "\n".join(lines(name, campaign)) + "\n"


def lines(name: str, campaign: bool) -> Iterator[str]:
    game = make_game(name, campaign=campaign, **OPTIONS_OF_CAMPAIGNS if campaign else {})
    states = game.init(1, SEED)
    yield f"{game.header}: {game.num_players} players, {game.num_actions} actions"
    allowed = game.book.every_option if campaign else game.book.options
    yield "options: " + "; ".join(f"{option.name}={game.options[option.name]}, {option.allowed}" for option in allowed)
    yield f"observation, {game.observation_dtype}: " + ", ".join(columns(game.observation_fields))
    for decision in range(DECISIONS * (1 + campaign)):
        yield ""
        yield game.text(states)
        if decision % BOARD_EVERY == 0 or states[0].to_move < 0:
            yield from filter(None, draw_text(game.board(states)).splitlines())
        for player in range(game.num_players):
            (seen,) = game.observe(states, player)
            shown = (f"{i}:{seen[i]}" for i in np.flatnonzero(seen))
            yield f"player {player} sees, besides zeros: " + " ".join(shown)
        if states[0].to_move < 0:
            return
        legal = np.flatnonzero(game.legal(states)[0])
        yield "legal: " + " ".join(map(str, legal))
        (action,) = game.sample(states, decision)
        name = game.names_for(states[0].to_move)[action]
        (rewards,) = game.step(states, [action])
        yield f"plays {action}, {name}; rewards: " + " ".join(f"{reward:g}" for reward in rewards)


def columns(fields: Sequence[Column]) -> Iterator[str]:
    """Yield the names and maxima of columns; consecutive columns with one name are combined."""
    for (name, high), group in groupby(fields, lambda column: (column.name.partition("[")[0], column.high)):
        number = len(list(group))
        yield f"{number} {name} 0..{high}" if number > 1 else f"{name} 0..{high}"


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="name, such as kalah (default: all games)")
    chosen = parser.parse_args().games
    if unknown := [name for name in chosen if name not in REGISTRY]:
        parser.error(f"there is no game {', '.join(unknown)}; choose from {', '.join(REGISTRY)}")
    FOLDER.mkdir(exist_ok=True)
    for name, campaign in CASES:
        if not chosen or name in chosen:
            path_of(name, campaign).write_text(playthrough(name, campaign))
            print(f"wrote {path_of(name, campaign)}")


if __name__ == "__main__":
    main()
