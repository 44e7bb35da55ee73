"""A batch of games between an agent and opponents, the basis of `SoloEnv` and `MancalaVectorEnv`.

The agent that the environment is for is called the learner here. Compiled opponents move inside the kernel until the
learner decides again or the game is over; Python opponents are called between kernel calls.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent, Mixture
from mancala_envs.agents.compiled import NAMES, choose_loop, play_loop, scratch_for
from mancala_envs.core.arguments import first, is_integer
from mancala_envs.core.chance import advance, advanced, below, mix, stream, streams
from mancala_envs.core.contract import hide
from mancala_envs.core.engine import MOST_DECISIONS, IllegalAction
from mancala_envs.core.kernels import ILLEGAL, RAISE, RANDOM, forfeit, may_play, pick
from mancala_envs.core.opening import Opening
from mancala_envs.core.record import NOBODY
from mancala_envs.core.rule import rule
from mancala_envs.core.shards import in_shards, thread_count
from mancala_envs.game import Game

DRAWN = -1
"""The value of `Match.seat` if the seat is drawn for every episode."""

TO_DRAW = -2
"""Stands for a random action that has not been drawn yet."""

MAX_TRIES = 1000
"""How often a game is started again that ends before the learner's first decision, until `Match.begin` gives up."""


@rule
def draw_seeds_loop(states, which, rng, seeds):
    """Draw a seed for each game of `which`, and prepare its copy in `states` for a search.

    The copy gets a random generator by that seed, and loses the information that is hidden from the player to move.
    """
    for k in range(len(which)):
        i = which[k]
        rng[i] = advance(rng[i])
        seeds[k] = mix(rng[i])
        s = states[k]
        # The same as `Game.copies` of this one game.
        s.chance = stream(mix(seeds[k]), 0)
        hide(s, s.to_move)


@rule
def seat_loop(
    which, words, rng, seats, agents, opponent_numbers, over, illegal, seat, deciding, bounds, table, numbers
):
    """Draw the seats and opponents of games that begin.

    Args:
        which: (k,) indices of these games.
        words: (k,) uint64, where a random word for the opening of each is written; (0,) for the usual opening.
        rng: (n,) generators of seats and opponents. This array and the five after it are attributes of `Match`.
        seats: (n,) the learner's seats.
        agents: (n, P) the agent of every seat.
        opponent_numbers: (n, P - 1) numbers of the opponents.
        over: (n,) whether the episode is over.
        illegal: (n,) whether the learner's last action was illegal.
        seat: the learner's seat, or DRAWN to draw one of the first `deciding`.
        deciding: number of players who decide.
        bounds: (P - 1, M) cumulative weights of the opponents for every other seat, in turn order.
        table: (P - 1, M) the opponents.
        numbers: (P - 1, M) their numbers, for `opponent_numbers`.
    """
    players = agents.shape[1]
    for k in range(len(which)):
        i = which[k]
        rng[i] = advance(rng[i])
        seats[i] = seat if seat >= 0 else below(rng[i], deciding)
        for other in range(players - 1):
            rng[i] = advance(rng[i])
            drawn = below(rng[i], _DRAWS) / _DRAWS
            member = 0
            while member < table.shape[1] - 1 and drawn >= bounds[other, member]:
                member += 1
            agents[i, (seats[i] + 1 + other) % players] = table[other, member]
            opponent_numbers[i, other] = numbers[other, member]
        over[i] = illegal[i] = False
        if len(words):
            rng[i] = advance(rng[i])
            words[k] = mix(rng[i])


_DRAWS = 1 << 24


@rule
def check_loop(states, actions, pending_rewards, rewards, over, illegal, on_illegal, chosen):
    """Check the learner's actions, and write those to play into chosen (n,), -1 in games that are over.

    If `on_illegal` is RANDOM, an illegal action becomes TO_DRAW. Pays the rewards that are pending, and that of an
    illegal action.

    Returns:
        The index of the first illegal action if `on_illegal` is RAISE, and then no game changes; -1 otherwise.
    """
    for i in range(len(states)):
        illegal[i] = not over[i] and not may_play(states[i], actions[i])
        if illegal[i] and on_illegal == RAISE:
            return i
    for i in range(len(states)):
        rewards[i] = 0.0
        chosen[i] = -1
        if over[i]:
            continue
        rewards[i] = pending_rewards[i]
        pending_rewards[i] = 0.0
        if not illegal[i]:
            chosen[i] = actions[i]
        elif on_illegal == RANDOM:
            chosen[i] = TO_DRAW
        else:
            forfeit(states[i])
            rewards[i] -= 1.0
            over[i] = True
    return -1


@rule
def draw_loop(states, rng, chosen):
    """Draw a legal action where chosen (n,) is TO_DRAW; the generators rng (n,) of these games advance."""
    for i in range(len(chosen)):
        if chosen[i] == TO_DRAW:
            rng[i] = advance(rng[i])
            chosen[i] = pick(states[i], mix(rng[i]))


class Match:
    """n games, each between the learner in `seats[i]` and opponents in the other seats.

    Args:
        game: the game.
        n: number of games.
        opponent: one opponent for all other seats, or a list with one for each, in turn order from the learner's.
        seat: the number of a seat whose player decides, or `"random"` for any of these.
        illegal: what an illegal action of the learner does, one of ILLEGAL.
        opening: the opening of every game, as `Game.opening` takes it.
        threads: number of threads.

    Raises:
        ValueError: if the opponent, seat, illegal or opening is not allowed.
        TypeError: if the opponent or opening is of a wrong type.
    """

    def __init__(
        self, game: Game, n: int, opponent: Any, seat: int | str, illegal: str, opening: Any = 0, threads: int = 1
    ) -> None:
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal must be one of {', '.join(map(repr, ILLEGAL))}, got {illegal!r}")
        if seat != "random" and not (is_integer(seat) and 0 <= int(seat) < game.num_deciding):
            raise ValueError(f"seat must be 'random' or 0..{game.num_deciding - 1}, got {seat!r}")
        self.game = game
        self.threads = thread_count(threads)
        self.illegal_mode = ILLEGAL.index(illegal)
        self.seat = DRAWN if seat == "random" else int(seat)
        self.states = game.init(n, 0)
        self.rng = np.zeros(n, np.uint64)
        self.seats = np.zeros(n, np.int64)
        self.agents = np.zeros((n, game.num_players), np.int64)
        self.opponent_numbers = np.zeros((n, game.num_players - 1), np.int64)
        """(n, P - 1) numbers of the opponents in their mixtures, in turn order from the learner's seat."""
        self.opening = game.opening(opening)
        self._everyone = np.arange(n)
        self._chosen = np.empty(n, np.int64)
        self.rewards = np.zeros(n, np.float64)
        self.pending_rewards = np.zeros(n, np.float64)
        """(n,) rewards from before the learner's first decision, which are paid with its first step."""
        self.over = np.zeros(n, np.bool_)
        """(n,) whether the episode is over, by the rules or by an illegal action. Episodes are never truncated here."""
        self.illegal = np.zeros(n, np.bool_)
        self.observations: npt.NDArray[Any] = np.zeros((n, len(game.observation_fields)), game.observation_dtype)
        self.masks: npt.NDArray[np.int8] = np.zeros((n, game.num_actions), np.int8)
        self.actions: list[int] | None = None
        """All actions of the running episode, if `keep_actions` was called."""
        self.start = self.states[:0]
        """The state (1,) before these actions."""
        self._asked: dict[int, Agent] = {}
        """The opponents that are asked between kernel calls, by their numbers in `agents`."""
        self._interrupted = False
        """Whether an error left games half played or not begun; False again when all games have been restarted."""
        self.set_opponent(opponent)
        self._bind()

    def _bind(self) -> None:
        kernel = self.game.kernel
        self._records = self.game.records(self.states)
        self._scratch = scratch_for(self.game)
        self._draw_seeds = kernel(draw_seeds_loop)
        self._seat = kernel(seat_loop)
        self._check = kernel(check_loop)
        self._draw = kernel(draw_loop)
        self._play = kernel(play_loop)
        self._ask = kernel(choose_loop)

    def __getstate__(self) -> dict[str, Any]:
        # A copy makes its own views and bound functions, so that it does not share memory with the original.
        made = ("_records", "_scratch", "_draw_seeds", "_seat", "_check", "_draw", "_play", "_ask")
        return {name: value for name, value in self.__dict__.items() if name not in made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def set_opponent(self, opponent: Any) -> None:
        """Replace the opponents from each game's next start on."""
        others = self.game.num_players - 1
        specs = list(opponent) if isinstance(opponent, Sequence) and not isinstance(opponent, str) else None
        if specs is not None and len(specs) != others:
            raise ValueError(f"a list of opponents must have one for each of the {others} other seats, got {specs}")
        rows = [self._mix(spec) for spec in specs or [opponent] * others]
        widest = max(len(table) for _, table, _ in rows)
        self._bounds = np.ones((others, widest))
        self._table, self._numbers = (np.zeros((others, widest), np.int64) for _ in range(2))
        for other, (bounds, table, numbers) in enumerate(rows):
            self._bounds[other, : len(bounds)] = bounds
            self._table[other, : len(table)] = table
            self._numbers[other, : len(numbers)] = numbers
        # Running games keep their opponents; agents that no game uses any more are dropped.
        needed = {*self.agents.ravel().tolist(), *self._table.ravel().tolist()}
        self._asked = {number: agent for number, agent in self._asked.items() if number in needed}

    def keep_actions(self, opponent: Any) -> None:
        """Keep the actions of all players, from the next start on; only for a match of one game.

        Compiled opponents are then asked for one action at a time. They choose the same actions, but take longer.

        Args:
            opponent: the opponent, as in the constructor.
        """
        self.actions, self.start = [], self.states.copy()
        self.set_opponent(opponent)

    def _forget_actions(self) -> None:
        if self.actions is not None:
            self.actions.clear()
            self.start[:] = self.states

    def _mix(self, spec: Any) -> tuple[list[float], list[int], Sequence[int]]:
        mixture = spec if isinstance(spec, Mixture) else Mixture((spec,))
        weights = np.array(mixture.weights or [1.0] * len(mixture.opponents))
        bounds = np.cumsum(weights / weights.sum()).tolist()
        agents = [self._agent(member) for member in mixture.opponents]
        return bounds, agents, mixture.numbers or range(len(agents))

    def _agent(self, spec: Any) -> int:
        agent = spec if isinstance(spec, Agent) else Agent(self.game, spec)
        if agent.number is not None and self.actions is None:
            return agent.number
        number = max(self._asked, default=len(NAMES) - 1) + 1
        self._asked[number] = agent
        return number

    def set_opening(self, opening: Any) -> None:
        """Set the opening, as `Game.opening` takes it, from each game's next start on."""
        self.opening = self.game.opening(opening)

    def seed(self, which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> None:
        """Seed the games of `which` (k,) with `seeds` (k,): their own generators, and those of seats and opponents."""
        number = np.zeros(len(which), np.int64)
        self._records["chance"][which] = streams(seeds, number)
        self.rng[which] = streams(seeds, number + 1)

    def begin(self, which: npt.NDArray[np.int64], opening: Opening | None = None, restart: bool = True) -> None:
        """Start the games of `which` (k,), and play until the learner's first decision.

        Args:
            which: indices of the games.
            opening: the opening of these games; by default that of the match.
            restart: whether games that end before the learner's first decision are started again, with another opening.
                Otherwise they are `over`, and their rewards are in `pending_rewards`.

        Raises:
            ValueError: if an opening is too long, or the learner has nothing to decide in MAX_TRIES games.
            gymnasium.error.ResetNeeded: if an error has interrupted a step and `which` are not all games.
        """
        if len(which) < len(self.states):
            self._refuse_interrupted()
        chosen = opening or self.opening
        for _ in range(MAX_TRIES):
            if not len(which):
                return
            words = np.empty(0 if chosen.is_usual else len(which), np.uint64)
            self._seat.call(
                which, words, self.rng, self.seats, self.agents, self.opponent_numbers, self.over, self.illegal,
                self.seat, self.game.num_deciding, self._bounds, self._table, self._numbers,
            )  # fmt: skip
            self._interrupted = True
            self.game.start_games(self._records, which, words, chosen)
            self._forget_actions()
            self.pending_rewards[which] = 0.0
            self._let_opponents_move(which, np.full(len(which), -1), self.pending_rewards)
            which = which[self.over[which]]
            if not restart:
                return
        self._interrupted = True
        raise ValueError(
            f"the games ended before the learner's first decision {MAX_TRIES} times in succession: choose another "
            "opening, position or seat"
        )

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Play the learner's actions and all replies; fill `rewards`, `over` and `illegal`.

        Args:
            actions: (n,) actions, ignored in games that are over.

        Raises:
            IllegalAction: if an action is illegal, with `illegal="raise"`; nothing changes then. Also if an opponent
                plays an illegal action.
            gymnasium.error.ResetNeeded: if an opponent has raised an error or played an illegal action before, and the
                games have not been restarted.
        """
        self._refuse_interrupted()
        index = self._check.call(
            self._records, actions, self.pending_rewards, self.rewards, self.over, self.illegal, self.illegal_mode,
            self._chosen,
        )  # fmt: skip
        if index >= 0:
            raise IllegalAction(int(index), int(actions[index]), np.flatnonzero(self.masks[index]).tolist())
        self._interrupted = True
        if self.illegal_mode == RANDOM and self.illegal.any():
            self._draw.call(self._records, self.rng, self._chosen)
        if self.actions is not None and self._chosen[0] >= 0:
            self.actions.append(int(self._chosen[0]))
        self._let_opponents_move(self._everyone, self._chosen, self.rewards)

    def _let_opponents_move(
        self, which: npt.NDArray[np.int64], actions: npt.NDArray[np.int64], earned: npt.NDArray[np.float64]
    ) -> None:
        """Play an action in each game of `which` (-1: none), and let all opponents move until the learner decides.

        The rewards of the learner are added to `earned` (n,).
        """
        self._interrupted = True
        self._play_actions(which, actions, earned)
        while self._asked and len(waiting := self._waiting(which)):
            chosen = self._answers(waiting)
            if self.actions is not None:
                self.actions += chosen.tolist()
            self._play_actions(waiting, chosen, earned)
        self._interrupted = False

    def _play_actions(
        self, which: npt.NDArray[np.int64], actions: npt.NDArray[np.int64], earned: npt.NDArray[np.float64]
    ) -> None:
        """Play an action in each game of `which` (-1: none), and let compiled opponents move."""
        players = self.rng, self.seats, self.agents
        results = earned.reshape(-1, 1), self.over, MOST_DECISIONS
        if self.threads == 1:
            self._play.call(self._records, which, actions, *players, self._scratch, *results)
            return

        def play(shard: slice) -> None:
            scratch = scratch_for(self.game)
            self._play.call(self._records, which[shard], actions[shard], *players, scratch, *results)

        in_shards(self.threads, len(which), play)

    def _refuse_interrupted(self) -> None:
        if self._interrupted:
            raise gym.error.ResetNeeded("an error interrupted the last step or reset: reset all games")

    def _waiting(self, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        mover = self.states["to_move"][which]
        others: npt.NDArray[np.bool_] = (mover != NOBODY) & (mover != self.seats[which])
        return which[others]

    def _answers(self, waiting: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the actions of the opponents that are asked in the games of `waiting`."""
        agents = self.agents[waiting, self.states["to_move"][waiting]]
        actions = np.empty(len(waiting), np.int64)
        masks = self.game.legal(self.states[waiting]).view(np.int8)
        for agent in np.unique(agents):
            asked = np.flatnonzero(agents == agent)
            actions[asked] = self.ask(self._asked[agent], waiting[asked])
        inside = (actions >= 0) & (actions < masks.shape[1])
        wrong = first(~inside | (masks[np.arange(len(waiting)), np.where(inside, actions, 0)] == 0))
        if wrong >= 0:
            who, legal = repr(self._asked[agents[wrong]].agent), np.flatnonzero(masks[wrong]).tolist()
            raise IllegalAction(int(waiting[wrong]), int(actions[wrong]), legal, who)
        return actions

    def ask(self, agent: Agent, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return an agent's actions (k,) in the games of `which`; all but policies choose by each game's generator.

        Raises:
            TypeError: if a policy or search of the user returns anything but k integers.
        """
        if agent.number is not None:
            actions = np.empty(len(which), np.int64)
            self.rng[which] = advanced(self.rng[which])
            self._ask.call(self._records, which, agent.number, self.rng, self._scratch, actions)
            return actions
        states, seeds = self.states[which], None
        if not agent.is_policy:
            seeds = np.empty(len(which), np.uint64)
            self._draw_seeds.call(self.game.records(states), which, self.rng, seeds)
        return agent.act(states, seeds)

    def refresh(self) -> None:
        """Update the learner's `observations` (n, D) and `masks` (n, A) int8."""
        if self.threads == 1:
            self.game.observe_into(self._records, self.seats, self.observations, self.masks)
            return

        def observe(part: slice) -> None:
            self.game.observe_into(self._records[part], self.seats[part], self.observations[part], self.masks[part])

        in_shards(self.threads, len(self.seats), observe)
