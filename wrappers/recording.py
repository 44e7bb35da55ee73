"""Recording and replaying of episodes as JSON lines.

Each line is one episode: the game with its id, options and initial state in the game's notation, which includes the
random generator; every decision with its agent, action, rewards and a checksum of the next state; the final state, and
the returns. A replay that differs from the recording raises `Mismatch`.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from typing import Any
from zlib import crc32

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs import REGISTRY, Game, make_game
from mancala_envs.core.arguments import short
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.render import Film, film_in_notebook
from mancala_envs.wrappers.forms import AECWrapper

State = npt.NDArray[Any]
Line = dict[str, Any]


class Mismatch(ValueError):
    """A replay differs from its recording."""


def _returns(line: Line) -> list[float]:
    returns: list[float] = np.sum([decision["rewards"] for decision in line["decisions"]], axis=0).tolist()
    return returns


def _write(path: Path, line: Line) -> None:
    """Append an episode with at least one decision. If the line cannot be written in full, nothing is."""
    if line["decisions"]:
        written = json.dumps(line) + "\n"
        with path.open("ab", buffering=0) as file:
            before = file.tell()
            try:
                if file.write(encoded := written.encode()) < len(encoded):
                    raise OSError(ENOSPC, "the episode could not be written completely", str(path))
            except OSError:
                file.truncate(before)
                raise


def recorded(game: Game | str, start: State, actions: Iterable[int]) -> Line:
    """Play actions and return the episode in the form that `replay` takes.

    Args:
        game: the game, as `make_game` takes it.
        start: (1,) initial state; it is not changed.
        actions: actions of all players in turn; they need not finish the game.

    Returns:
        The episode, a dict for one line of JSON.

    Raises:
        IllegalAction: if an action is illegal.
    """
    game, state = make_game(game), start.copy()
    line: Line = {
        "id": REGISTRY[game.name].id,
        "game": game.name,
        "campaign": game.campaign,
        "options": game.options,
        "start": game.text(state),
        "decisions": [],
    }
    for action in actions:
        agent = int(state["to_move"][0])
        rewards = game.step(state, [action])[0].tolist()
        decision = {"agent": agent, "action": int(action), "rewards": rewards, "state": _checksum(game, state)}
        line["decisions"].append(decision)
    return line | {"final": game.text(state), "returns": _returns(line)}


def _checksum(game: Game, state: State) -> int:
    return crc32(game.text(state).encode())


def record(path: str | Path, game: Game | str, start: State, actions: Iterable[int]) -> None:
    """Play actions and append the episode to the file `path`, JSON lines. Without actions nothing is written.

    For the other arguments and errors see `recorded`. After an error nothing is written.
    """
    _write(Path(path), recorded(game, start, actions))


class RecordEpisodes(AECWrapper):
    """AEC: append every episode to a file, when it ends or is abandoned.

    The recorded rewards are those of the game, (P,) for each decision. Illegal actions are not recorded. Apply it
    inside all other wrappers, to `raw_env()`, `env()` or a campaign, so that it records the actions played. For
    Gymnasium use `SingleAgent(RecordEpisodes(...))` or `RecordSoloEpisodes`.

    Args:
        env: an AEC environment of mancala_envs.
        path: the file, JSON lines.

    Raises:
        TypeError: if `env` is not an environment of mancala_envs.
    """

    def __init__(self, env: Any, path: str | Path) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, RawEnv):
            raise TypeError(f"only environments of mancala_envs can be recorded, got {env}")
        self._path = Path(path)
        self._start: State | None = None
        """The state (1,) at the start of the episode that is recorded."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Reset the environment, and start a new recording."""
        self._finish()
        super().reset(seed=seed, options=options)
        self._game, self._start, self._actions = self.unwrapped.game, self.unwrapped.record, list[int]()

    def step(self, action: Any) -> None:
        """Play and record the selected agent's action; None for an agent whose game is over."""
        info = self.unwrapped.infos.get(self.agent_selection)
        super().step(action)  # raises ResetNeeded if all agents have left
        if self._start is None or action is None or not info["action_mask"][action]:
            return
        self._actions.append(int(action))
        if self.unwrapped.record["to_move"][0] < 0:
            self._finish()

    def close(self) -> None:
        """Write the unfinished episode, if there is one, and close the environment."""
        self._finish()
        super().close()

    def _finish(self) -> None:
        start, self._start = self._start, None
        if start is not None:
            record(self._path, self._game, start, self._actions)


class RecordSoloEpisodes(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Gymnasium: append every episode to a file, when it ends or is abandoned.

    The decisions of all players are recorded, so an episode can be replayed whatever the opponents were. The recorded
    rewards are those of the game, (P,) for each decision, and `seat` is the agent's seat. Of an illegal action, the
    random action that replaces it is recorded, or nothing if it loses. Episodes in which the agent has not decided are
    not written.

    Args:
        env: a Gymnasium environment of mancala_envs.
        path: the file, JSON lines.

    Raises:
        TypeError: if `env` is not such an environment.
    """

    def __init__(self, env: gym.Env[Any, Any], path: str | Path) -> None:
        gym.utils.RecordConstructorArgs.__init__(self, path=str(path))
        gym.Wrapper.__init__(self, env)
        if not isinstance(env.unwrapped, SoloEnv):
            raise TypeError(f"only Gymnasium environments of mancala_envs can be recorded, got {env}")
        self._solo.keep_actions()
        self._path = Path(path)
        self._records = False
        self._seat: int | None = None
        """The agent's seat if it has decided in the episode that is recorded."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Reset the environment, and start a new recording."""
        self._finish()
        begun = self.env.reset(seed=seed, options=options)
        self._records = True
        return begun

    @property
    def _solo(self) -> SoloEnv:
        solo = self.unwrapped
        assert isinstance(solo, SoloEnv)
        return solo

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Play the agent's action and all replies."""
        step = self.env.step(action)
        _, _, terminated, truncated, info = step
        if self._records:
            self._seat = info["seat"]
        if terminated or truncated:
            self._finish()
        return step

    def close(self) -> None:
        """Write the unfinished episode, if there is one, and close the environment."""
        self._finish()
        super().close()

    def _finish(self) -> None:
        seat, self._seat, self._records = self._seat, None, False
        if seat is not None:
            _write(self._path, recorded(self._solo.game, *self._solo.history) | {"seat": seat})


@dataclass(frozen=True)
class Recording:
    """A recorded episode. A notebook shows it as a film to step through."""

    line: Line
    """The episode, as `replay` takes it."""

    @classmethod
    def from_json(cls, text: str) -> "Recording":
        """Return the recording in a line of a recorder's file.

        Raises:
            ValueError: if the line is not a JSON object.
        """
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"a recording must be a line of JSON: {error}") from error
        if not isinstance(line, dict):
            raise ValueError(f"a recording must be a JSON object, got {short(line)}")
        return cls(line)

    def __repr__(self) -> str:
        decisions = self.line.get("decisions")
        number = len(decisions) if isinstance(decisions, list) else "no"
        return f"Recording({self.line.get('game')}, {number} decisions)"

    def film(self) -> Film:
        """Replay the episode and return its boards, with the action before each. Raises what `replay` raises."""
        boards, result = [], ""
        for game, state in replay(self.line):
            boards.append(game.board(state))
            result = game.result(state) if state["to_move"][0] < 0 else ""
        decisions = self.line["decisions"]
        captions = [f"player_{each['agent']}: {game.names_for(each['agent'])[each['action']]}" for each in decisions]
        return Film(game.header, boards, ["the start", *captions], result)

    def _repr_html_(self) -> str:
        """Return the film for a notebook."""
        return film_in_notebook(self.film())


def recordings(path: str | Path) -> list[Recording]:
    """Read all episodes of a file written by `record`, `RecordEpisodes` or `RecordSoloEpisodes`.

    Raises:
        ValueError: if a line is not a JSON object.
    """
    return [Recording.from_json(line) for line in Path(path).read_text("utf-8").splitlines()]


def replay(line: Line) -> Iterator[tuple[Game, State]]:
    """Replay a recorded episode, and compare it with the recording.

    Args:
        line: the episode, from a line of JSON.

    Yields:
        The game and its state (1,), at the start and after every decision.

    Raises:
        Mismatch: at the first difference.
        ValueError: if `line` is not a valid recording.
    """
    try:
        yield from _replay(line)
    # A recording may contain anything.
    except (TypeError, LookupError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"this is no recorded episode: {error!r}") from error


def _replay(line: Line) -> Iterator[tuple[Game, State]]:
    game = make_game(line["game"], line["campaign"], **line["options"])
    _compare("id", REGISTRY[game.name].id, line["id"])
    state = game.parse(line["start"])
    _compare("start", game.text(state), line["start"])
    if not isinstance(line["decisions"], list):
        raise ValueError(f"decisions must be a list, got {short(line['decisions'])}")
    yield game, state.copy()
    for number, decision in enumerate(line["decisions"]):
        agent = int(state["to_move"][0])
        rewards = game.step(state, [decision["action"]])[0].tolist()
        for what, replayed in (("agent", agent), ("rewards", rewards), ("state", _checksum(game, state))):
            _compare(f"{what} of decision {number}", replayed, decision[what])
        yield game, state.copy()
    _compare("final", game.text(state), line["final"])
    _compare("returns", _returns(line), line["returns"])


def _compare(what: str, replayed: Any, recorded: Any) -> None:
    if replayed != recorded:
        raise Mismatch(f"{what}: recorded {short(recorded)}, replayed {short(replayed)}")
