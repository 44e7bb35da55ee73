"""Value networks for searches: files of weights, each bound to a game; `agents.inference` computes them.

A network corrects the static evaluation of a position. Its inputs are the columns of the observation of the player to
move and, if it reads them, pairs of holes. Every input has a table with one row of weights for each of its values, so
the first layer only adds up one row for each; a hidden layer of rectified linear units and an output layer follow.
Inputs whose rows are all zeros cost nothing. All weights are integers, so a network gives the same values on every
machine. Values are in EIGHTHS of `worth`, like those of `common.evaluation`.
"""

import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from math import inf, prod
from os.path import isfile  # Path.is_file raises OSError for a name that is too long.
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import record_array
from mancala_envs.agents.inference import BLOCK, Weights, evaluate_loop
from mancala_envs.agents.pairs import NO_PAIRS, HolePairs
from mancala_envs.core.arguments import States, short
from mancala_envs.core.engine import Engine
from mancala_envs.core.names import as_game

HIGHEST = 63
"""The highest value of a column with a row of its own; higher values count as this one."""

EXPERTS = Path(__file__).parent / "experts"
"""The folder of the networks that come with the package."""

SUFFIX = ".network"
"""The end of the name of a network's file; the beginning is the name of the game."""
_CAMPAIGN = "_campaign"
"""The end of the name of the game in the file of an expert for campaigns."""

SEARCHES = ("minimax", "mcts")
"""The searches that can use a network."""

_MAGIC = b"mancala_envs network 1\n"
_DIGEST = 32
_INT16 = 2**15 - 1
_GAMES, _DECISIONS = 32, 64
"""Size of the random play that `checksum` covers."""


def plays_of(game: Engine) -> str:
    """Return the game's header under the name of its rule book: two names of one game share a network."""
    return game.book.name + game.header.removeprefix(game.name)


def checksum(game: Engine) -> str:
    """Return a hash of how a game plays: its observations, rewards and static evaluations in random games.

    It changes with the rules, the options and what is observed, and not with the form or the speed of the code.
    """
    columns = [[column.name, column.high] for column in game.observation_fields]
    described = [plays_of(game), game.num_actions, game.num_players, columns]
    digest = hashlib.sha256(json.dumps(described).encode())
    states = game.init(_GAMES, 0)
    for decision in range(_DECISIONS):
        actions = game.sample(states, decision)
        for numbers in (game.observe(states), actions, evaluate(game, states)):
            digest.update(numbers.astype("<i8").tobytes())
        digest.update(game.step(states, actions, autoreset=True).astype("<f4").tobytes())
    return digest.hexdigest()


def evaluate(game: Engine, states: States, network: "ValueNetwork | None" = None) -> npt.NDArray[np.int64]:
    """Return the evaluation of each game for every player, in eighths of `worth`.

    Args:
        game: The game.
        states: (n,) states.
        network: A network that corrects the static evaluation; None for the static evaluation alone.

    Returns:
        (n, P) int64; 0 for a game that is over.

    Raises:
        ValueError: The network was trained for another game.
    """
    view = game.view(states)
    out = np.zeros((len(view), game.num_players), np.int64)
    game.bind(evaluate_loop)(view, None if network is None else network.weights_for(game), out)
    return out


@dataclass(frozen=True)
class ValueNetwork:
    """A value network for one game, in integers.

    Attributes:
        plays: The game for which it was trained, see `plays_of`.
        checksum: What `checksum` returned for that game.
        search: The search that plays best with it, one of SEARCHES.
        scale: Eighths of `worth` for which the odds of the expected result change by the factor e.
        tables: (R, H) int16 for H hidden units, see `Weights`; int8 in older files.
        bias: (H,) int16.
        output: (O, H) int32, one output for the player to move; in games for more players one for each, the player to
            move first.
        output_bias: (O,) int32.
        training: How it was trained and what it achieved, as JSON.
        pairs: The pairs of holes that it also reads, if any; their rows follow those of the columns.
    """

    plays: str
    checksum: str
    search: str
    scale: float
    tables: npt.NDArray[np.int16] | npt.NDArray[np.int8]
    bias: npt.NDArray[np.int16]
    output: npt.NDArray[np.int32]
    output_bias: npt.NDArray[np.int32]
    training: dict[str, Any] = field(default_factory=dict)
    pairs: HolePairs | None = None

    def __repr__(self) -> str:
        return f"ValueNetwork({self.plays!r}, search={self.search!r})"

    @property
    def has_weights(self) -> bool:
        """Whether the network corrects anything; a search with one that does not is the search without a network."""
        return bool(self.tables.any())

    def without_weights(self) -> "ValueNetwork":
        """Return a copy of the network that corrects nothing."""
        zeros = {name: np.zeros_like(getattr(self, name)) for name in _kinds(1)}
        return replace(self, **zeros)

    def with_pairs(self, pairs: HolePairs | None) -> "ValueNetwork":
        """Return the same network with pairs of holes, whose rows are zeros, if it has none."""
        if pairs is None or self.pairs:
            return self
        rows = np.zeros((len(pairs) * pairs.number**2, self.tables.shape[1]), self.tables.dtype)
        return replace(self, pairs=pairs, tables=np.concatenate([self.tables, rows]))

    def save(self, path: str | Path) -> None:
        """Write the network to a file: a line of magic, a line of JSON, compressed integers and a hash of all."""
        header = {name: getattr(self, name) for name in ("plays", "checksum", "search", "scale", "training")}
        header |= {"rows": len(self.tables), "hidden": len(self.bias), "outputs": len(self.output)}
        header["bytes"] = self.tables.dtype.itemsize
        header |= {"pairs": asdict(self.pairs)} if self.pairs else {}
        arrays = [getattr(self, name).astype(kind).tobytes() for name, kind in _kinds(header["bytes"]).items()]
        content = _MAGIC + json.dumps(header).encode() + b"\n" + zlib.compress(b"".join(arrays), 9)
        Path(path).write_bytes(content + hashlib.sha256(content).digest())

    def check(self, game: Engine) -> None:
        """Raise ValueError unless the network was trained for this game, with these options and rules.

        A network without weights only says which search plays best, so it fits all options.
        """
        if not self.has_weights and self.plays.partition("(")[0] == game.book.name:
            return
        if plays_of(game) != self.plays:
            raise ValueError(f"the network was trained for {self.plays}, not for {game.header}")
        columns = len(game.observation_fields)
        fits = (len(self.tables), len(self.output)) == (int(rows_of(game, self.pairs)[0][-1]), outputs_of(game))
        fits &= all(column < columns for hole in (self.pairs.columns if self.pairs else ()) for column in hole)
        if not fits or checksum(game) != self.checksum:
            raise ValueError(
                f"the network was trained for other rules or observations of {self.plays} (its checksum is "
                f"{self.checksum[:12]}): train it again, or use the version of this package for which it was trained"
            )

    def weights_for(self, game: Engine) -> Weights:
        """Return the weights for the compiled loops of a game, with scratch memory.

        Raises:
            ValueError: The network was trained for another game, or its weights are too large.
        """
        self.check(game)
        if not self.has_weights:
            return self._zeros_for(game)._weights(game)
        return self._weights(game)

    def _zeros_for(self, game: Engine) -> "ValueNetwork":
        """Return a network without weights of the shape for this game, whatever its options."""
        outputs = outputs_of(game)
        return replace(
            self,
            tables=np.zeros((int(rows_of(game)[0][-1]), len(self.bias)), np.int8),
            output=np.zeros((outputs, len(self.bias)), np.int32),
            output_bias=np.zeros(outputs, np.int32),
            pairs=None,
        )

    def _weights(self, game: Engine) -> Weights:
        ends, highest = rows_of(game, self.pairs)
        sums = np.maximum.reduceat(np.abs(self.tables.astype(np.int64)), ends[:-1]).sum(axis=0)
        if (sums + np.abs(self.bias.astype(np.int64))).max() > _INT16:
            raise ValueError("the sums of a network's weights must fit into 16 bits")
        used = np.flatnonzero(np.logical_or.reduceat(self.tables.any(axis=1), ends[:-1]))
        seen = record_array(1, game.layout)
        columns = np.asarray(seen).view(game.observation_dtype)
        return Weights(
            tables=self.tables.astype(np.int16),
            used=used,
            first=ends[used],
            highest=highest[used],
            bias=self.bias.astype(np.int16),
            output=self.output.astype(np.int32),
            output_bias=self.output_bias.astype(np.int64),
            scale=self.scale,
            hidden=np.zeros(len(self.bias), np.int16),
            seen=seen,
            columns=columns,
            pairs=self.pairs.of_loops() if self.pairs else NO_PAIRS,
            inputs=np.zeros(len(highest), np.uint16) if self.pairs else columns,
        )


def _kinds(table_bytes: int) -> dict[str, str]:
    """Return the types of the arrays in a file whose tables have this number of bytes for each weight, 1 or 2."""
    return {"tables": f"<i{table_bytes}", "bias": "<i2", "output": "<i4", "output_bias": "<i4"}


def outputs_of(game: Engine) -> int:
    """Return how many outputs a network has: one for two players, whose values are opposite; otherwise one for each."""
    return 1 if game.num_players == 2 else game.num_players


def rows_of(game: Engine, pairs: HolePairs | None = None) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the first row of each input and the number of rows, (I + 1,), and the highest values, (I,)."""
    of_columns = [min(column.high, HIGHEST) for column in game.observation_fields]
    highest = np.array(of_columns + ([pairs.number**2 - 1] * len(pairs) if pairs else []), np.int64)
    return np.concatenate([[0], np.cumsum(highest + 1)]), highest


def load_network(path: str | Path) -> ValueNetwork:
    """Read a network from a file. The file contains only numbers and text, so reading it runs no code.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file is no network, or it is damaged or cut short.
    """
    if not isfile(path):
        raise FileNotFoundError(f"there is no network {short(str(path))}")
    content = Path(path).read_bytes()
    if not content.startswith(_MAGIC):
        raise ValueError(f"{path} is no network of mancala_envs: it does not begin with {_MAGIC.decode().strip()!r}")
    body, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError(f"the network {path} is damaged or cut short: its hash is wrong")
    try:
        return _read(body)
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError, zlib.error) as error:
        raise ValueError(f"the network {path} is malformed: {short(error)}") from error


def _read(body: bytes) -> ValueNetwork:
    """Return the network of a file without its hash; raise an error of some kind if anything is wrong."""
    line, _, packed = body[len(_MAGIC) :].partition(b"\n")
    header = json.loads(line)
    rows, outputs = (int(header.pop(name)) for name in ("rows", "outputs"))
    hidden, table_bytes = int(header.pop("hidden", BLOCK)), header.pop("bytes", 1)  # The first files did not say them.
    if table_bytes not in (1, 2):
        raise ValueError("weights of tables must have 1 or 2 bytes")
    kinds = _kinds(table_bytes)
    if min(rows, outputs) < 1 or hidden < 1 or hidden % BLOCK:
        raise ValueError(f"rows and outputs must be at least 1, and the hidden units a multiple of {BLOCK}")
    if header["search"] not in SEARCHES or not 0 < header["scale"] < inf:
        raise ValueError(f"search must be one of {', '.join(SEARCHES)}, and scale positive")
    shapes = {"tables": (rows, hidden), "bias": (hidden,), "output": (outputs, hidden), "output_bias": (outputs,)}
    sizes = {name: prod(shape) * np.dtype(kinds[name]).itemsize for name, shape in shapes.items()}
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(packed, sum(sizes.values()) + 1)
    if len(data) != sum(sizes.values()) or not unpacker.eof:
        raise ValueError(f"it must hold {sum(sizes.values())} bytes of weights")
    arrays: dict[str, Any] = {}
    begin, pairs = 0, header.pop("pairs", None)
    for name, shape in shapes.items():
        arrays[name] = np.frombuffer(data, kinds[name], prod(shape), begin).reshape(shape)
        begin += sizes[name]
    return ValueNetwork(**header, **arrays, pairs=pairs and _pairs(**pairs))


def _pairs(columns: list[list[int]], highest: list[int], levels: list[int]) -> HolePairs:
    """Return the pairs of holes of a header."""
    return HolePairs(tuple(map(tuple, columns)), tuple(highest), tuple(levels))


def experts() -> list[str]:
    """Return the games that have an expert, as `make_game` takes them, such as "kalah" or "qelat(campaign=True)"."""
    stems = sorted(path.stem for path in EXPERTS.glob(f"*{SUFFIX}"))
    return [f"{stem.removesuffix(_CAMPAIGN)}(campaign=True)" if stem.endswith(_CAMPAIGN) else stem for stem in stems]


def expert_file(game: Engine) -> str:
    """Return the name of the file in EXPERTS that holds a game's expert, if it has one."""
    return game.book.name + _CAMPAIGN * game.campaign + SUFFIX


@cache
def _expert(file: str) -> ValueNetwork:
    return load_network(EXPERTS / file)


def expert_for(game: Engine | str) -> ValueNetwork:
    """Return the network that comes with the package for a game.

    Raises:
        ValueError: The game has none, or the network was trained for other options.
    """
    game = as_game(game)
    file = expert_file(game)
    if not (EXPERTS / file).is_file():
        what = f"campaigns of {game.name}" if game.campaign else game.name
        raise ValueError(f"there is no expert for {what}; there are experts for {', '.join(experts())}")
    network = _expert(file)
    network.check(game)
    return network
