"""Judge games and their actions by a value network, many games in one compiled call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import evaluation, list_actions
from mancala_envs.agents.inference import correction, expected_result, run_hidden, write_expected_results
from mancala_envs.agents.network import ValueNetwork
from mancala_envs.core.arguments import States
from mancala_envs.core.chance import mix, stream
from mancala_envs.core.contract import hide
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import copy_game, move, pay
from mancala_envs.core.names import as_game
from mancala_envs.core.rule import rule

_CERTAIN = 0.99
"""The highest expected result that counts for a prior."""


@rule
def expected_after(s, action, w, scratch):
    """Return the expected reward of the player to move in `s` after `action`, which is played in scratch[0]."""
    copy_game(s, scratch, 0)
    n = scratch[0]
    n.chance = mix(s.chance + np.uint64(action))
    return pay(n, s.to_move) if move(n, action) else expected_result(n, s.to_move, w)


@rule
def expected_rewards_loop(states, w, rewards):
    """Write the expected rewards of all players into `rewards` (n, P), where the game is not over."""
    for i in range(len(states)):
        if states[i].to_move >= 0:
            write_expected_results(states[i], w, rewards, i)


@rule
def add_expected(s, paid, w, values, row):
    """Add all players' rewards to values[row]: those of the last move if it `paid`, otherwise what can be expected."""
    if not paid:
        run_hidden(s, w)
    for p in range(values.shape[1]):
        values[row, p] += pay(s, p) if paid else np.tanh((evaluation(s, p) + correction(s, p, w)) / (2.0 * w.scale))


@rule
def write_mean_after(s, action, w, scratch, rng, draws, values, row):
    """Write the mean of all players' expected rewards over `draws` outcomes of an action into values[row].

    The outcomes follow from the generator state `rng`, so two actions have the same throws. An action without chance is
    played once.
    """
    values[row] = 0.0
    drawn = 0
    is_certain = False
    while drawn < draws and not is_certain:
        copy_game(s, scratch, 0)
        n = scratch[0]
        chance = stream(rng, drawn)
        n.chance = chance
        paid = move(n, action)
        is_certain = n.chance == chance
        add_expected(n, paid, w, values, row)
        drawn += 1
    for p in range(values.shape[1]):
        values[row, p] /= drawn


@rule
def look_ahead_loop(states, w, scratch, legal, words, draws, actions, results):
    """Write the best action (n,) of every game, and all expected rewards (n, P) after it; -1 and 0 if it is over.

    Actions are compared by the same draws of chance. The results come from other draws, because the best of several
    means is too high. `scratch`, `legal` and `words` are as in `judge_loop`.
    """
    for i in range(len(states)):
        s = states[i]
        actions[i] = -1
        results[i] = 0.0
        if s.to_move < 0:
            continue
        most = -np.inf
        for k in range(list_actions(s, legal, 0, words)):
            write_mean_after(s, legal[k], w, scratch, mix(s.chance), draws, results, i)
            if results[i, s.to_move] > most:
                most = results[i, s.to_move]
                actions[i] = legal[k]
        write_mean_after(s, actions[i], w, scratch, mix(~s.chance), draws, results, i)


@rule
def action_values_loop(states, w, scratch, legal, words, draws, results, values):
    """Write the reward that the player to move can expect after each legal action into `values` (n, A), all zeros.

    It is a mean over `draws` outcomes, and shows no more than this player may know. `results` (1, P) and `scratch`, two
    records, are scratch memory; `legal` and `words` are as in `judge_loop`.
    """
    for i in range(len(states)):
        if states[i].to_move < 0:
            continue
        copy_game(states[i], scratch, 1)
        s = scratch[1]
        hide(s, s.to_move)
        for k in range(list_actions(s, legal, 0, words)):
            write_mean_after(s, legal[k], w, scratch, mix(s.chance), draws, results, 0)
            values[i, legal[k]] = results[0, s.to_move]


@rule
def luck_loop(states, actions, w, scratch, draws, luck):
    """Write how much better than its mean the outcome of each action is for every player into luck (n, P).

    The mean is that over `draws` other outcomes, which are as likely. Luck is zero on average, however bad the network.
    """
    for i in range(len(states)):
        s = states[i]
        luck[i] = 0.0
        if actions[i] < 0:
            continue
        write_mean_after(s, actions[i], w, scratch, mix(~s.chance), draws, luck, i)
        for p in range(luck.shape[1]):
            luck[i, p] *= -1.0
        copy_game(s, scratch, 0)
        n = scratch[0]
        paid = move(n, actions[i])
        add_expected(n, paid, w, luck, i)


@rule
def judge_loop(states, w, scratch, legal, words, values, priors):
    """Evaluate every game by a network: the expected rewards (n, P) float64, and priors (n, A) float64.

    The prior of an action is proportional to the odds that the player to move wins after it. `scratch` is one record,
    `legal` (A,) int64 and `words` (W,) uint64 are scratch memory for `list_actions`.
    """
    for i in range(len(states)):
        s = states[i]
        priors[i] = 0.0
        values[i] = 0.0
        if s.to_move < 0:
            continue
        write_expected_results(s, w, values, i)
        for k in range(list_actions(s, legal, 0, words)):
            result = min(max(expected_after(s, legal[k], w, scratch), -_CERTAIN), _CERTAIN)
            priors[i, legal[k]] = (1.0 + result) / (1.0 - result)


class _Judge:
    """A loop that judges games and their actions by a network. A copy has its own scratch memory."""

    _judge: Callable[..., None]
    _records = 1
    """Records of scratch memory."""

    def __init__(self, game: Engine | str, network: ValueNetwork) -> None:
        game = as_game(game)
        self.game, self.network = game, network
        weights, scratch = network.weights_for(game), game.records(np.zeros(self._records, game.dtype))
        legal, words = np.zeros(game.num_actions, np.int64), np.zeros(-(-game.num_actions // 64), np.uint64)
        self._loop, self._memory = game.bind(self._judge), (weights, scratch, legal, words)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.network)


class Evaluator(_Judge):
    """A network as `Puct` takes it, in one compiled call for all leaves. A copy has its own scratch memory.

    ::

        PuctAgent(Puct(game, 64, 200), Evaluator(game, network))

    The value of a position is its expected reward. The prior of an action is the odds of the position after it, so the
    network needs no second output.

    Args:
        game: The game.
        network: The network.

    Raises:
        ValueError: The network was trained for another game.
    """

    _judge = staticmethod(judge_loop)

    def __call__(self, states: States) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return priors (m, A), not normalised, and expected rewards (m, P), for states (m,)."""
        view = self.game.view(states)
        priors = np.empty((len(view), self.game.num_actions))
        values = np.empty((len(view), self.game.num_players))
        self._loop(view, *self._memory, values, priors)
        return priors, values


class ExpectedRewards(_Judge):
    """Judges a position itself, without looking ahead; for the arguments see `Evaluator`."""

    _judge = staticmethod(expected_rewards_loop)

    def __call__(self, states: States) -> npt.NDArray[np.float64]:
        """Return the expected rewards (n, P) in states (n,), 0 where a game is over."""
        view = self.game.view(states)
        rewards = np.zeros((len(view), self.game.num_players))
        self._loop(view, self._memory[0], rewards)
        return rewards


class _JudgeOfChance(_Judge):
    """A loop that also draws outcomes of chance, `draws` of them in games with chance."""

    def __init__(self, game: Engine | str, network: ValueNetwork, draws: int = 4) -> None:
        super().__init__(game, network)
        self._draws = draws if self.game.has_chance else 1

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.network, self._draws)


class LookAhead(_JudgeOfChance):
    """Looks one decision ahead with a network. A copy has its own scratch memory.

    Args:
        game: The game.
        network: The network.
        draws: The number of draws of chance with which each action is played, in games with chance.

    Raises:
        ValueError: The network was trained for another game.
    """

    _judge = staticmethod(look_ahead_loop)

    def __call__(self, states: States) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return the best actions (n,) in states (n,), and all players' expected rewards (n, P) after them.

        Where a game is over, the action is -1 and the rewards are 0.
        """
        view = self.game.view(states)
        actions, results = np.empty(len(view), np.int64), np.empty((len(view), self.game.num_players))
        self._loop(view, *self._memory, self._draws, actions, results)
        return actions, results


class ActionValues(_JudgeOfChance):
    """Judges what every legal action leads to; for the arguments see `LookAhead`. A copy has its own scratch memory."""

    _judge = staticmethod(action_values_loop)
    _records = 2

    def __call__(self, states: States) -> npt.NDArray[np.float32]:
        """Return the rewards (n, A) that the player to move can expect after each action; 0 where it is illegal.

        They show no more than this player may know.
        """
        view = self.game.view(states)
        values = np.zeros((len(view), self.game.num_actions), np.float32)
        self._loop(view, *self._memory, self._draws, np.empty((1, self.game.num_players)), values)
        return values


class Luck(_JudgeOfChance):
    """Separates luck from skill: how much better than its mean an outcome is, as a network judges it.

    For the arguments see `LookAhead`. A network without weights judges by the static evaluation.
    """

    _judge = staticmethod(luck_loop)

    def __call__(self, states: States, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the luck (n, P) of all players if actions (n,) are played in `states` (n,); 0 where one is -1."""
        view = self.game.view(states)
        luck = np.empty((len(view), self.game.num_players))
        weights, scratch, *_ = self._memory
        self._loop(view, actions, weights, scratch, self._draws, luck)
        return luck
