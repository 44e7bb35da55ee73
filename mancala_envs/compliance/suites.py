"""The compliance suites, functions decorated with `@suite`, and the environments that they check."""

import contextlib
import copy
import io
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module, metadata
from itertools import count
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import FrameStackObservation

from mancala_envs import REGISTRY
from mancala_envs.registry import Entry
from mancala_envs.wrappers import (
    Campaign,
    ChangeOfWorth,
    IllegalMoves,
    MaskInObservationOnly,
    StackObservations,
    TimeLimit,
    VectorStackObservations,
)

NOTHING = "n/a"
"""A suite's result if it does not apply."""


# Environments to check.


@dataclass(frozen=True)
class Case:
    """The environments of one game, either of single rounds or of campaigns of two rounds."""

    entry: Entry
    campaign: bool = False

    @property
    def name(self) -> str:
        """The game's name, followed by the kind of its environments."""
        return self.entry.name + " campaign" * self.campaign

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of PettingZoo's `env` that make this case."""
        return {"campaign": True, **self._short} if self.campaign else {}

    @property
    def _short(self) -> dict[str, Any]:
        return {"max_rounds": 2} if self.campaign else {}

    @property
    def _id(self) -> str:
        return self.entry.campaign_id if self.campaign else self.entry.id

    @property
    def _module(self) -> Any:
        return import_module(f"mancala_envs.{self.entry.module}")

    def aec(self, **arguments: Any) -> Any:
        """Make the AEC environment."""
        return self._module.env(**self.options, **arguments)

    def raw(self, **arguments: Any) -> Any:
        """Make the AEC environment without PettingZoo's own wrappers."""
        return self._module.raw_env(**self.options, **arguments)

    def solo(self, **arguments: Any) -> Any:
        """Make the single-agent environment."""
        return gym.make(self._id, **self._short, **arguments)

    def learner(self, **arguments: Any) -> Any:
        """Return `solo` without Gymnasium's own wrappers, as `check_env` requires."""
        return self.solo(**arguments).unwrapped

    def vector(self, num_envs: int, **arguments: Any) -> Any:
        """Make the vector environment of `num_envs` games."""
        return gym.make_vec(self._id, num_envs, **self._short, **arguments)


@dataclass(frozen=True)
class Wrapped(Case):
    """The environments of a game in wrappers: `Campaign`, `ChangeOfWorth` and stacking, and for AEC two more."""

    campaign: bool = True

    @property
    def name(self) -> str:
        """The game's name, followed by the kind of its environments."""
        return self.entry.name + " wrapped"

    def _around(self, env: Any) -> Any:
        env = IllegalMoves(ChangeOfWorth(Campaign(env, max_rounds=2)))
        return TimeLimit(StackObservations(env, 2), max_decisions=10_000)

    def aec(self, **arguments: Any) -> Any:
        """Make the AEC environment."""
        return self._around(self._module.env(**arguments))

    def raw(self, **arguments: Any) -> Any:
        """Make the AEC environment without PettingZoo's own wrappers."""
        return self._around(self._module.raw_env(**arguments))

    def solo(self, **arguments: Any) -> Any:
        """Make the single-agent environment."""
        env: Any = Campaign(gym.make(self.entry.id, **arguments), max_rounds=2)
        env = ChangeOfWorth(env)
        return FrameStackObservation(env, 2)

    def learner(self, **arguments: Any) -> Any:
        """Make the single-agent environment; `check_env` accepts it with its wrappers."""
        return self.solo(**arguments)

    def vector(self, num_envs: int, **arguments: Any) -> Any:
        """Make the vector environment of `num_envs` games."""
        envs: Any = Campaign(gym.make_vec(self.entry.id, num_envs, **arguments), max_rounds=2)
        envs = ChangeOfWorth(envs)
        return VectorStackObservations(envs, 2)


def cases(names: list[str]) -> list[Case]:
    """Return a case for each game, and one for its campaign if it has one."""
    entries = [REGISTRY[name] for name in names]
    return [Case(entry, campaign) for entry in entries for campaign in (False, True)[: 1 + entry.has_campaign]]


def every_case(names: list[str]) -> list[Case]:
    """Return `cases`, and the campaigns again as wrapped environments."""
    wrapped = [Wrapped(REGISTRY[name]) for name in names if REGISTRY[name].has_campaign]
    return [*cases(names), *wrapped]


@dataclass(frozen=True)
class Suite:
    """A compliance suite."""

    run: Callable[[Case], str | None]
    """Raises an exception if the check fails, and returns NOTHING if it does not apply."""
    libraries: tuple[str, ...]
    """Packages that the suite needs; the table shows their versions."""
    environment: str
    """Name of the virtual environment in which it runs, see `--python`; "" for this one."""

    @property
    def about(self) -> str:
        """The suite's checks, in one line."""
        return (self.run.__doc__ or "").splitlines()[0]

    @property
    def versions(self) -> dict[str, str | None]:
        """Versions of the libraries; None for one that is not installed."""
        return {library: _version(library) for library in self.libraries}


def _version(library: str) -> str | None:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


SUITES: dict[str, Suite] = {}
"""The suites by name, in the order of the table's columns."""


def suite(
    *libraries: str, environment: str = ""
) -> Callable[[Callable[[Case], str | None]], Callable[[Case], str | None]]:
    """Register the decorated function as a suite. It imports its libraries itself.

    Args:
        libraries: packages that the suite needs.
        environment: the virtual environment it needs; "" for this one.
    """

    def register(run: Callable[[Case], str | None]) -> Callable[[Case], str | None]:
        SUITES[run.__name__] = Suite(run, libraries, environment)
        return run

    return register


# The suites.


@suite("pettingzoo")
def api(case: Case) -> None:
    """PettingZoo's api_test of env() and raw_env()."""
    from pettingzoo.test import api_test

    api_test(case.aec(), num_cycles=300)
    api_test(case.raw(), num_cycles=300)


@suite("pettingzoo")
def seed(case: Case) -> None:
    """PettingZoo's seed_test."""
    from pettingzoo.test import seed_test

    seed_test(case.aec, num_cycles=100)


@suite("pettingzoo", "pygame")
def render(case: Case) -> None:
    """PettingZoo's render_test of every render mode."""
    from pettingzoo.test import render_test

    render_test(case.aec)


@suite("pettingzoo")
def save_obs(case: Case) -> str | None:
    """PettingZoo's test_save_obs, which applies to images only."""
    from pettingzoo.test.save_obs_test import test_save_obs

    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        test_save_obs(case.aec())
    return NOTHING if "did not save" in output.getvalue() else None


@suite("pettingzoo")
def speed(case: Case) -> None:
    """PettingZoo's performance_benchmark, with a clock on which its five seconds are a hundred steps."""
    from pettingzoo.test import performance_benchmark

    clock = SimpleNamespace(time=partial(next, count(0, 0.05)))
    with patch.dict(performance_benchmark.__globals__, time=clock):
        performance_benchmark(case.aec())


@suite("pettingzoo")
def parallel(case: Case) -> None:
    """PettingZoo's parallel_api_test and parallel_seed_test through turn_based_aec_to_parallel."""
    from pettingzoo.test import parallel_api_test, parallel_seed_test
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    parallel_api_test(turn_based_aec_to_parallel(case.aec()), num_cycles=300)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(case.aec()), num_cycles=100)


@suite("gymnasium")
def solo(case: Case) -> None:
    """Gymnasium's check_env of the single-agent environment."""
    from gymnasium.utils.env_checker import check_env

    check_env(case.learner(render_mode="rgb_array"))


@suite("gymnasium")
def vector(case: Case) -> None:
    """Our vector environment step by step against single ones, in all autoreset modes."""
    for mode in AutoresetMode:
        vector_parity(case, mode)


@suite("gymnasium", "pettingzoo")
def copies(case: Case) -> None:
    """Copies of all environments by deepcopy and pickle behave exactly like the original, and independently."""
    for env, play in ((case.aec(), _play), (case.raw(), _play), (case.solo(), _learn), (case.vector(3), _learn_many)):
        env.reset(seed=5)
        play(env, 10)
        for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            # The original is copied again, because playing in one copy must not affect the others.
            assert play(twin, 30) == play(copy.deepcopy(env), 30), f"a copy of {env} plays differently"


@suite("stable_baselines3")
def sb3(case: Case) -> None:
    """Stable-Baselines3's check_env of the single-agent environment."""
    from stable_baselines3.common.env_checker import check_env

    check_env(case.learner())


@suite("torchrl")
def torchrl(case: Case) -> None:
    """TorchRL's check_env_specs of the single-agent environment, and of AEC with masks in observations only."""
    import torch
    from torchrl import envs
    from torchrl.data import Binary
    from torchrl.envs.gym_like import default_info_dict_reader

    learner = envs.GymWrapper(case.solo(), categorical_action_encoding=True)
    mask = Binary(learner.action_spec.n, dtype=torch.int8)
    learner.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": mask}))
    to_bool = envs.DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    # The check samples an action after three steps, which fails if the game is over. With this seed none is.
    envs.check_env_specs(envs.TransformedEnv(learner, envs.Compose(to_bool, envs.ActionMask())), seed=1)
    groups = envs.MarlGroupMapType.ONE_GROUP_PER_AGENT
    agents = MaskInObservationOnly(case.aec())
    envs.check_env_specs(
        envs.PettingZooWrapper(agents, use_mask=True, categorical_actions=True, group_map=groups), seed=1
    )


@suite("open_spiel")
def open_spiel(case: Case) -> str | None:
    """OpenSpiel's random_sim_test of our adapter, which has no wrapped form."""
    if isinstance(case, Wrapped):
        return NOTHING
    import pyspiel

    import mancala_envs.integrations.open_spiel

    parameters = ",".join(f"{name}={value}" for name, value in case.options.items())
    game = pyspiel.load_game(f"{mancala_envs.integrations.open_spiel.PREFIX}{case.entry.name}({parameters})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    return None


@suite("ray", "pettingzoo", "gymnasium", environment="rllib")
def rllib(case: Case) -> None:
    """RLlib's check_multiagent_environments through its PettingZooEnv."""
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    check_multiagent_environments(PettingZooEnv(case.aec()))


@suite("agilerl", "pettingzoo", "gymnasium", environment="agilerl")
def agilerl(case: Case) -> None:
    """The suites api, seed, parallel and solo with the PettingZoo that AgileRL requires; it has no suite of its own."""
    for again in (api, seed, parallel, solo):
        again(case)


# Random play.


def _sample(rng: np.random.Generator, mask: Any) -> int:
    """Return a random legal action, or 0 if there is none."""
    return int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0


def _play(env: Any, decisions: int) -> list[Any]:
    """Play random legal actions in an AEC environment; return everything that the agents received."""
    rng, trace = np.random.default_rng(0), []
    for agent in env.agent_iter(decisions):
        observation, reward, terminated, truncated, _ = env.last()
        trace.append((agent, observation["observation"].tolist(), reward, terminated, truncated))
        env.step(None if terminated or truncated else _sample(rng, observation["action_mask"]))
    return trace


def _learn(env: Any, decisions: int) -> list[Any]:
    """Play random legal actions in a Gymnasium environment; return everything that the agent received."""
    rng, trace = np.random.default_rng(0), []
    for _ in range(decisions):
        observation, reward, terminated, truncated, _ = env.step(_sample(rng, env.unwrapped.action_masks()))
        trace.append((observation.tolist(), reward, terminated, truncated))
        if terminated or truncated:
            env.reset()
    return trace


def _learn_many(envs: Any, decisions: int) -> list[Any]:
    """Play random legal actions in a vector environment; return everything that the agents received."""
    rng, trace = np.random.default_rng(0), []
    for _ in range(decisions):
        *results, _ = envs.step(np.array([_sample(rng, mask) for mask in envs.unwrapped.action_masks()]))
        trace.append([result.tolist() for result in results])
    return trace


# Gymnasium has no checker for vector environments. Ours must match Gymnasium's SyncVectorEnv of single environments.

BATCH = 5


def vector_parity(case: Case, mode: AutoresetMode, illegal_share: float = 0.0, **arguments: Any) -> None:
    """Compare our vector environment with `SyncVectorEnv`, step by step, until BATCH games have ended.

    Args:
        case: the environments to compare.
        mode: the autoreset mode.
        illegal_share: fraction of the steps in which one agent plays an illegal action.
        arguments: arguments of both environments.

    Raises:
        AssertionError: if they differ.
    """
    ours = case.vector(BATCH, autoreset_mode=mode, **arguments)
    theirs = SyncVectorEnv([lambda: case.solo(disable_env_checker=True, **arguments)] * BATCH, autoreset_mode=mode)
    rng = np.random.default_rng(0)
    (observations, infos), (expected, expected_infos) = ours.reset(seed=11), theirs.reset(seed=11)
    _assert_same(observations, expected)
    _assert_same(_present(infos), _present(expected_infos))
    ends = 0
    while ends < BATCH:
        actions = np.array([_sample(rng, mask) for mask in infos["action_mask"]])
        if rng.random() < illegal_share:
            actions[rng.integers(BATCH)] = ours.single_action_space.n - 1
        *results, infos = ours.step(actions)
        *their_results, their_infos = theirs.step(actions)
        for mine, other in zip(results, their_results, strict=True):
            _assert_same(mine, other)
        _assert_same(_present(infos), _present(their_infos))
        over = results[2] | results[3]
        ends += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            observations, infos = ours.reset(options={"reset_mask": over})
            expected, _ = theirs.reset(options={"reset_mask": over.copy()})
            _assert_same(observations, expected)


def _assert_same(ours: Any, theirs: Any) -> None:
    """Compare nested results: arrays by value, dictionaries by key."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs), f"{sorted(ours)} instead of {sorted(theirs)}"
        for key in theirs:
            _assert_same(ours[key], theirs[key])
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        for mine, other in zip(ours, theirs, strict=True):
            assert (mine is None) == (other is None)
            if other is not None:
                np.testing.assert_array_equal(mine, other)
    else:
        np.testing.assert_array_equal(ours, theirs)


def _present(infos: dict[str, Any]) -> dict[str, Any]:
    """Return the infos with arbitrary values, those whose `_key` mask is False, set to zero."""
    cleaned: dict[str, Any] = {}
    for key, value in infos.items():
        if isinstance(value, dict):
            cleaned[key] = _present(value)
        elif key.startswith("_") or value.dtype == object:
            cleaned[key] = value
        else:
            present = infos[f"_{key}"].reshape(-1, *[1] * (value.ndim - 1))
            cleaned[key] = np.where(present, value, 0)
    return cleaned
