"""The result of a game in one sentence: who won, and by how much."""

from collections.abc import Collection, Sequence
from typing import Any

from mancala_envs.core import contract, outcome
from mancala_envs.core.engine import Engine
from mancala_envs.core.record import NOBODY, TRUNCATED

NOBODY_WON = -1
"""`winner` of a game that is over if no single side is best."""


def sides(game: Engine) -> list[int]:
    """Return the number of the side (player or team) of each player."""
    side_of, s = game.plain.bind(contract.side), game.init(1, 0)[0]
    return [int(side_of(s, player)) for player in range(game.num_players)]


def side_names(game: Engine) -> list[str]:
    """Return the name of each side: as the book says, otherwise those of its players."""
    side_of = sides(game)
    names = []
    for side in range(len(set(side_of))):
        players = [f"player_{player}" for player, own in enumerate(side_of) if own == side]
        names.append(joined(players))
    given = game.book.presentation.sides[: len(names)]
    return [*given, *names[len(given) :]]


def your_side(game: Engine, people: Collection[int]) -> int:
    """Return the side of these players, -1 if there are none or they are on several sides."""
    side_of = sides(game)
    found = {side_of[player] for player in people}
    return found.pop() if len(found) == 1 else -1


def result_in_words(game: Engine, s: Any, people: Collection[int] = ()) -> str:
    """Return the result of a game that is over, such as "South won 31 : 17 (seeds in store and row)".

    Args:
        game: the game.
        s: the record.
        people: players to address as "you"; nobody if they are on several sides.

    Raises:
        ValueError: if the game is not over.
    """
    if s.to_move != NOBODY:
        raise ValueError("the game is not over: it has no result")
    if s.ended == TRUNCATED:
        return _sentence("the game was broken off")
    names, you, numbers = side_names(game), your_side(game, people), counted_numbers(game, s)
    every, winners = range(len(names)), winning_sides(game, s)
    called = ["you" if side == you else name for side, name in enumerate(names)]
    who = _who_won(called, winners, you, " the campaign" if game.campaign else "")
    if not numbers:
        return _sentence(who)
    what = game.book.presentation.counted({**game.options, "campaign": game.campaign})
    first = you if you >= 0 else winners[0]
    if len(names) > 2:
        return _sentence(f"{who}; {what}: " + ", ".join(f"{called[side]} {numbers[side]}" for side in every))
    pair = " : ".join(str(numbers[side]) for side in (first, 1 - first) if numbers[side] >= 0)
    if goes_by_score(game) and numbers[winners[0]] == max(numbers):
        return _sentence(f"{who} {pair} ({what})")
    return _sentence(f"{who}; {what}: {pair}")


def winning_sides(game: Engine, s: Any) -> list[int]:
    """Return the sides that win a game that is over: one, or several with equal scores, or all after a draw."""
    if s.winner != NOBODY_WON:
        return [int(s.winner)]
    numbers = counted_numbers(game, s) if goes_by_score(game) else []
    return [side for side in range(len(side_names(game))) if not numbers or numbers[side] == max(numbers)]


def goes_by_score(game: Engine) -> bool:
    """Return whether the highest score wins, and is what the result counts."""
    return game.book.presentation.tally is None and game.book.result.best is not outcome.named_by_play


def resignation_in_words(game: Engine, player: int, people: Collection[int]) -> str:
    """Return the result of a game that `player` has resigned; for `people` see `result_in_words`."""
    names, you, side = side_names(game), your_side(game, people), sides(game)[player]
    who = "you" if side == you else names[side]
    return _sentence(f"{who} resigned" + (f"; {names[1 - side]} won" if len(names) == 2 else ""))


def counted_numbers(game: Engine, s: Any) -> list[int]:
    """Return what the book counts at the end, by side; [] if it counts nothing."""
    side_of, presentation = sides(game), game.book.presentation
    number = len(set(side_of))
    if presentation.tally is not None:
        tally = game.plain.bind(presentation.tally)
        return [int(tally(s, side)) for side in range(number)]
    if game.book.result.score is outcome.score:
        return []
    score = game.plain.bind(outcome.score)
    scores = [int(score(s, player)) for player in range(game.num_players)]
    return [sum(each for each, own in zip(scores, side_of, strict=True) if own == side) for side in range(number)]


def joined(names: Sequence[str]) -> str:
    """Return names as "a", "a and b", or "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _who_won(called: Sequence[str], winners: Sequence[int], you: int, prize: str) -> str:
    """Say who won the game, or `prize`, or that you lost or nobody won."""
    named = joined([called[side] for side in winners])
    if len(winners) == len(called):
        return f"you drew{prize}" if you >= 0 else f"{prize.strip() or 'the game'} is drawn"
    if you < 0 or you in winners:
        return f"{named} won{prize}" + (" together" if len(winners) > 1 else "")
    return f"you lost{prize}" + (f" to {named}" if len(called) > 2 else "")


def _sentence(words: str) -> str:
    """Return the words with a capital at the beginning, unless they begin with the name of a player."""
    return words if words.startswith("player_") else words[:1].upper() + words[1:]
