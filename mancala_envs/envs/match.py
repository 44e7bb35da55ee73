"""A batch of games between an agent and opponents, the basis of `SoloEnv` and `MancalaVectorEnv`.

The agent that the environment is for is called the learner here. Compiled opponents move inside the kernel until the
learner decides again or the game is over; Python opponents are called between kernel calls.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs.agents import NAMES, Mixture, Policy, Search, resolve
from mancala_envs.agents.compiled import RANDOM as RANDOM_AGENT
from mancala_envs.agents.compiled import choose, scratch_for
from mancala_envs.core.arguments import first
from mancala_envs.core.chance import advance, below, mix, stream
from mancala_envs.core.contract import hide, observe
from mancala_envs.core.engine import IllegalAction
from mancala_envs.core.kernels import fresh, may_play, move, open_game, pay, pick, write_mask
from mancala_envs.core.opening import Opening
from mancala_envs.core.record import NOBODY, TRUNCATED
from mancala_envs.core.rule import rule
from mancala_envs.core.shards import in_shards, thread_count
from mancala_envs.game import Game

ILLEGAL = ("lose", "raise", "random")
LOSE, RAISE, RANDOM = range(3)
"""Responses to an illegal action of the learner: end the episode with -1, raise, or play a random legal action."""

DRAWN = -1
"""The value of `Match.seat` if the seat is drawn for every episode."""

MAX_TRIES = 1000
"""How often a game is started again that ends before the learner's first decision, until `Match.begin` gives up."""

_SEED_STREAM, _RNG_STREAM = 0, 1


@rule
def reply(s, i, seat, agents, rng, scratch):
    """Let compiled opponents move in game i until the learner or a Python opponent must decide, or the game is over.

    Returns:
        The reward of the learner, who plays `seat`.
    """
    earned = 0.0
    while s.to_move >= 0 and s.to_move != seat and agents[i, s.to_move] < len(NAMES):
        rng[i] = advance(rng[i])
        if move(s, choose(s, agents[i, s.to_move], rng[i], scratch)):
            earned += pay(s, seat)
    return earned


@rule
def ask_loop(states, which, agent, rng, scratch, actions):
    """Write the action of a compiled agent in each game of `which` into actions (k,); `reply` chooses the same."""
    for k in range(len(which)):
        i = which[k]
        rng[i] = advance(rng[i])
        actions[k] = choose(states[i], agent, rng[i], scratch)


@rule
def seed_loop(states, rng, which, seeds):
    """Seed the games of `which`: their own random generators, and `rng`, the generators of seats and opponents."""
    for k in range(len(which)):
        i = which[k]
        states[i].chance = stream(seeds[k], _SEED_STREAM)
        rng[i] = stream(seeds[k], _RNG_STREAM)


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
def begin_loop(
    states, rng, seats, agents, opponent_numbers, pending_rewards, over, illegal,
    which, positions, shortest, longest, seat, deciding, bounds, table, numbers, scratch,
):  # fmt: skip
    """Start games: draw seats, opponents and openings, then let opponents move until the learner's first decision.

    Args:
        states: (n,) records.
        rng: (n,) generators of seats and opponents. This array and the six after it are attributes of `Match`.
        seats: (n,) the learner's seats.
        agents: (n, P) the agent of every seat.
        opponent_numbers: (n, P - 1) numbers of the opponents.
        pending_rewards: (n,) rewards from before the learner's first decision.
        over: (n,) whether the episode is over.
        illegal: (n,) whether the learner's last action was illegal.
        which: (k,) indices of the games to start.
        positions: (m,) positions to draw from, see `Opening`.
        shortest: minimum number of random decisions of an opening.
        longest: maximum number.
        seat: the learner's seat, or DRAWN to draw one of the first `deciding`.
        deciding: number of players who decide.
        bounds: (P - 1, M) cumulative weights of the opponents for every other seat, in turn order.
        table: (P - 1, M) the opponents.
        numbers: (P - 1, M) their numbers, for `opponent_numbers`.
        scratch: memory of compiled opponents.

    Returns:
        The number of games that ended before the learner's first decision; -1 if an opening was too long.
    """
    players = agents.shape[1]
    finished = 0
    for k in range(len(which)):
        i = which[k]
        s = states[i]
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
        s.ended = 0
        if longest or len(positions):
            rng[i] = advance(rng[i])
            if not open_game(states, i, mix(rng[i]), positions, shortest, longest):
                return -1
        else:
            fresh(s)
        pending_rewards[i] = reply(s, i, seats[i], agents, rng, scratch)
        finished += s.ended > 0
    return finished


_DRAWS = 1 << 24


@rule
def check_loop(states, actions):
    """Return the index of the first running game whose action is illegal, or -1."""
    for i in range(len(states)):
        s = states[i]
        action = actions[i]
        if s.to_move >= 0 and not may_play(s, action):
            return i
    return -1


@rule
def play_loop(states, actions, rng, seats, agents, pending_rewards, rewards, over, illegal, scratch, on_illegal):
    """Play the learner's action in every game that is not over, then the replies of compiled opponents."""
    for i in range(len(states)):
        rewards[i] = 0.0
        illegal[i] = False
        if over[i]:
            continue
        rewards[i] = pending_rewards[i]
        pending_rewards[i] = 0.0
        s = states[i]
        s.ended = 0
        action = actions[i]
        if not may_play(s, action):
            illegal[i] = True
            if on_illegal == LOSE:
                s.to_move = NOBODY
                s.phase = 0
                s.winner = -1
                s.ended = TRUNCATED
                rewards[i] -= 1.0
                over[i] = True
                continue
            rng[i] = advance(rng[i])
            action = pick(s, mix(rng[i]))
        if move(s, action):
            rewards[i] += pay(s, seats[i])
        rewards[i] += reply(s, i, seats[i], agents, rng, scratch)
        if s.ended:
            over[i] = True


@rule
def continue_loop(states, which, actions, rng, seats, agents, scratch, earned, over):
    """Play actions of Python opponents in the games of `which` (-1: none), then the replies of compiled opponents.

    The rewards of the learner are added to `earned` (n,).
    """
    for k in range(len(which)):
        i = which[k]
        s = states[i]
        if actions[k] >= 0 and move(s, actions[k]):
            earned[i] += pay(s, seats[i])
        earned[i] += reply(s, i, seats[i], agents, rng, scratch)
        if s.ended:
            over[i] = True


@rule
def refresh_loop(states, seats, observations, masks):
    """Write the learner's observations (n,), as records, and masks (n, A) int8."""
    words = np.empty((masks.shape[1] + 63) // 64, np.uint64)
    for i in range(len(states)):
        s = states[i]
        observe(s, seats[i], observations[i])
        if s.to_move == seats[i]:
            write_mask(s, words, masks[i])
        else:
            masks[i] = 0


@dataclass(frozen=True)
class _Compiled:
    """A compiled opponent that is asked for one action at a time."""

    number: int


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
        whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if seat != "random" and not (whole and 0 <= int(seat) < game.num_deciding):
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
        self._policies: dict[int, Policy | Search | _Compiled] = {}
        self._interrupted = False
        """Whether an error left games half played or not begun; False again when all games have been restarted."""
        self.set_opponent(opponent)
        self._bind()

    def _bind(self) -> None:
        bind = self.game.bind
        self._records, self._positions = self.game.records(self.states), self.game.records(self.opening.positions)
        self._rows = self.observations.view(self.game.layout)[:, 0]
        self._scratch = scratch_for(self.game)
        self._seed = bind(seed_loop)
        self._draw_seeds = bind(draw_seeds_loop)
        self._begin = bind(begin_loop)
        self._check = bind(check_loop)
        self._play = bind(play_loop)
        self._refresh = bind(refresh_loop)
        self._continue = bind(continue_loop)
        self._ask = bind(ask_loop)

    def __getstate__(self) -> dict[str, Any]:
        # A copy makes its own views and bound functions, so that it does not share memory with the original.
        made = (
            "_records", "_positions", "_rows", "_scratch", "_seed", "_draw_seeds", "_begin", "_check", "_play",
            "_continue", "_refresh", "_ask",
        )  # fmt: skip
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
        # Running games keep their opponents; policies that no game uses any more are dropped.
        needed = {*self.agents.ravel().tolist(), *self._table.ravel().tolist()}
        self._policies = {number: policy for number, policy in self._policies.items() if number in needed}

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
        agent: int | Policy | Search | _Compiled = resolve(spec, self.game)
        if isinstance(agent, int):
            if self.actions is None:
                return agent
            agent = _Compiled(agent)
        number = max(self._policies, default=len(NAMES) - 1) + 1
        self._policies[number] = agent
        return number

    def set_opening(self, opening: Any) -> None:
        """Set the opening, as `Game.opening` takes it, from each game's next start on."""
        self.opening = self.game.opening(opening)
        self._positions = self.game.records(self.opening.positions)

    def seed(self, which: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> None:
        """Seed the games of `which` (k,) with `seeds` (k,)."""
        self._seed(self._records, self.rng, which, seeds)

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
        shortest, longest, _ = chosen = opening or self.opening
        positions = self._positions if opening is None else self.game.records(opening.positions)
        for _ in range(MAX_TRIES):
            if not len(which):
                return
            finished = self._begin(
                self._records, self.rng, self.seats, self.agents, self.opponent_numbers, self.pending_rewards,
                self.over, self.illegal, which, positions, shortest, longest, self.seat, self.game.num_deciding,
                self._bounds, self._table, self._numbers, self._scratch,
            )  # fmt: skip
            if finished < 0:
                self._interrupted = True
                raise chosen.too_long
            self._forget_actions()
            self._interrupted = False
            if not (finished or self._policies):
                return
            self._let_policies_move(which, self.pending_rewards)
            which = which[self._records["to_move"][which] == NOBODY]
            if not restart:
                self.over[which] = True
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
        if self.illegal_mode == RAISE:
            asked = np.flatnonzero(~self.over)
            index = int(self._check(self._records[asked], actions[asked]))
            if index >= 0:
                index = int(asked[index])
                raise IllegalAction(index, int(actions[index]), np.flatnonzero(self.masks[index]).tolist())
        given = actions
        if self.actions is not None and not self.over[0]:
            actions = self._kept(given)
        batch = (
            self._records, actions, self.rng, self.seats, self.agents, self.pending_rewards, self.rewards, self.over,
            self.illegal,
        )  # fmt: skip
        if self.threads == 1:
            self._play(*batch, self._scratch, self.illegal_mode)
        else:
            in_shards(
                self.threads,
                len(actions),
                lambda shard: self._play(*(array[shard] for array in batch), scratch_for(self.game), self.illegal_mode),
            )
        if actions is not given:
            self.illegal |= actions != given
        self._let_policies_move(self._everyone, self.rewards)

    def _kept(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Keep the action (1,) that will be played, and return it: an illegal one may be replaced by a random one."""
        legal = 0 <= actions[0] < len(self.masks[0]) and self.masks[0, actions[0]]
        if not legal and self.illegal_mode == RANDOM:
            actions = self._asked(_Compiled(RANDOM_AGENT), self._everyone)
        if self.actions is not None and (legal or self.illegal_mode == RANDOM):
            self.actions.append(int(actions[0]))
        return actions

    def _asked(self, agent: _Compiled, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the actions (k,) of a compiled agent in the games of `which`."""
        actions = np.empty(len(which), np.int64)
        self._ask(self._records, which, agent.number, self.rng, self._scratch, actions)
        return actions

    def _let_policies_move(self, which: npt.NDArray[np.int64], earned: npt.NDArray[np.float64]) -> None:
        self._interrupted = True
        while self._policies and len(waiting := self._waiting(which)):
            actions = self._policy_actions(waiting)
            if self.actions is not None:
                self.actions += actions.tolist()
            self._continue_with(waiting, actions, earned)
        self._interrupted = False

    def _refuse_interrupted(self) -> None:
        if self._interrupted:
            raise gym.error.ResetNeeded("an error interrupted the last step or reset: reset all games")

    def _waiting(self, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        mover = self.states["to_move"][which]
        others: npt.NDArray[np.bool_] = (mover != NOBODY) & (mover != self.seats[which])
        return which[others]

    def _policy_actions(self, waiting: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the actions of the Python opponents in the games of `waiting`."""
        agents = self.agents[waiting, self.states["to_move"][waiting]]
        actions = np.empty(len(waiting), np.int64)
        masks = self.game.legal(self.states[waiting]).view(np.int8)
        for agent in np.unique(agents):
            asked = np.flatnonzero(agents == agent)
            actions[asked] = self._actions_of(self._policies[agent], waiting[asked], masks[asked])
        inside = (actions >= 0) & (actions < masks.shape[1])
        wrong = first(~inside | (masks[np.arange(len(waiting)), np.where(inside, actions, 0)] == 0))
        if wrong >= 0:
            who, legal = repr(asked_of(self._policies[agents[wrong]])), np.flatnonzero(masks[wrong]).tolist()
            raise IllegalAction(int(waiting[wrong]), int(actions[wrong]), legal, who)
        return actions

    def _actions_of(
        self, policy: Policy | Search | _Compiled, which: npt.NDArray[np.int64], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        """Return the policy's actions (k,) in the games of `which`. Raises TypeError unless they are k integers."""
        if isinstance(policy, _Compiled):
            return self._asked(policy, which)
        states, n = self.states[which], len(which)
        if callable(policy):
            observations = self.game.observe(states)
            shown = f"observations {observations.shape} and masks {masks.shape}"
            return _integers(policy, policy(observations, masks), n, shown)
        seeds = np.empty(n, np.uint64)
        self._draw_seeds(self.game.records(states), which, self.rng, seeds)
        if getattr(policy, "takes_seeds", False):
            return _integers(policy, policy.act(states, seeds), n, f"{n} states and {n} seeds")
        answers = (policy.act(states[k : k + 1], int(seeds[k])) for k in range(n))
        return np.concatenate([_integers(policy, answer, 1, "a state and a seed") for answer in answers])

    def _continue_with(
        self, which: npt.NDArray[np.int64], actions: npt.NDArray[np.int64], earned: npt.NDArray[np.float64]
    ) -> None:
        self._continue(
            self._records, which, actions, self.rng, self.seats, self.agents, self._scratch, earned, self.over
        )

    def refresh(self) -> None:
        """Update the learner's `observations` (n, D) and `masks` (n, A) int8."""
        batch = (self._records, self.seats, self._rows, self.masks)
        if self.threads == 1:
            self._refresh(*batch)
        else:
            in_shards(self.threads, len(self.states), lambda shard: self._refresh(*(array[shard] for array in batch)))


def _integers(policy: Policy | Search, answer: Any, n: int, shown: str) -> npt.NDArray[np.int64]:
    """A policy's answer as (n,) integers. Raises TypeError if it is something else; `shown` says what it was given."""
    chosen = np.asarray(answer)
    if chosen.dtype.kind not in "iu" or chosen.size != n:
        raise TypeError(
            f"opponent {asked_of(policy)!r} got {shown} "
            f"and must return {n} integers, one action each; it returned {chosen.tolist()!r}"
        )
    return chosen.reshape(n)


def asked_of(policy: Policy | Search | _Compiled) -> Any:
    """Return the opponent as the user gave it."""
    return getattr(policy, "__wrapped__", policy)
