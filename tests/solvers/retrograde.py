"""Exact values by retrograde analysis of all positions that an oracle can reach, and replay of lines."""

import copy
import random

from oracles.catalogue import ORACLES

IGNORED = {"chance", "drawn", "o", "turn", "quiet", "rewards"}
"""Attributes of oracles that do not affect the continuation, as long as no limit on turns is reached."""


def frozen(thing):
    """Return a hashable copy of everything that affects the continuation."""
    if hasattr(thing, "__dict__"):
        return frozen(vars(thing))
    if isinstance(thing, dict):
        return tuple((name, frozen(part)) for name, part in sorted(thing.items()) if name not in IGNORED)
    return tuple(map(frozen, thing)) if isinstance(thing, list | tuple) else thing


def all_positions(first, unit):
    """Enumerate the positions that an oracle can reach from `first`.

    Return three lists with an entry per position: the position; `max` if player 0 is to move, otherwise `min`; and the
    result of every action, ("ended", margin of player 0) or ("goes on", number of the next position).
    """
    numbers, positions, after = {frozen(first): 0}, [first], []
    for position in positions:
        after.append([])
        for action in position.legal():
            further = copy.deepcopy(position)
            further.play(action)
            if further.ended:
                after[-1].append(("ended", round(further.rewards[0] * unit)))
                continue
            number = numbers.setdefault(frozen(further), len(positions))
            if number == len(positions):
                positions.append(further)
            after[-1].append(("goes on", number))
    return positions, [min if position.to_move else max for position in positions], after


def exhaustively(first, unit, at_stake=None):
    """Return (lower, upper) bounds on the margin of player 0, by value iteration from both extremes.

    `at_stake` bounds what endless play is worth: position -> (lead of player 0, seeds that are not yet won). By default
    it may be worth any margin.
    """
    positions, best, after = all_positions(first, unit)
    known = [at_stake(position) if at_stake else (0, unit) for position in positions]
    return tuple(iterated(best, after, [lead + sign * left for lead, left in known])[0] for sign in (-1, 1))


def iterated(best, after, values):
    changed = True
    while changed:
        changed = False
        for i in reversed(range(len(values))):
            value = best[i](where if how == "ended" else values[where] for how, where in after[i])
            changed |= value != values[i]
            values[i] = value
    return values


def with_draws(first, unit):
    """Return the margin of player 0 if endless play is a draw: the best margin that a player can force."""
    _, best, after = all_positions(first, unit)
    ends = sorted({where for further in after for how, where in further if how == "ended"})
    for gain in reversed([end for end in ends if end > 0]):
        if 0 in forced(best, after, max, {end for end in ends if end >= gain}):
            return gain
    for gain in [end for end in ends if end < 0]:
        if 0 in forced(best, after, min, {end for end in ends if end <= gain}):
            return gain
    return 0


def forced(best, after, who, wanted):
    """Return the positions from which `who` can force one of the results `wanted`."""
    found, before = set(), None
    while len(found) != before:
        before = len(found)
        for i in range(len(best)):
            enough = any if best[i] is who else all
            if enough(where in (wanted if how == "ended" else found) for how, where in after[i]):
                found.add(i)
    return found


def oracle(name, **options):
    return ORACLES[name](random.Random(0), reward="margin", **options)


def replayed(name, line, unit, **options):
    """Return the margin of player 0 after a line of play, by the oracle's rules."""
    game = oracle(name, **options)
    for action in line:
        assert action in game.legal()
        game.play(action)
    assert game.ended
    return round(game.rewards[0] * unit)
