"""Registers every game with OpenSpiel, so that its search, learning and game-theoretic algorithms can use it.

    import mancala_envs.integrations.open_spiel  # registers `mancala_envs_NAME` for every game
    game = pyspiel.load_game("mancala_envs_qelat(columns=4,campaign=True,max_rounds=2)")

Options and `campaign` are OpenSpiel game parameters. If an option takes several integers, separate them by spaces
(`prices=5 5`). For an option that by default equals another option (`hole_price`), 0 means this default.

* Chance is explicit: every draw of the rules is a chance node. Results with the same meaning are one outcome. At a
  chance node, an observation shows the position before the action that needs the draw. During the set-up there is no
  such position, and it shows an example of a set-up, always the same one.
* `observation_tensor` (D,) has the columns of `Game.observe`, each divided by its maximum. `observation_string` is the
  position in the game's notation. Neither contains what is hidden from the player.
* `information_state_string` has all actions and draws that the player knows. There is no information state tensor.
* `max_game_length` is an upper bound, in most games far above the length of real games.

In OpenSpiel 2.0.2, the C++ search (`pyspiel.MCTSBot`) crashes on every game written in Python, including OpenSpiel's
own; use `open_spiel.python.algorithms.mcts` instead.
"""

from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace, new_class
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.core.book import RuleBook
from mancala_envs.core.chance import MOST_SIDES, Misfit, scripted
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.kernels import fresh, hide_loop, move, pay
from mancala_envs.core.options import LARGEST
from mancala_envs.core.rule import rule
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, Entry, make_game

with needs_extra():
    import pyspiel

PREFIX = "mancala_envs_"

_BEGIN = -1


@rule
def play_alone(states, action, rewards):
    """Play an action in the one game of `states` (`_BEGIN`: set it up); write `rewards` (P,) if it pays."""
    s = states[0]
    if action == _BEGIN:
        fresh(s)
    elif move(s, action):
        for p in range(len(rewards)):
            rewards[p] = pay(s, p)


class Outcome(NamedTuple):
    """The result of an action, or the draw that it needs."""

    sides: int
    """Number of results of the next draw; 0 if no draw is needed."""
    state: npt.NDArray[Any]
    """(1,) the state after the action, or before it if a draw is needed."""
    rewards: npt.NDArray[np.float64]
    """(P,) rewards of the action and its draws."""


class MancalaGame(pyspiel.Game):
    """A game of mancala_envs in OpenSpiel. Raises ValueError for options that are not allowed, as `make_game` does."""

    entry: ClassVar[Entry]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        defaults = _default_parameters(self.entry.book)
        given = {key: value for key, value in (parameters or {}).items() if value != defaults[key]}
        self.rules = make_game(self.entry.name, **_options(self.entry.book, given))
        """The game, from `make_game`."""
        super().__init__(_game_type(self.rules), _game_info(self.rules), given)
        self._play, self._play_plain = self.rules.bind(play_alone), self.rules.plain.bind(play_alone)
        self._hide = self.rules.bind(hide_loop)
        self.highest = np.array([max(column.high, 1) for column in self.rules.observation_fields], np.float32)
        """(D,) maximum of each column of the observation, at least 1."""
        blank = self.rules.init(1, 0).view(np.ndarray)
        self.opening = self.outcome(blank, _BEGIN, ())
        """The set-up, up to the first draw or the first decision."""

    def outcome(self, state: npt.NDArray[Any], action: int, draws: tuple[int, ...]) -> Outcome:
        """Return the outcome of an action.

        Args:
            state: (1,) state; it is not changed.
            action: a legal action, or `_BEGIN` for the set-up.
            draws: results of the draws so far.

        Raises:
            ValueError: if the draws do not fit.
        """
        after, rewards = state.copy(), np.zeros(self.rules.num_players)
        if not draws:
            self._play(self.rules.records(after), action, rewards)
            if after["chance"] == state["chance"]:
                return Outcome(0, after, rewards)
            # The action draws. Only the rules in plain Python can take given results.
            after, rewards = state.copy(), np.zeros(self.rules.num_players)
        # Plain attributes are several times faster in Python than fields of a record.
        record = self.rules.records(after)[0]
        fields = SimpleNamespace(**{name: record[name] for name in record.dtype.names})
        try:
            with scripted((result, 0) for result in draws):
                self._play_plain([fields], action, rewards)
        except Misfit as misfit:
            if not misfit.sides:
                raise ValueError(f"the draws {draws} do not fit: {misfit}") from None
            return Outcome(misfit.sides, state, np.zeros(self.rules.num_players))
        for name, value in vars(fields).items():
            record[name] = value
        return Outcome(0, after, rewards)

    def hides(self, state: npt.NDArray[Any], player: int) -> bool:
        """Return whether something in `state` (1,) is hidden from the player."""
        if not self.rules.has_secrets:
            return False
        known = state.copy()
        self._hide(self.rules.records(known), player)
        return known.tobytes() != state.tobytes()

    def new_initial_state(self) -> "MancalaState":
        """Return the initial state."""
        return MancalaState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> "MancalaObserver":
        """Make a `MancalaObserver`. Raises ValueError if parameters are given, because there are none."""
        if params:
            raise ValueError(f"observers take no parameters, got {params}")
        return MancalaObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class MancalaState(pyspiel.State):
    """A state of a game, or a chance node between an action and a draw that it needs.

    OpenSpiel copies and serializes all attributes, so they are few and simple.
    """

    def __init__(self, game: MancalaGame) -> None:
        super().__init__(game)
        self._action = _BEGIN
        self._draws: tuple[int, ...] = ()
        self._sides, self._state, rewards = game.opening
        self._rewards = self._returns = rewards

    def current_player(self) -> int:
        """Return the player to move, or OpenSpiel's number for chance or for the end."""
        if self._sides:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self._state["to_move"][0])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return not self._sides and bool(self._state["ended"][0])

    def _legal_actions(self, player: int) -> list[int]:
        actions: list[int] = np.flatnonzero(self.get_game().rules.legal(self._state)[0]).tolist()
        return actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the results of the draw and their probabilities. Equivalent results are one outcome, the smallest."""
        means = Counter(self.get_game().rules.book.equivalent_results(self._sides))
        return [(result, times / self._sides) for result, times in sorted(means.items())]

    def _apply_action(self, action: int) -> None:
        if self._sides:
            self._draws = (*self._draws, action)
        else:
            self._action, self._draws = action, ()
        self._sides, self._state, self._rewards = self.get_game().outcome(self._state, self._action, self._draws)
        self._returns = self._returns + self._rewards

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        name: str = self.get_game().rules.names_for(player)[action]
        return name

    def rewards(self) -> list[float]:
        """Return the rewards (P,) of the last action and its draws."""
        rewards: list[float] = self._rewards.tolist()
        return rewards

    def returns(self) -> list[float]:
        """Return the sums (P,) of all rewards so far."""
        returns: list[float] = self._returns.tolist()
        return returns

    def __str__(self) -> str:
        position: str = self.get_game().rules.text(self._state)
        return f"{position} action={self._action} draws={self._draws}" if self._sides else position

    def observation(self, player: int) -> npt.NDArray[np.float32]:
        """Return the observation tensor (D,): the columns of `Game.observe`, each divided by its maximum."""
        game = self.get_game()
        observation: npt.NDArray[np.float32] = game.rules.observe(self._state, player)[0] / game.highest
        return observation

    def observed_text(self, player: int) -> str:
        """Return the position in the game's notation, without what is hidden from the player."""
        text: str = self.get_game().rules.text(self._state, player)
        return text

    def known_history(self, player: int) -> str:
        """Return all actions and draws. A decision hidden from the player, which can only be the last, is a "?"."""
        known = list(map(str, self.history()))
        if not self._sides and self.get_game().hides(self._state, player):
            known[-1] = "?"
        return f"player_{player} " + " ".join(known)


class MancalaObserver:
    """OpenSpiel's `PyObserver` for observations or, with `perfect_recall`, information states.

    Raises:
        ValueError: for other observation types: public and private information are not available separately.
    """

    def __init__(self, game: MancalaGame, kind: pyspiel.IIGObservationType) -> None:
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(f"observation types must have public_info and private_info=SINGLE_PLAYER, got {kind}")
        self._perfect_recall = kind.perfect_recall
        self.tensor = None if kind.perfect_recall else np.zeros(len(game.highest), np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: MancalaState, player: int) -> None:
        """Write the player's observation to `tensor`. Raises ValueError with perfect recall, which has no tensor."""
        if self.tensor is None:
            raise ValueError("information states have no tensor, only a string")
        self.tensor[:] = state.observation(player)

    def string_from(self, state: MancalaState, player: int) -> str:
        """Return the position or, with perfect recall, the history, as the player knows it."""
        return state.known_history(player) if self._perfect_recall else state.observed_text(player)


def _default_parameters(book: RuleBook) -> dict[str, Any]:
    """Return `campaign` and the options with their defaults, in types that OpenSpiel supports."""
    defaults: dict[str, Any] = {"campaign": False} if book.campaign else {}
    for option in book.every_option:
        default = " ".join(map(str, option.default)) if option.length else option.default
        defaults[option.name] = 0 if option.like else default
    return defaults


def _options(book: RuleBook, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Convert OpenSpiel's parameters to arguments of `make_game`."""
    tuples = {option.name for option in book.every_option if option.length}
    return {
        name: tuple(map(int, value.split())) if name in tuples and value.replace(" ", "").isdecimal() else value
        for name, value in parameters.items()
    }


def _game_type(rules: Game) -> pyspiel.GameType:
    kind = pyspiel.GameType
    chance, information, rewards = kind.ChanceMode, kind.Information, kind.RewardModel
    players = next((option for option in rules.book.options if option.name == "players"), None)
    numbers = players.choices or (players.lowest, players.highest) if players else (rules.num_players,)
    return kind(
        short_name=PREFIX + rules.name,
        long_name=rules.book.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if rules.has_chance else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if rules.has_secrets else information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=rewards.REWARDS if rules.options.get("round_reward") else rewards.TERMINAL,
        min_num_players=min(numbers),
        max_num_players=max(numbers),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_default_parameters(rules.book),
    )


def _game_info(rules: Game) -> pyspiel.GameInfo:
    rounds = rules.options.get("max_rounds", 1)
    most = rules.most_reward(rounds)
    return pyspiel.GameInfo(
        num_distinct_actions=rules.num_actions,
        max_chance_outcomes=MOST_SIDES if rules.has_chance else 0,
        num_players=rules.num_players,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=min(rounds * rules.book.most_decisions(rules.options), LARGEST),
    )


def register(entry: Entry) -> None:
    """Register a game with OpenSpiel as `mancala_envs_NAME`.

    Args:
        entry: the game's entry in the registry.
    """
    # Each game gets a class, not a closure: OpenSpiel releases what is registered only after Python has shut down.
    game_class: Any = new_class(f"{entry.id_name}Game", (MancalaGame,))
    game_class.entry = entry
    pyspiel.register_game(_game_type(make_game(entry.name)), game_class)


for _entry in REGISTRY.values():
    register(_entry)
