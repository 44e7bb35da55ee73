"""The suites, each a function under `@suite`, and the environments on which they run."""

import contextlib
import copy
import io
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any

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
"""What a suite returns where there was nothing to check."""


# What is checked.


@dataclass(frozen=True)
class Case:
    """One game, as a single round or as a campaign of two."""

    entry: Entry
    campaign: bool = False

    @property
    def name(self) -> str:
        return self.entry.name + " campaign" * self.campaign

    @property
    def options(self) -> dict[str, Any]:
        """What makes it of the game."""
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
        return self._module.env(**self.options, **arguments)

    def raw(self, **arguments: Any) -> Any:
        return self._module.raw_env(**self.options, **arguments)

    def solo(self, **arguments: Any) -> Any:
        return gym.make(self._id, **self._short, **arguments)

    def learner(self, **arguments: Any) -> Any:
        """`solo` as suites want it: they check what lies beneath Gymnasium's own wrappers."""
        return self.solo(**arguments).unwrapped

    def vector(self, num_envs: int, **arguments: Any) -> Any:
        return gym.make_vec(self._id, num_envs, **self._short, **arguments)


@dataclass(frozen=True)
class Wrapped(Case):
    """Rounds tied into a campaign of two by `Campaign`, with shaping, stacked observations and, for AEC, endings."""

    campaign: bool = True

    @property
    def name(self) -> str:
        return self.entry.name + " wrapped"

    def _around(self, env: Any) -> Any:
        env = IllegalMoves(ChangeOfWorth(Campaign(env, max_rounds=2)))
        return TimeLimit(StackObservations(env, 2), max_decisions=10_000)

    def aec(self, **arguments: Any) -> Any:
        return self._around(self._module.env(**arguments))

    def raw(self, **arguments: Any) -> Any:
        return self._around(self._module.raw_env(**arguments))

    def solo(self, **arguments: Any) -> Any:
        env: Any = Campaign(gym.make(self.entry.id, **arguments), max_rounds=2)
        env = ChangeOfWorth(env)
        return FrameStackObservation(env, 2)

    def learner(self, **arguments: Any) -> Any:
        return self.solo(**arguments)

    def vector(self, num_envs: int, **arguments: Any) -> Any:
        envs: Any = Campaign(gym.make_vec(self.entry.id, num_envs, **arguments), max_rounds=2)
        envs = ChangeOfWorth(envs)
        return VectorStackObservations(envs, 2)


def cases(names: list[str]) -> list[Case]:
    """Each game, then its campaign where it has one."""
    entries = [REGISTRY[name] for name in names]
    return [Case(entry, campaign) for entry in entries for campaign in (False, True)[: 1 + entry.has_campaign]]


def every_case(names: list[str]) -> list[Case]:
    """`cases`, then the campaigns again by wrappers."""
    tied = [Wrapped(REGISTRY[name]) for name in names if REGISTRY[name].has_campaign]
    return [*cases(names), *tied]


@dataclass(frozen=True)
class Suite:
    """A suite; `run` raises what it finds wrong, or returns NOTHING where there was nothing to check."""

    run: Callable[[Case], str | None]
    libraries: tuple[str, ...]
    place: str
    """The environment of `--python` in which it runs, if not in this one."""

    @property
    def about(self) -> str:
        return (self.run.__doc__ or "").splitlines()[0]

    @property
    def versions(self) -> dict[str, str | None]:
        """None for a library that is not installed."""
        return {library: _version(library) for library in self.libraries}


def _version(library: str) -> str | None:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


SUITES: dict[str, Suite] = {}
"""By the name of the function, in the order of the table's columns."""


def suite(*libraries: str, place: str = "") -> Callable[[Callable[[Case], str | None]], Callable[[Case], str | None]]:
    """Enter a function as the suite of these libraries; it imports them itself."""

    def entered(run: Callable[[Case], str | None]) -> Callable[[Case], str | None]:
        SUITES[run.__name__] = Suite(run, libraries, place)
        return run

    return entered


# The suites.


@suite("pettingzoo")
def api(case: Case) -> None:
    """PettingZoo's api_test of env() and raw_env()"""
    from pettingzoo.test import api_test

    api_test(case.aec(), num_cycles=300)
    api_test(case.raw(), num_cycles=300)


@suite("pettingzoo")
def seed(case: Case) -> None:
    """PettingZoo's seed_test"""
    from pettingzoo.test import seed_test

    seed_test(case.aec, num_cycles=100)


@suite("pettingzoo", "pygame")
def render(case: Case) -> None:
    """PettingZoo's render_test of every render mode"""
    from pettingzoo.test import render_test

    render_test(case.aec)


@suite("pettingzoo")
def save_obs(case: Case) -> str | None:
    """PettingZoo's test_save_obs, which says that counts are no images"""
    from pettingzoo.test.save_obs_test import test_save_obs

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        test_save_obs(case.aec())
    return NOTHING if "did not save" in said.getvalue() else None


@suite("pettingzoo")
def speed(case: Case) -> None:
    """PettingZoo's performance_benchmark: five seconds of play"""
    from pettingzoo.test import performance_benchmark

    performance_benchmark(case.aec())


@suite("pettingzoo")
def parallel(case: Case) -> None:
    """PettingZoo's parallel_api_test and parallel_seed_test through turn_based_aec_to_parallel"""
    from pettingzoo.test import parallel_api_test, parallel_seed_test
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    parallel_api_test(turn_based_aec_to_parallel(case.aec()), num_cycles=300)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(case.aec()), num_cycles=100)


@suite("gymnasium")
def solo(case: Case) -> None:
    """Gymnasium's check_env of one learner"""
    from gymnasium.utils.env_checker import check_env

    check_env(case.learner(render_mode="rgb_array"))


@suite("gymnasium")
def vector(case: Case) -> None:
    """our vector environment step for step as single ones, in three autoreset modes"""
    for mode in AutoresetMode:
        vector_parity(case, mode)


@suite("gymnasium", "pettingzoo")
def copies(case: Case) -> None:
    """deepcopy and pickle of all environments go on exactly, and apart"""
    for env, play in ((case.aec(), _play), (case.raw(), _play), (case.solo(), _learn), (case.vector(3), _learn_many)):
        env.reset(seed=5)
        play(env, 10)
        for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            # The original is copied again: what one plays must not show in the others.
            assert play(twin, 30) == play(copy.deepcopy(env), 30), f"a copy of {env} plays differently"


@suite("stable_baselines3")
def sb3(case: Case) -> None:
    """Stable-Baselines3's check_env of one learner"""
    from stable_baselines3.common.env_checker import check_env

    check_env(case.learner())


@suite("torchrl")
def torchrl(case: Case) -> None:
    """TorchRL's check_env_specs of one learner with masks, and of all agents with masks in observations only"""
    import torch
    from torchrl import envs
    from torchrl.data import Binary
    from torchrl.envs.gym_like import default_info_dict_reader

    learner = envs.GymWrapper(case.solo(), categorical_action_encoding=True)
    mask = Binary(learner.action_spec.n, dtype=torch.int8)
    learner.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": mask}))
    to_bool = envs.DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    # An action is drawn after three steps, which fails where the game is over by then; with this seed none is.
    envs.check_env_specs(envs.TransformedEnv(learner, envs.Compose(to_bool, envs.ActionMask())), seed=1)
    groups = envs.MarlGroupMapType.ONE_GROUP_PER_AGENT
    agents = MaskInObservationOnly(case.aec())
    envs.check_env_specs(
        envs.PettingZooWrapper(agents, use_mask=True, categorical_actions=True, group_map=groups), seed=1
    )


@suite("open_spiel")
def open_spiel(case: Case) -> str | None:
    """OpenSpiel's random_sim_test of our adapter, which knows no wrappers"""
    if isinstance(case, Wrapped):
        return NOTHING
    import pyspiel

    import mancala_envs.integrations.open_spiel

    parameters = ",".join(f"{name}={value}" for name, value in case.options.items())
    game = pyspiel.load_game(f"{mancala_envs.integrations.open_spiel.PREFIX}{case.entry.name}({parameters})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    return None


@suite("ray", "pettingzoo", "gymnasium", place="rllib")
def rllib(case: Case) -> None:
    """RLlib's check_multiagent_environments through its PettingZooEnv"""
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    check_multiagent_environments(PettingZooEnv(case.aec()))


@suite("agilerl", "pettingzoo", "gymnasium", place="agilerl")
def agilerl(case: Case) -> None:
    """api, seed, parallel and solo again, under the PettingZoo that AgileRL asks for: it has no suite itself"""
    for again in (api, seed, parallel, solo):
        again(case)


# Playing.


def _drawn(rng: np.random.Generator, mask: Any) -> int:
    """A legal action, or 0 where there is none."""
    return int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0


def _play(env: Any, decisions: int) -> list[Any]:
    """Random legal play of all seats: everything they got."""
    rng, trace = np.random.default_rng(0), []
    for agent in env.agent_iter(decisions):
        observation, reward, terminated, truncated, _ = env.last()
        trace.append((agent, observation["observation"].tolist(), reward, terminated, truncated))
        env.step(None if terminated or truncated else _drawn(rng, observation["action_mask"]))
    return trace


def _learn(env: Any, decisions: int) -> list[Any]:
    """The same of one learner."""
    rng, trace = np.random.default_rng(0), []
    for _ in range(decisions):
        observation, reward, terminated, truncated, _ = env.step(_drawn(rng, env.unwrapped.action_masks()))
        trace.append((observation.tolist(), reward, terminated, truncated))
        if terminated or truncated:
            env.reset()
    return trace


def _learn_many(envs: Any, decisions: int) -> list[Any]:
    """The same of a batch of learners."""
    rng, trace = np.random.default_rng(0), []
    for _ in range(decisions):
        *results, _ = envs.step(np.array([_drawn(rng, mask) for mask in envs.unwrapped.action_masks()]))
        trace.append([result.tolist() for result in results])
    return trace


# Gymnasium ships no checker of vector environments: ours must do what so many single ones do.

BATCH = 5


def vector_parity(case: Case, mode: AutoresetMode, illegal_share: float = 0.0, **arguments: Any) -> None:
    """Play until `BATCH` games have ended; `illegal_share`: how often one learner plays illegally."""
    ours = case.vector(BATCH, autoreset_mode=mode, **arguments)
    theirs = SyncVectorEnv([lambda: case.solo(disable_env_checker=True, **arguments)] * BATCH, autoreset_mode=mode)
    rng = np.random.default_rng(0)
    (seen, infos), (expected, expected_infos) = ours.reset(seed=11), theirs.reset(seed=11)
    _same(seen, expected)
    _same(_said(infos), _said(expected_infos))
    ends = 0
    while ends < BATCH:
        actions = np.array([_drawn(rng, mask) for mask in infos["action_mask"]])
        if rng.random() < illegal_share:
            actions[rng.integers(BATCH)] = ours.single_action_space.n - 1
        *results, infos = ours.step(actions)
        *their_results, their_infos = theirs.step(actions)
        for mine, other in zip(results, their_results, strict=True):
            _same(mine, other)
        _same(_said(infos), _said(their_infos))
        over = results[2] | results[3]
        ends += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            seen, infos = ours.reset(options={"reset_mask": over})
            expected, _ = theirs.reset(options={"reset_mask": over.copy()})
            _same(seen, expected)


def _same(ours: Any, theirs: Any) -> None:
    """Compare nested results: arrays by value, dictionaries by key; None where nothing was said."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs), f"{sorted(ours)} instead of {sorted(theirs)}"
        for key in theirs:
            _same(ours[key], theirs[key])
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        for mine, other in zip(ours, theirs, strict=True):
            assert (mine is None) == (other is None)
            if other is not None:
                np.testing.assert_array_equal(mine, other)
    else:
        np.testing.assert_array_equal(ours, theirs)


def _said(infos: dict[str, Any]) -> dict[str, Any]:
    """Values that a mask says nobody has are arbitrary: made zero."""
    cleaned: dict[str, Any] = {}
    for key, value in infos.items():
        if isinstance(value, dict):
            cleaned[key] = _said(value)
        elif key.startswith("_") or value.dtype == object:
            cleaned[key] = value
        else:
            there = infos[f"_{key}"].reshape(-1, *[1] * (value.ndim - 1))
            cleaned[key] = np.where(there, value, 0)
    return cleaned
