"""A session: one game that people play against agents, whatever shows it to them."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Analysis, Searcher, is_search
from mancala_envs.agents.common import WON
from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board, Point, with_last_move
from mancala_envs.evaluation.agents import chooser, require_agent
from mancala_envs.evaluation.arguments import option
from mancala_envs.game import Game
from mancala_envs.registry import make_game
from mancala_envs.wrappers import record, recorded, replay

HINT = "mcts:1000"
"""Who is asked for a hint, where the opponent is no search."""
LINE = 6
"""Decisions of a line of play that a hint tells."""


class Session:
    """One game, what was decided in it, and who sits at the board. Raises ValueError for seats that there are not.

    Attributes:
        game: its rules.
        people: the players who are asked; an agent decides for all others.
        opponent: that agent's name.
        seed: of its luck.
        states: the game (1,) at the start and after every decision, the present one last.
        actions, rewards: what was decided, and what everyone was paid for it (P,): one less than states.
    """

    def __init__(self, game: Game, start: States, people: Collection[int], opponent: str, seed: int) -> None:
        for seat in people:
            if not 0 <= seat < game.num_deciding:
                raise ValueError(f"seat must be 0..{game.num_deciding - 1}, got {seat}")
        self.game, self.people, self.opponent = game, frozenset(people), opponent
        self.states, self.actions, self.rewards = [start.copy()], list[int](), list[npt.NDArray[np.float32]]()
        self.seed = seed
        self._choose = chooser(opponent, game)

    @property
    def hint_by(self) -> str:
        """The search that is asked for a hint: the opponent, if it is one."""
        return self.opponent if is_search(self.opponent) else HINT

    @property
    def state(self) -> States:
        """The game as it is."""
        return self.states[-1]

    @property
    def mover(self) -> int:
        """Who is to decide, -1 when the game is over."""
        return int(self.state["to_move"][0])

    @property
    def is_asking(self) -> bool:
        """Whether a person is to decide, and has a choice."""
        return self.mover in self.people and len(self.legal) > 1

    @property
    def legal(self) -> list[int]:
        """What may be decided."""
        found: list[int] = np.flatnonzero(self.game.legal(self.state)[0]).tolist()
        return found

    @property
    def task(self) -> str:
        """What is to be decided, in words."""
        return self.game.book.look.phases[int(self.state["phase"][0])]

    def play(self, action: int) -> None:
        """Decide. Raises IllegalAction, which changes nothing."""
        state = self.state.copy()
        self.rewards.append(self.game.step(state, [action])[0])
        self.states.append(state)
        self.actions.append(action)

    def reply(self) -> None:
        """Let the agent decide, or whoever has no choice."""
        legal = self.legal
        # By the seed and the number of the decision alone, so that what was taken back comes again.
        luck = np.random.SeedSequence([self.seed, len(self.actions)]).generate_state(1, np.uint64)[0]
        self.play(legal[0] if len(legal) == 1 else int(self._choose(self.state, int(luck))[0]))

    def undo(self) -> bool:
        """Take back everything from the last decision on in which a person had a choice; where nobody plays, the last
        turn. Luck stays as it was. Returns whether there was anything.
        """
        begins = self._was_choice if self.people else self._began_turn
        for number in reversed(range(len(self.actions))):
            if begins(number):
                del self.states[number + 1 :], self.actions[number:], self.rewards[number:]
                return True
        return False

    def _was_choice(self, number: int) -> bool:
        state = self.states[number]
        return int(state["to_move"][0]) in self.people and int(self.game.legal(state).sum()) > 1

    def _began_turn(self, number: int) -> bool:
        return number == 0 or turn_of(self.states[number]) != turn_of(self.states[number - 1])

    @property
    def recording(self) -> dict[str, Any]:
        """The game so far, as `replay` takes it."""
        return recorded(self.game, self.states[0], self.actions)

    def save(self, path: Path) -> None:
        """Append the game to the recordings at `path`."""
        record(path, self.game, self.states[0], self.actions)

    # In words.

    @property
    def names(self) -> tuple[str, ...]:
        """What each action of the player to move does."""
        return self.game.names_for(self.mover)

    def name(self, player: int) -> str:
        """Who sits there."""
        return f"player_{player}" + ("" if player in self.people else f" ({self.opponent})")

    def told(self, number: int) -> str:
        """Decision `number` in words, as far as all may know it now."""
        mover = int(self.states[number]["to_move"][0])
        what = self.game.names_for(mover)[self.actions[number]]
        return f"{self.name(mover)}: {'decides in secret' if self.is_secret(number) else what}"

    def is_secret(self, number: int) -> bool:
        """Whether an agent has decided something there that people may not know yet."""
        mover = int(self.states[number]["to_move"][0])
        if not self.game.has_secrets or mover in self.people:
            return False
        then_and_now = (self.states[number + 1], self.state)
        return all(self._knows_more(mover, state) for state in then_and_now)

    def _knows_more(self, player: int, state: States) -> bool:
        """Whether there is something that the player knows and some person does not."""
        known = self.game.text(state, player)
        return any(self.game.text(state, person) != known for person in self.people)

    def explain(self, number: int) -> list[str]:
        """What decision `number` did, line by line, as far as all may know it now."""
        if self.is_secret(number):
            return [self.told(number)]
        _, *happened, _ = self.game.explain(self.states[number], self.actions[number])
        return [self.told(number), *happened]

    def board(self, since: int) -> Board:
        """The board as it is; marked are the points on which others stand than before decision `since`."""
        return with_last_move(self.game.board(self.state), self.game.board(self.states[since]))

    def board_after(self, number: int) -> Board:
        """The board after so many decisions; marked are the points that the last of them changed."""
        board = self.game.board(self.states[number])
        return with_last_move(board, self.game.board(self.states[number - 1])) if number else board

    def numbered_board(self, since: int) -> Board:
        """`board`; where its points have no names, those that a piece can come to have the numbers of the actions."""
        board = self.board(since)
        if not self.is_asking or any(point.label for point in board.points):
            return board
        labels: dict[int, list[str]] = {}
        for action in self.legal:
            for point in self._reached(board, self.after(action)):
                labels.setdefault(point, []).append(str(action))
        points = (replace(point, label=",".join(labels.get(i, ()))) for i, point in enumerate(board.points))
        return replace(board, points=tuple(points))

    def after(self, action: int) -> Board:
        """The board after an action, with luck of its own: what comes is not foreseen."""
        state = self.game.copies(self.state, 1, self.seed, self.mover)
        self.game.step(state, [action])
        return self.game.board(state)

    @staticmethod
    def _reached(before: Board, after: Board) -> list[int]:
        """The points where more pieces stand than before."""
        pairs = enumerate(zip(before.points, after.points, strict=True))
        return [i for i, (one, other) in pairs if men_on(other) > men_on(one)]

    def news(self) -> str:
        """How everyone stands in the campaign, where the last decision began a round; else ""."""
        if len(self.states) < 2 or self.state["round_number"][0] == self.states[-2]["round_number"][0]:
            return ""
        standing = self.game.standing(self.state)
        owned, worth = standing["owned"][0].tolist(), standing["worth"][0].tolist()
        each = (f"player_{p} owns {owned[p]} and is worth {worth[p]}" for p in range(self.game.num_players))
        return f"round {standing['round_number'][0]}: " + "; ".join(each)

    def result(self) -> str:
        """What everyone was paid in a game that is over, in words; who has won stands above the board."""
        paid = sum(self.rewards, np.zeros(self.game.num_players))
        rewards = ", ".join(f"player_{p} {reward:+.3g}" for p, reward in enumerate(paid.tolist()))
        return f"the game is over; rewards: {rewards}"

    def matching(self, text: str) -> list[int]:
        """The legal actions that `text` may mean: the number of one, or words of its name, in order.

        A word may be cut short, or be the initials of one: `23 nw` is `move from point 23 north-west`. Words that tell
        the actions apart are tried first, for the others need not be said.
        """
        legal, asked = self.legal, _words(text)
        if len(asked) == 1 and asked[0].isdigit() and int(asked[0]) in legal:
            return [int(asked[0])]
        names = {action: _words(self.names[action]) for action in legal}
        common = set.intersection(*map(set, names.values())) if names else set()
        for said in (common, set[str]()):
            for fits in (_is_word, _begins_word):
                found = [
                    action
                    for action, name in names.items()
                    if _follow(asked, [word for word in name if word not in said], fits)
                ]
                if found:
                    return found
        return []

    # The search's opinion.

    def analysed(self, agent: str) -> Analysis:
        """What a search thinks of the game as it is. Raises ValueError for who has no opinion."""
        return Searcher(self.game, agent).analyse(self.state, self.seed)

    def hint(self, agent: str) -> list[str]:
        """The same in words, line by line, the best action first."""
        found = self.analysed(agent)
        looked = f", {found.nodes} positions" if found.nodes else ""
        names = self.names
        width = max(len(str(action)) for action in found.values)
        lines = [f"{agent} ({worded(found.value, agent)}{looked}) would play: {names[found.action]}"]
        for action, value in sorted(found.values.items(), key=lambda item: (item[0] != found.action, -item[1])):
            lines.append(f"  {worded(value, agent):>12}  {action:{width}}  {names[action]}")
        if len(found.line) > 1:
            lines += ["  and so on:", *(f"    {decision}" for decision in self.line(found.line[:LINE]))]
        return lines

    def line(self, actions: Sequence[int]) -> Iterator[str]:
        """A line of play from here on, in words."""
        state = self.state.copy()
        for action in actions:
            mover = int(state["to_move"][0])
            yield f"player_{mover}: {self.game.names_for(mover)[action]}"
            self.game.step(state, [action])


def begin_session(
    name: str,
    campaign: bool,
    options: Mapping[str, Any],
    people: Collection[int],
    opponent: str,
    seed: int | None = None,
    position: str | None = None,
) -> Session:
    """A game that begins, from the start or from a position as `Game.text` tells it; without a seed one is drawn.

    Raises ValueError or TypeError for what there is not, saying what there is.
    """
    seed = int(np.random.default_rng().integers(2**31)) if seed is None else seed
    game = make_game(name, campaign, **options)
    require_agent(opponent, game)
    start = game.init(1, seed)  # Which refuses what is no seed.
    return Session(game, start if position is None else game.parse(position), people, opponent, seed)


def game_in(position: str) -> tuple[str, bool, dict[str, Any]]:
    """The game of which a position tells, whether it is a campaign, and the options."""
    name, _, agreed = position.partition(" ")[0].removesuffix(")").partition("(")
    options = dict(map(option, re.findall(r"\w+=(?:\([^)]*\)|[^,]*)", agreed)))
    return name, bool(options.pop("campaign", False)), options


def resume_session(line: dict[str, Any], people: Collection[int], opponent: str, seed: int) -> Session:
    """A recorded episode, to its end, as a game that may go on. Raises ValueError for what is none."""
    if isinstance(line, dict) and "solo" in line:
        raise ValueError("it has the learner's decisions only: a session needs everybody's")
    try:
        shown = list(replay(line))
    # A recording may hold anything.
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"it is not as recorded: {error!r}") from error
    game, start = shown[0]
    session = Session(game, start, people, opponent, seed)
    for decision in line["decisions"]:
        session.play(decision["action"])
    return session


def turn_of(state: States) -> tuple[int, ...]:
    """What changes when a turn has ended."""
    return tuple(int(state[name][0]) for name in ("round_number", "turn", "to_move"))


def men_on(point: Point) -> int:
    """How many pieces stand there."""
    return len(point.others) + 1 if point.man else 0


def worded(value: float, agent: str) -> str:
    """What a search says of an action: a lead, or from -1, lost, to +1, won, how it changes what lead there is."""
    if agent.startswith("mcts"):
        return f"{value:+.2f}"
    return f"{value:+.4g}" if abs(value) < WON / 2 else "wins" if value > 0 else "loses"


def _words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower())


def _follow(asked: list[str], name: list[str], fits: Callable[[str, str], bool]) -> bool:
    """Whether the words `asked` stand in `name`, in this order."""
    rest = iter(name)
    return bool(asked) and all(any(fits(word, other) for other in rest) for word in asked)


def _is_word(word: str, other: str) -> bool:
    """The word itself, or its initials: `nw` for `north-west`."""
    return word == other or word == "".join(part[:1] for part in other.split("-"))


def _begins_word(word: str, other: str) -> bool:
    return _is_word(word, other) if word.isdigit() else other.startswith(word)
