"""Episodes as JSON lines that play again exactly, or say where they differ.

A line is one episode: the game with its id, options and start in the game's notation, chance included; every decision
with its agent, action, rewards and a checksum of the state that followed; the last state and everyone's returns.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from pettingzoo.utils import BaseWrapper

from mancala_envs import REGISTRY, Game, make_game
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv

SEATING = ("opponent", "seat", "illegal")
"""What a learner's environment has besides the game."""

State = npt.NDArray[Any]
Line = dict[str, Any]


class Mismatch(ValueError):
    """A recording does not come out as it was recorded."""


def _begin(game: Game, state: State) -> Line:
    return {
        "id": REGISTRY[game.name].id,
        "game": game.name,
        "campaign": game.campaign,
        "options": game.options,
        "start": game.text(state),
        "decisions": [],
    }


def _note(line: Line, agent: int, action: int, rewards: list[float], game: Game, state: State) -> None:
    entry = {"agent": agent, "action": action, "rewards": rewards, "state": crc32(game.text(state).encode())}
    line["decisions"].append(entry)


def _returns(line: Line) -> list[float]:
    returns: list[float] = np.sum([decision["rewards"] for decision in line["decisions"]], axis=0).tolist()
    return returns


def _write(path: Path, line: Line, game: Game, state: State) -> None:
    """Append the episode, if anything was decided in it."""
    if line["decisions"]:
        ending = {"final": game.text(state), "returns": _returns(line)}
        with path.open("a") as file:
            file.write(json.dumps(line | ending) + "\n")


class RecordEpisodes(BaseWrapper[Any, Any, Any]):
    """AEC: appends every episode of a game of this library to the file at `path`, when it ends or is broken off.

    Rewards are the game's own, (P,) a decision; actions that the environment refuses are no decisions. TypeError for
    environments of others. Place: innermost, around `raw_env()`, `env()` or a campaign, so that what is recorded is
    what is played. For Gymnasium: `SingleAgent(RecordEpisodes(...))`, or `RecordSoloEpisodes`.
    """

    def __init__(self, env: Any, path: str | Path) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, RawEnv):
            raise TypeError(f"only games of this library can be recorded, not {env}")
        self._path = Path(path)
        self._line: Line | None = None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As the environment's."""
        self._finish()
        super().reset(seed=seed, options=options)
        raw = self.unwrapped
        self._line = _begin(raw.game, raw.record)

    def step(self, action: Any) -> None:
        """The selected agent's action, which is recorded; None for an agent whose game is over."""
        raw = self.unwrapped
        mover = int(raw.record["to_move"][0])
        legal = raw.infos[self.agent_selection]["action_mask"]
        super().step(action)
        if self._line is None or action is None or not legal[action]:
            return
        # As the game pays them: in 32 bits.
        rewards = np.array([raw.rewards[agent] for agent in raw.possible_agents], np.float32)
        _note(self._line, mover, int(action), rewards.tolist(), raw.game, raw.record)
        if raw.record["to_move"][0] < 0:
            self._finish()

    def close(self) -> None:
        """Write what was broken off, and close the environment."""
        self._finish()
        super().close()

    def _finish(self) -> None:
        if self._line is not None:
            _write(self._path, self._line, self.unwrapped.game, self.unwrapped.record)
        self._line = None


class RecordSoloEpisodes(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Gymnasium: the same for the learner's decisions; opponents decide again in the replay.

    So they must be `"random"` or `"greedy"`, and every episode has a seed of its own: the one given to `reset`, or
    drawn after it. Rewards are the learner's, (1,) a decision. TypeError or ValueError for what cannot be replayed.
    Place: right around what `gym.make` gives, or around `Campaign`.
    """

    def __init__(self, env: gym.Env[Any, Any], path: str | Path) -> None:
        gym.utils.RecordConstructorArgs.__init__(self, path=str(path))
        gym.Wrapper.__init__(self, env)
        if not isinstance(env.unwrapped, SoloEnv) or env.spec is None:
            raise TypeError(f"only environments of this library made by gym.make can be recorded, not {env}")
        self._seating = {name: env.spec.kwargs[name] for name in SEATING if name in env.spec.kwargs}
        try:
            json.dumps(self._seating)
        except TypeError:
            raise ValueError(f"only arguments that JSON can hold can be recorded, got {self._seating}") from None
        self._path = Path(path)
        self._line: Line | None = None
        self._seeds = np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """As the environment's; without a seed one is drawn. Raises ValueError where starts are set."""
        self._finish()
        if len(self._solo.starts):
            raise ValueError("episodes from starts that were set, as by a Curriculum, cannot be replayed")
        if seed is None:
            seed = int(self._seeds.integers(2**63))
        else:
            self._seeds = np.random.default_rng(seed)
        observation, info = self.env.reset(seed=seed, options=options)
        solo = self._solo
        self._line = _begin(solo.game, solo.state) | {"solo": {**self._seating, "seed": seed, "reset": options}}
        self._seat = info["seat"]
        return observation, info

    @property
    def _solo(self) -> SoloEnv:
        solo = self.unwrapped
        assert isinstance(solo, SoloEnv)
        return solo

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """The learner's action, which is recorded."""
        step = self.env.step(action)
        _, reward, terminated, truncated, _ = step
        if self._line is not None:
            _note(self._line, self._seat, int(action), [float(reward)], self._solo.game, self._solo.state)
        if terminated or truncated:
            self._finish()
        return step

    def close(self) -> None:
        """Write what was broken off, and close the environment."""
        self._finish()
        super().close()

    def _finish(self) -> None:
        if self._line is not None:
            _write(self._path, self._line, self._solo.game, self._solo.state)
        self._line = None


Play = Callable[[int], tuple[int, list[float], State]]
"""Action -> (agent, rewards, state (1,))."""


def replay(line: Line) -> Iterator[tuple[Game, State]]:
    """Play a recorded episode again: the game and its state (1,) at the start and after every decision.

    Raises Mismatch at the first difference, and ValueError, TypeError or KeyError for what is no recording.
    """
    game = make_game(line["game"], line["campaign"], **line["options"])
    _compare("id", REGISTRY[game.name].id, line["id"])
    state, play = _again(game, **line["solo"]) if "solo" in line else _at_the_board(game, line["start"])
    _compare("start", game.text(state), line["start"])
    yield game, state
    for number, decision in enumerate(line["decisions"]):
        agent, rewards, state = play(decision["action"])
        checksum = crc32(game.text(state).encode())
        for what, replayed in (("agent", agent), ("rewards", rewards), ("state", checksum)):
            _compare(f"{what} of decision {number}", replayed, decision[what])
        yield game, state
    _compare("final", game.text(state), line["final"])
    _compare("returns", _returns(line), line["returns"])


def _compare(what: str, replayed: Any, recorded: Any) -> None:
    if replayed != recorded:
        raise Mismatch(f"{what}: recorded {recorded}, replayed {replayed}")


def _at_the_board(game: Game, start: str) -> tuple[State, Play]:
    state = game.parse(start)

    def play(action: int) -> tuple[int, list[float], State]:
        mover = int(state["to_move"][0])
        return mover, game.step(state, [action])[0].tolist(), state.copy()

    return state.copy(), play


def _again(game: Game, seed: int, reset: dict[str, Any] | None, **seating: Any) -> tuple[State, Play]:
    solo = SoloEnv(game.name, campaign=game.campaign, **seating, **game.options)
    _, info = solo.reset(seed=seed, options=reset)

    def play(action: int) -> tuple[int, list[float], State]:
        try:
            reward = float(solo.step(action)[1])
        except gym.error.ResetNeeded:
            raise Mismatch(f"action {action} was recorded after the end") from None
        return info["seat"], [reward], solo.state

    return solo.state, play
