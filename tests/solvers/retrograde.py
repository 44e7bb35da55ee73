"""Exact values by retrograde analysis over every position an oracle can reach, and replay of lines by its rules."""

import copy
import random

from oracles.catalogue import ORACLES

BY_ITSELF = {"chance", "drawn", "o", "turn", "quiet", "rewards"}
"""What the oracles have that play does not go on by, where no bound of turns is met."""


def frozen(thing):
    """What play goes on by, to be compared."""
    if hasattr(thing, "__dict__"):
        return frozen(vars(thing))
    if isinstance(thing, dict):
        return tuple((name, frozen(part)) for name, part in sorted(thing.items()) if name not in BY_ITSELF)
    return tuple(map(frozen, thing)) if isinstance(thing, list | tuple) else thing


def all_positions(first, unit):
    """By positions that an oracle can come to, from the first on: who chooses, the best for player 0 or the least, and
    where every action leads, ("ended", what he gains) or ("goes on", the number of a position)."""
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
    return [min if position.to_move else max for position in positions], after


def exhaustively(first, unit):
    """(least, most) that player 0 gains, by sweeps over all that an oracle can come to, from both ends."""
    best, after = all_positions(first, unit)
    return tuple(swept(best, after, [extreme] * len(best))[0] for extreme in (-unit, unit))


def swept(best, after, values):
    changed = True
    while changed:
        changed = False
        for i in reversed(range(len(values))):
            value = best[i](where if how == "ended" else values[where] for how, where in after[i])
            changed |= value != values[i]
            values[i] = value
    return values


def with_draws(first, unit):
    """What player 0 gains where endless play is a draw: the most that he, or his opponent, can force by an end."""
    best, after = all_positions(first, unit)
    ends = sorted({where for further in after for how, where in further if how == "ended"})
    for gain in reversed([end for end in ends if end > 0]):
        if 0 in forced(best, after, max, {end for end in ends if end >= gain}):
            return gain
    for gain in [end for end in ends if end < 0]:
        if 0 in forced(best, after, min, {end for end in ends if end <= gain}):
            return gain
    return 0


def forced(best, after, who, wanted):
    """The positions from which `who` can force one of the ends `wanted`, the nearest to them first."""
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
    """What player 0 gains by a line of play, by the oracle's rules."""
    game = oracle(name, **options)
    for action in line:
        assert action in game.legal()
        game.play(action)
    assert game.ended
    return round(game.rewards[0] * unit)
