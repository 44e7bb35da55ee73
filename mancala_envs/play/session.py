"""A session: one game that people play against agents, independent of how it is displayed."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent, Analysis
from mancala_envs.agents.agent import is_search
from mancala_envs.agents.common import WON
from mancala_envs.agents.compiled import NAMES
from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board, with_last_move
from mancala_envs.core.pauses import Pace
from mancala_envs.core.record import NOBODY
from mancala_envs.core.result import resignation_in_words, sides, winning_sides, your_side
from mancala_envs.game import Game
from mancala_envs.registry import make_game
from mancala_envs.render.layout import men_on
from mancala_envs.wrappers import record, recorded, replay

HINT_AGENT = "mcts:1000"
"""The search that gives hints if the opponent is not a search."""
EVALUATION_AGENT = "minimax:100ms"
"""The search that evaluates all positions of a game. Its values are leads, and the time of a position is limited."""
MOST_KEPT = 4
"""Number of states that a session keeps besides the current one."""
HINT_LENGTH = 6
"""Number of decisions of the principal variation that a hint shows."""


class Session:
    """One game between people and agents, with its whole history.

    Past states are played again when they are needed, because a state with a history of positions can take megabytes.

    Attributes:
        game: the rules.
        people: players whose decisions come from people; an agent decides for all others.
        opponent: name of that agent.
        seed: random seed of the agents' decisions.
        state: the current state (1,).
        actions: the action of every decision.
        movers: the player of every decision.
        rewards: the rewards (P,) of every decision.
        resigned: the player who has resigned, -1 for none.
        evaluations: values for the side `viewed_side` by number of decisions, see `evaluate`.
    """

    def __init__(self, game: Game, start: States, people: Collection[int], opponent: str, seed: int) -> None:
        """Start a session from the state `start` (1,), of which it keeps a copy. See `Session` for the others.

        Raises:
            ValueError: if `people` names a seat that the game does not have.
        """
        for seat in people:
            if not 0 <= seat < game.num_deciding:
                raise ValueError(f"seat must be 0..{game.num_deciding - 1}, got {seat}")
        self.game, self.people, self.opponent = game, frozenset(people), opponent
        self.state = start.copy()
        self.actions, self.movers, self.rewards = list[int](), list[int](), list[npt.NDArray[np.float32]]()
        self.seed, self.resigned = seed, NOBODY
        self.evaluations = dict[int, float]()
        self._kept = {0: self.state}
        """Some states by the number of decisions before, the start first."""
        self._undo_to = list[int]()
        """Numbers of the decisions that `undo` returns to."""
        self._began_in_secret = list[bool]()
        """Of every decision, whether some person did not know it when it was made."""
        self._choose = Agent(game, opponent).act

    @property
    def hint_agent(self) -> str:
        """Name of the search that gives hints: the opponent if it is a search, otherwise `HINT_AGENT`."""
        return self.opponent if is_search(self.opponent) else HINT_AGENT

    @property
    def mover(self) -> int:
        """The player to move, -1 when the game is over."""
        return int(self.state["to_move"][0]) if self.resigned == NOBODY else NOBODY

    @property
    def awaits_person(self) -> bool:
        """Whether a person is to move and has more than one legal action."""
        return self.mover in self.people and len(self.legal) > 1

    @property
    def legal(self) -> list[int]:
        """The legal actions."""
        actions: list[int] = np.flatnonzero(self.game.legal(self.state)[0]).tolist()
        return actions

    @property
    def task(self) -> str:
        """The present kind of decision, in words."""
        return self.game.book.presentation.phases[int(self.state["phase"][0])]

    def play(self, action: int) -> None:
        """Play an action for the player to move.

        Raises:
            IllegalAction: if the action is illegal; the session does not change.
        """
        number, mover = len(self.actions), self.mover
        state = self.state.copy()
        rewards = self.game.step(state, [action])[0]
        if self._is_undone_to(number):
            self._undo_to.append(number)
        self.actions.append(action)
        self.movers.append(mover)
        self.rewards.append(rewards)
        self._keep(number + 1, state)
        self.state = state
        hides = self.game.has_secrets and mover not in self.people
        self._began_in_secret.append(hides and self._hides_from_people(mover))

    def reply(self) -> None:
        """Play the only legal action, or the agent's choice if there are several."""
        self.play(self.choice())

    def play_on(self, to_end: bool = False) -> None:
        """Play the decisions of agents and the only legal actions, until a person has a choice.

        Args:
            to_end: whether to play to the end of the game; the agent then also decides for people, and `undo` returns
                to the first of their choices.
        """
        undone, pace = len(self._undo_to), Pace("decisions")
        try:
            while self.mover >= 0 and (to_end or not self.awaits_person):
                with pace.covering():
                    self.reply()
                pace.pause(1)
        finally:
            del self._undo_to[undone + 1 :]

    def resign(self) -> None:
        """Resign the game, or the campaign, for the person to move, otherwise for the first person.

        Raises:
            ValueError: if the game is over or no person plays.
        """
        if self.mover < 0 or not self.people:
            raise ValueError("the game is over" if self.people else "only people resign, and agents play every seat")
        self.resigned = self.mover if self.mover in self.people else min(self.people)

    def copy(self) -> "Session":
        """Return a session with the same history, which can be played on independently."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                setattr(other, name, value.copy())
        return other

    def choice(self) -> int:
        """Return the only legal action, or the agent's choice if there are several. The session does not change."""
        legal = self.legal
        # This seed depends only on the session and the number of decisions, so the reply is the same after undo.
        seed = np.random.SeedSequence([self.seed, len(self.actions)]).generate_state(1, np.uint64)[0]
        return legal[0] if len(legal) == 1 else int(self._choose(self.state, int(seed))[0])

    def state_after(self, number: int) -> States:
        """Return the state (1,) after `number` decisions. The caller must not change it."""
        if number not in self._kept:
            nearest = max(each for each in self._kept if each < number)
            state = self._kept[nearest].copy()
            for action in self.actions[nearest:number]:
                self.game.step(state, [action])
            self._keep(number, state)
        return self._kept[number]

    def _keep(self, number: int, state: States) -> None:
        self._kept[number] = state
        if len(self._kept) > MOST_KEPT:
            _, oldest, *_ = self._kept
            del self._kept[oldest]

    def undo(self) -> bool:
        """Undo the last decision in which a person had a choice, and everything after it, or a resignation.

        In a game between agents only, undo the last turn. Chance repeats: the same actions lead to the same states.

        Returns:
            Whether there was anything to undo.
        """
        if self.resigned != NOBODY:
            self.resigned = NOBODY
            return True
        if not self._undo_to:
            return False
        number = self._undo_to.pop()
        self.state = self.state_after(number)
        self._kept = {each: state for each, state in self._kept.items() if each <= number}
        self.evaluations = {each: value for each, value in self.evaluations.items() if each <= number}
        for history in (self.actions, self.movers, self.rewards, self._began_in_secret):
            del history[number:]
        return True

    def _is_undone_to(self, number: int) -> bool:
        """Whether `undo` returns to decision `number`, which is about to be made."""
        if self.people:
            return self.awaits_person
        return number == 0 or turn_key(self.state) != turn_key(self.state_after(number - 1))

    @property
    def recording(self) -> dict[str, Any]:
        """The game so far as a recorded episode, in the format that `replay` reads."""
        return recorded(self.game, self.state_after(0), self.actions)

    def save(self, path: Path) -> None:
        """Append the game so far to the recordings in the file `path`."""
        record(path, self.game, self.state_after(0), self.actions)

    # In words.

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all actions, from the view of the player to move."""
        return self.game.names_for(self.mover)

    def name(self, player: int) -> str:
        """Return the name of a player, with that of the agent if an agent plays."""
        return f"player_{player}" + ("" if player in self.people else f" ({self.opponent})")

    def describe(self, number: int) -> str:
        """Describe decision `number` in one line, without what is still secret."""
        mover = self.movers[number]
        name = self.game.names_for(mover)[self.actions[number]]
        return f"{self.name(mover)}: {'decides in secret' if self.is_secret(number) else name}"

    def is_secret(self, number: int) -> bool:
        """Return whether an agent made decision `number` and people may not know it yet."""
        return self._began_in_secret[number] and self._hides_from_people(self.movers[number])

    def _hides_from_people(self, player: int) -> bool:
        """Whether `player` knows something about the current state that some person does not."""
        known = self.game.text(self.state, player)
        return any(self.game.text(self.state, person) != known for person in self.people)

    def explain(self, number: int) -> list[str]:
        """Explain what decision `number` did, line by line, without what is still secret."""
        if self.is_secret(number):
            return [self.describe(number)]
        _, *events, _ = self.game.explain(self.state_after(number), self.actions[number])
        return [self.describe(number), *events]

    def board(self, since: int) -> Board:
        """Return the current board, with the points marked that have changed since before decision `since`."""
        return self.board_after(len(self.actions), since)

    def board_after(self, number: int, since: int) -> Board:
        """Return the board after `number` decisions, with the points marked that changed after the first `since`."""
        return with_last_move(self._board(number), self._board(since))

    def move_before(self, number: int) -> int:
        """Return how many of `number` decisions came before the last move.

        A move is all decisions that a player makes in a row.
        """
        first = number
        while first and self.movers[first - 1] == self.movers[number - 1]:
            first -= 1
        return first

    def _board(self, number: int) -> Board:
        """Return the board after `number` decisions, with a resignation in its heading."""
        board = self.game.board(self.state_after(number))
        if self.resigned == NOBODY or number < len(self.actions):
            return board
        return replace(board, heading=f"player_{self.resigned} resigned", to_move=NOBODY)

    def numbered_board(self, since: int) -> Board:
        """Return `board(since)` with labels for people who type actions.

        If the points have no labels of their own, each point that a piece can reach is labelled with the numbers of
        the actions that lead there.
        """
        board = self.board(since)
        if not self.awaits_person or any(point.label for point in board.points):
            return board
        labels: dict[int, list[str]] = {}
        for action in self.legal:
            for point in self._reached(board, self.after(action)):
                labels.setdefault(point, []).append(str(action))
        points = (replace(point, label=",".join(labels.get(i, ()))) for i, point in enumerate(board.points))
        return replace(board, points=tuple(points))

    def after(self, action: int) -> Board:
        """Return the board after a legal action.

        Chance is drawn independently of the session, so the board does not reveal what the game itself will draw.
        """
        state = self.game.copies(self.state, 1, self.seed, self.mover)
        self.game.step(state, [action])
        return self.game.board(state)

    @staticmethod
    def _reached(before: Board, after: Board) -> list[int]:
        """The points that hold more pieces than before."""
        pairs = enumerate(zip(before.points, after.points, strict=True))
        return [i for i, (one, other) in pairs if len(men_on(other)) > len(men_on(one))]

    def round_summary(self) -> str:
        """Return the standing of the campaign if the last decision started a new round, otherwise ""."""
        number = len(self.actions)
        if not number or self.state["round_number"][0] == self.state_after(number - 1)["round_number"][0]:
            return ""
        standing = self.game.standing(self.state)
        owned, worth = standing["owned"][0].tolist(), standing["worth"][0].tolist()
        each = (f"player_{p} owns {owned[p]} and is worth {worth[p]}" for p in range(self.game.num_players))
        return f"round {standing['round_number'][0]}: " + "; ".join(each)

    def result(self) -> str:
        """Return the result of a game that is over: who won, and by how much, with people as "you"."""
        if self.resigned != NOBODY:
            return resignation_in_words(self.game, self.resigned, self.people)
        return self.game.result(self.state, self.people)

    def matching(self, text: str) -> list[int]:
        """Return the legal actions that `text` may mean: an action's number, or words of its name in order.

        A word may be abbreviated to its beginning or, with hyphens, to its initials: `23 nw` matches `move from point
        23 north-west`. Words that all the names share are matched only if the other words match nothing.
        """
        legal, typed = self.legal, _words(text)
        for action in legal:
            if typed == [str(action)]:
                return [action]
        names = {action: _words(self.names[action]) for action in legal}
        common = set.intersection(*map(set, names.values())) if names else set()
        for ignored in (common, set[str]()):
            for matches in (_is_word, _begins_word):
                found = [
                    action
                    for action, name in names.items()
                    if _in_order(typed, [word for word in name if word not in ignored], matches)
                ]
                if found:
                    return found
        return []

    # Hints.

    def analyse(self, agent: str) -> Analysis:
        """Analyse the current state with the agent of that name, or with the saved model at that path.

        Raises:
            ValueError: if the agent does not exist or cannot analyse.
        """
        return Agent(self.game, agent).analyse(self.state, self.seed)

    @property
    def viewed_side(self) -> int:
        """The side whose values `evaluations` has: that of people if they are on one side, otherwise side 0."""
        return max(your_side(self.game, self.people), 0)

    def evaluate(self) -> None:
        """Let `EVALUATION_AGENT` evaluate every position of the game so far, except those already evaluated.

        Positions with a single legal action have no value. With more than two sides only those have one in which
        `viewed_side` is to move.
        """
        side_of, viewed = sides(self.game), self.viewed_side
        searcher, state = Agent(self.game, EVALUATION_AGENT), self.state_after(0).copy()
        pace = Pace("positions", len(self.actions) + 1)
        for number, action in enumerate([*self.actions, -1]):
            mover = int(state["to_move"][0])
            if number in self.evaluations:
                pass
            elif mover < 0:
                winners = winning_sides(self.game, state.view(np.recarray)[0])
                drawn = len(winners) == len(set(side_of))
                self.evaluations[number] = 0.0 if drawn else WON if viewed in winners else -WON
            elif self.game.legal(state).sum() > 1 and (side_of[mover] == viewed or len(set(side_of)) == 2):
                with pace.covering():
                    value = searcher.analyse(state, self.seed).value
                if not isnan(value):
                    self.evaluations[number] = value if side_of[mover] == viewed else -value
            if action >= 0:
                self.game.step(state, [action])
            pace.pause(1)

    def hint(self, agent: str) -> list[str]:
        """Return the search result of `analyse` in words, line by line, the best action first."""
        found = self.analyse(agent)
        nodes = f", {found.nodes} positions" if found.nodes else ""
        names = self.names
        width = max(len(str(action)) for action in found.values)
        lines = [f"{agent} ({value_in_words(found.value, agent)}{nodes}) would play: {names[found.action]}"]
        for action, value in sorted(found.values.items(), key=lambda item: (item[0] != found.action, -item[1])):
            lines.append(f"  {value_in_words(value, agent):>12}  {action:{width}}  {names[action]}")
        if len(found.line) > 1:
            lines += ["  expected play:", *(f"    {decision}" for decision in self.line(found.line[:HINT_LENGTH]))]
        return lines

    def line(self, actions: Sequence[int]) -> Iterator[str]:
        """Yield a description of each action of a principal variation from the current state."""
        state = self.state.copy()
        for action in actions:
            mover = int(state["to_move"][0])
            yield f"player_{mover}: {self.game.names_for(mover)[action]}"
            self.game.step(state, [action])


def begin_session(
    game: Game | str,
    campaign: bool,
    options: Mapping[str, Any],
    people: Collection[int],
    opponent: str,
    seed: int | None = None,
    position: str | None = None,
) -> Session:
    """Start a session of a game.

    Args:
        game: the game, as `make_game` takes it.
        campaign: whether to play a campaign.
        options: options of the game.
        people: players whose decisions come from people.
        opponent: name of the agent that decides for all other players.
        seed: random seed of chance and of the agents; drawn at random if None.
        position: the position to start from, in the notation of `Game.text`; the usual start if None.

    Raises:
        ValueError: if the game, the agent, the position or the value of an option does not exist or is not allowed.
        TypeError: if the game has no option of a given name.
    """
    seed = int(np.random.default_rng().integers(2**31)) if seed is None else seed
    made = make_game(game, campaign, **options)
    start = made.init(1, seed)  # This also checks the seed.
    return Session(made, start if position is None else made.parse(position), people, opponent, seed)


def resume_session(line: dict[str, Any], people: Collection[int], opponent: str, seed: int) -> Session:
    """Start a session that continues a recorded episode from its end.

    Args:
        line: the recorded episode, a parsed line of a recorder's file.
        people: players whose decisions come from people.
        opponent: name of the agent that decides for all other players.
        seed: random seed of the agents' decisions.

    Raises:
        ValueError: if the episode cannot be replayed.
    """
    try:
        positions = replay(line)
        game, start = next(positions)
        pace = Pace("decisions", len(line["decisions"]))
        for _ in positions:
            pace.pause(1)
    except ValueError as error:
        raise ValueError(f"the recording cannot be replayed: {error}") from error
    session = Session(game, start, people, opponent, seed)
    for decision in line["decisions"]:
        session.play(decision["action"])
    return session


def turn_key(state: States) -> tuple[int, ...]:
    """Return values of which at least one changes when a turn ends."""
    return tuple(int(state[name][0]) for name in ("round_number", "turn", "to_move"))


def value_in_words(value: float, agent: str) -> str:
    """Return a search's value of an action as text.

    Values of `mcts` range from -1 (lost) to +1 (won), where 0 keeps the current lead. Values of `minimax` are leads;
    where it finds the game won or lost, the text is "wins" or "loses". Values of `expert` are those of either search.
    Values of `perfect` are proven: leads at the end with `reward="margin"`, otherwise 1, 0 or -1. Values of saved
    models are probabilities.
    """
    if agent not in NAMES and not is_search(agent):
        return f"{value:.0%}"
    if agent.startswith("mcts"):
        return f"{value:+.2f}"
    return f"{value:+.4g}" if abs(value) < WON / 2 else "wins" if value > 0 else "loses"


def _words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower())


def _in_order(typed: list[str], name: list[str], matches: Callable[[str, str], bool]) -> bool:
    """Whether all typed words match words of `name`, in this order."""
    rest = iter(name)
    return bool(typed) and all(any(matches(word, other) for other in rest) for word in typed)


def _is_word(word: str, other: str) -> bool:
    """Whether `word` is `other` or its initials: `nw` for `north-west`."""
    return word == other or word == "".join(part[:1] for part in other.split("-"))


def _begins_word(word: str, other: str) -> bool:
    return _is_word(word, other) if word.isdigit() else other.startswith(word)
