"""Solver of Oware with its end by repetition: plain alpha-beta search by the oracle's rules, position by position.

It shares no code with the library. The value depends on the positions since the last capture, so no table of values is
kept.
"""

import copy

from solvers.retrograde import oracle


class Oware:
    """Oware with `columns` holes a player, `seeds` seeds a hole and at most `max_turns` turns."""

    def __init__(self, columns, seeds, max_turns):
        self.first = oracle("oware", columns=columns, seeds=seeds, max_turns=max_turns)
        self.seeds = 2 * columns * seeds

    def by_action(self, holes, stores, p):
        """Return the final lead of player p after each action in a game that begins here."""
        game = copy.copy(self.first)
        game.holes, game.store, game.to_move = list(holes), list(stores), p
        game.seen = {game.position()}
        return {action: self.after(game, action, -99, 99) for action in game.legal()}

    def after(self, game, action, low, high):
        """Return the mover's lead after an action, or a bound outside the window from `low` to `high`."""
        further = copy.copy(game)
        further.store, further.seen = game.store.copy(), game.seen.copy()
        further.play(action)
        if further.ended:
            return round(further.rewards[game.to_move] * self.seeds)
        return -self.value(further, -high, -low)

    def value(self, game, low, high):
        """Return the lead of the player to move, or a bound outside the window from `low` to `high`."""
        p, left = game.to_move, sum(game.holes)
        ahead = game.store[p] - game.store[1 - p]
        if ahead - left >= high or ahead + left <= low:
            return ahead - left if ahead - left >= high else ahead + left
        best = ahead - left
        for action in game.legal():
            best = max(best, self.after(game, action, max(low, best), high))
            if best >= high:
                break
        return best
