"""Solver of Oware with its end by repetition, from its page alone: plain alpha-beta search, position by position.

It shares no code with the library. A position is the holes (player 0's first), the stores and the player to move. The
value depends on the positions since the last capture, so no table of values is kept.
"""


class Oware:
    """Oware with `columns` holes a player, `seeds` seeds a hole and at most `max_turns` turns."""

    def __init__(self, columns, seeds, max_turns):
        self.columns, self.half, self.max_turns = columns, columns * seeds, max_turns

    def row(self, holes, p):
        return holes[self.columns * p : self.columns * (p + 1)]

    def legal(self, holes, p):
        """Return the actions of player p, numbered from 0 in the own row."""
        starved = not any(self.row(holes, 1 - p))
        own = enumerate(self.row(holes, p))
        return [action for action, n in own if n and (not starved or n >= self.columns - action)]

    def play(self, holes, stores, p, action):
        """Return the holes and stores after an action, and whether it captured."""
        ring, lifted = len(holes), action + self.columns * p
        after, stores, place = list(holes), list(stores), lifted
        after[lifted] = 0
        for _ in range(holes[lifted]):
            place = (place + 1) % ring
            if place == lifted:
                place = (place + 1) % ring
            after[place] += 1
        taken = []
        while place // self.columns == 1 - p and after[place] in (2, 3):
            taken.append(place)
            place -= 1
        caught = sum(after[hole] for hole in taken)
        if caught in (0, sum(self.row(after, 1 - p))):
            return tuple(after), tuple(stores), False
        for hole in taken:
            after[hole] = 0
        stores[p] += caught
        return tuple(after), tuple(stores), True

    def lead(self, holes, stores, p):
        """Return player p's lead, with the seeds in the rows counted for their players."""
        both = [stores[q] + sum(self.row(holes, q)) for q in (0, 1)]
        return both[p] - both[1 - p]

    def over(self, holes, stores, p, turn, history):
        return (
            max(stores) > self.half
            or min(stores) == self.half
            or turn >= self.max_turns
            or (holes, stores, p) in history
            or not self.legal(holes, p)
        )

    def by_action(self, holes, stores, p):
        """Return the final lead of player p after each action, in a game that begins here."""
        begun = frozenset([(holes, stores, p)])
        return {action: self.after(holes, stores, p, action, 0, begun, -99, 99) for action in self.legal(holes, p)}

    def after(self, holes, stores, p, action, turn, history, low, high):
        """Return the lead of player p after an action, or a bound outside the window from `low` to `high`."""
        holes, stores, captured = self.play(holes, stores, p, action)
        if captured:
            history = frozenset()
        if self.over(holes, stores, 1 - p, turn + 1, history):
            return self.lead(holes, stores, p)
        here = history | {(holes, stores, 1 - p)}
        return -self.value(holes, stores, 1 - p, turn + 1, here, -high, -low)

    def value(self, holes, stores, p, turn, history, low, high):
        """Return the lead of player p, to move, or a bound outside the window from `low` to `high`."""
        ahead, left = stores[p] - stores[1 - p], sum(holes)
        if ahead - left >= high or ahead + left <= low:
            return ahead - left if ahead - left >= high else ahead + left
        best = ahead - left
        for action in self.legal(holes, p):
            best = max(best, self.after(holes, stores, p, action, turn, history, max(low, best), high))
            if best >= high:
                break
        return best
