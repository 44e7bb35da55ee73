"""Episodes as JSON lines that play again exactly, or say where they differ.

A line is one episode: the game with its id, options and start in the game's notation, chance included; every decision
with its agent, action, rewards and a checksum of the state that followed; the last state and everyone's returns.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from typing import Any
from zlib import crc32

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs import REGISTRY, Game, make_game
from mancala_envs.agents import NAMES
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv, position_option
from mancala_envs.render import Film, film_in_notebook
from mancala_envs.wrappers.forms import AECWrapper

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


def _whole(line: Line, game: Game, state: State) -> Line:
    return line | {"final": game.text(state), "returns": _returns(line)}


def _write(path: Path, line: Line) -> None:
    """Append the episode, if anything was decided in it: the whole line, or where that fails nothing."""
    if line["decisions"]:
        written = json.dumps(line) + "\n"
        with path.open("ab", buffering=0) as file:
            before = file.tell()
            try:
                if file.write(encoded := written.encode()) < len(encoded):
                    raise OSError(ENOSPC, "the episode could not be written whole", str(path))
            except OSError:
                file.truncate(before)
                raise


def recorded(game: Game, start: State, actions: Iterable[int]) -> Line:
    """The episode that `actions` make of the game `start` (1,), to its end or not, as `replay` takes it and a line of
    JSON tells it. Raises IllegalAction for an action that is not legal."""
    state = start.copy()
    line = _begin(game, state)
    for action in actions:
        mover = int(state["to_move"][0])
        rewards = game.step(state, [action])[0].tolist()
        _note(line, mover, action, rewards, game, state)
    return _whole(line, game, state)


def record(path: str | Path, game: Game, start: State, actions: Iterable[int]) -> None:
    """Append the episode of `recorded` to the file at `path`.

    Raises IllegalAction for an action that is not legal; nothing is written then, nor where nothing is decided.
    """
    _write(Path(path), recorded(game, start, actions))


class _Recorder:
    """Keeps the line of the episode under way and writes it when the episode ends or is broken off."""

    _path: Path
    _line: Line | None = None

    def _now(self) -> tuple[Game, State]:
        """The game and its state (1,)."""
        raise NotImplementedError

    def _finish(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            _write(self._path, _whole(line, *self._now()))

    def close(self) -> None:
        """Write what was broken off, and close the environment."""
        self._finish()
        super().close()  # type: ignore[misc]  # of the wrapper


class RecordEpisodes(_Recorder, AECWrapper):
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

    def _now(self) -> tuple[Game, State]:
        return self.unwrapped.game, self.unwrapped.record


class RecordSoloEpisodes(_Recorder, gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Gymnasium: the same for the learner's decisions; opponents decide again in the replay.

    So they must be `"random"` or `"greedy"`, one for all seats or a list, and every episode has a seed of its own: the
    one given to `reset`, or drawn after it. Rewards are the learner's, (1,) a decision. TypeError or ValueError for
    what cannot be replayed. Place: right around what `gym.make` gives, or around `Campaign`.
    """

    def __init__(self, env: gym.Env[Any, Any], path: str | Path) -> None:
        gym.utils.RecordConstructorArgs.__init__(self, path=str(path))
        gym.Wrapper.__init__(self, env)
        if not isinstance(env.unwrapped, SoloEnv) or env.spec is None:
            raise TypeError(f"only environments of this library made by gym.make can be recorded, not {env}")
        self._seating = {name: env.spec.kwargs[name] for name in SEATING if name in env.spec.kwargs}
        _refuse_unknown(self._solo.opponent)
        self._path = Path(path)
        self._seeds = np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """As the environment's; without a seed one is drawn.

        Raises ValueError where starts are set, or opponents that cannot be replayed.
        """
        self._finish()
        self._seating["opponent"] = _refuse_unknown(self._solo.opponent)
        if len(self._solo.starts):
            raise ValueError("episodes from starts that were set, as by a Curriculum, cannot be replayed")
        if seed is None:
            seed = int(self._seeds.integers(2**63))
        else:
            self._seeds = np.random.default_rng(seed)
        observation, info = self.env.reset(seed=seed, options=options)
        solo = self._solo
        position = position_option(solo.game, {"position": (options or {}).get("position")})
        reset = None if position is None else {"position": solo.game.text(position)}
        self._line = _begin(solo.game, solo.state) | {"solo": {**self._seating, "seed": seed, "reset": reset}}
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

    def _now(self) -> tuple[Game, State]:
        return self._solo.game, self._solo.state


def _refuse_unknown(opponent: Any) -> Any:
    """`opponent`, if it is a built-in one or a list of such: a recording is data, and a saved model is a program."""
    for one in opponent if isinstance(opponent, list) else [opponent]:
        if not isinstance(one, str) or one not in NAMES:
            allowed = ", ".join(map(repr, NAMES))
            raise ValueError(f"only the opponents {allowed} can be recorded and replayed, got {one!r}")
    return opponent


@dataclass(frozen=True)
class Recording:
    """A recorded episode, which a notebook shows as a film to step through; `line`: as it was recorded.

    `film` plays it again, and raises as `replay` does.
    """

    line: Line

    def __repr__(self) -> str:
        return f"Recording({self.line.get('game')}, {len(self.line.get('decisions', []))} decisions)"

    def film(self) -> Film:
        """All its boards, and in words what led to them."""
        played = list(replay(self.line))
        game, decisions = played[0][0], self.line["decisions"]
        told = [f"player_{each['agent']}: {game.names_for(each['agent'])[each['action']]}" for each in decisions]
        return Film(game.header, [game.board(state) for _, state in played], ["the start", *told])

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return film_in_notebook(self.film())


def recordings(path: str | Path) -> list[Recording]:
    """All episodes of a file that `record`, RecordEpisodes or RecordSoloEpisodes has written."""
    return [Recording(json.loads(line)) for line in Path(path).read_text().splitlines()]


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
    _refuse_unknown(seating.get("opponent", "random"))
    solo = SoloEnv(game.name, campaign=game.campaign, **seating, **game.options)
    _, info = solo.reset(seed=seed, options=reset)

    def play(action: int) -> tuple[int, list[float], State]:
        try:
            reward = float(solo.step(action)[1])
        except gym.error.ResetNeeded:
            raise Mismatch(f"action {action} was recorded after the end") from None
        return info["seat"], [reward], solo.state

    return solo.state, play
