"""Value networks for searches: a file of weights, bound to a game, and inference inside the compiled loops.

A network corrects the static evaluation of a position. Its inputs are the columns of the observation of the player to
move and, if it reads them, pairs of holes. Every input has a table with one row of weights for each of its values, so
the first layer only adds up one row for each; a hidden layer of rectified linear units and an output layer follow.
Inputs whose rows are all zeros cost nothing. All weights are integers, so a network gives the same values on every
machine. Values are in EIGHTHS of `worth`, like those of `common.evaluation`.
"""

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from math import inf, prod
from os.path import isfile  # Path.is_file raises OSError for a name that is too long.
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from mancala_envs.agents.common import evaluation, list_actions, record_array
from mancala_envs.agents.pairs import NO_PAIRS, HolePairs, PairsOfLoops, write_pairs
from mancala_envs.core.arguments import States, short
from mancala_envs.core.chance import mix, stream
from mancala_envs.core.contract import hide, num_players, observe
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import copy_game, move, pay
from mancala_envs.core.names import as_game
from mancala_envs.core.rule import rule

HIGHEST = 63
"""The highest value of a column with a row of its own; higher values count as this one."""

SHIFT = 14
"""The output layer counts 1 / 2^SHIFT eighths of `worth`."""

BLOCK = 32
"""The number of hidden units is a multiple of this, because BLOCK sums are formed at once."""

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
_CERTAIN = 0.99
"""The highest expected result that counts for a prior."""

_INT16 = 2**15 - 1
_GAMES, _DECISIONS = 32, 64
"""Size of the random play that `checksum` covers."""


class Weights(NamedTuple):
    """A network as the compiled loops take it, with scratch memory. Each search has its own.

    Attributes:
        tables: (R, H) int16, the rows of all inputs, one after the other.
        used: (U,) int64, the inputs with rows that are not all zeros.
        first: (U,) int64, the first row of each of these inputs.
        highest: (U,) int64, the highest value of each of these inputs that has a row.
        bias: (H,) int16, the bias of the hidden layer.
        output: (O, H) int32, the output layer, and `output_bias` (O,) int64.
        scale: Eighths of `worth` for which the odds of the expected result change by the factor e.
        hidden: (H,) int16, scratch memory for the hidden layer.
        seen: (1,) record, scratch memory for an observation, and `columns` (D,), the same memory as numbers.
        pairs: The pairs of holes, of which there may be none.
        inputs: (I,) uint16, scratch memory for the columns followed by the codes of the pairs; the columns themselves
            where there are no pairs, because copying them takes a seventh of the time of a search.
    """

    tables: npt.NDArray[np.int16]
    used: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    highest: npt.NDArray[np.int64]
    bias: npt.NDArray[np.int16]
    output: npt.NDArray[np.int32]
    output_bias: npt.NDArray[np.int64]
    scale: float
    hidden: npt.NDArray[np.int16]
    seen: npt.NDArray[np.void]
    columns: npt.NDArray[Any]
    pairs: PairsOfLoops
    inputs: npt.NDArray[Any]


def add_rows_in_python(inputs, used, first, highest, tables, bias, hidden):
    """Write `bias` and the row of each used input into `hidden` (H,), added up."""
    hidden[:] = bias
    for k in range(len(used)):
        hidden += tables[first[k] + min(int(inputs[used[k]]), highest[k])]


if numba.config.DISABLE_JIT:
    add_rows = add_rows_in_python
else:

    @intrinsic
    def add_rows(
        typing: Any, inputs: Any, used: Any, first: Any, highest: Any, tables: Any, bias: Any, hidden: Any
    ) -> Any:
        """Do the same with the sum in vector registers, which takes a fifth of the time of loops."""

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            arrays = [
                context.make_array(kind)(context, builder, value)
                for kind, value in zip(signature.args, arguments, strict=True)
            ]
            (seen, which, begin, most, rows, biases, out), word = [array.data for array in arrays], ir.IntType(64)
            vector = ir.VectorType(ir.IntType(16), BLOCK)
            rows, biases, out = (builder.bitcast(each, vector.as_pointer()) for each in (rows, biases, out))
            total = cgutils.alloca_once(builder, vector)
            blocks = builder.udiv(builder.extract_value(arrays[-1].shape, 0), word(BLOCK))
            with cgutils.for_range(builder, blocks) as over_blocks:
                block = over_blocks.index
                builder.store(builder.load(builder.gep(biases, [block]), align=2), total)
                with cgutils.for_range(builder, builder.extract_value(arrays[1].shape, 0)) as loop:
                    number = builder.load(builder.gep(which, [loop.index]))
                    value = builder.zext(builder.load(builder.gep(seen, [number])), word)
                    limit = builder.load(builder.gep(most, [loop.index]))
                    value = builder.select(builder.icmp_unsigned("<", value, limit), value, limit)
                    row = builder.add(builder.load(builder.gep(begin, [loop.index])), value)
                    place = builder.add(builder.mul(row, blocks), block)
                    added = builder.load(builder.gep(rows, [place]), align=2)
                    builder.store(builder.add(builder.load(total), added), total)
                builder.store(builder.load(total), builder.gep(out, [block]), align=2)
            return context.get_dummy_value()

        return types.none(inputs, used, first, highest, tables, bias, hidden), call


@rule
def run_hidden(s, w):
    """Write the hidden layer for the player to move in `s`, which must not be over, into w.hidden before the ReLU."""
    observe(s, s.to_move, w.seen[0])
    if len(w.pairs.columns) > 0:
        for column in range(len(w.columns)):
            w.inputs[column] = w.columns[column]
        write_pairs(w.columns, w.pairs, w.inputs, len(w.columns))
    add_rows(w.inputs, w.used, w.first, w.highest, w.tables, w.bias, w.hidden)


@rule
def output_of(w, number):
    """Return output `number` for the hidden layer in w.hidden, in EIGHTHS."""
    total = np.int64(0)
    for j in range(len(w.hidden)):
        total += np.int64(w.output[number, j]) * max(np.int64(0), np.int64(w.hidden[j]))
    return (total + w.output_bias[number]) >> SHIFT


@rule
def correction(s, p, w):
    """Return the network's correction of the static evaluation for player p, in EIGHTHS, after `run_hidden`."""
    if len(w.output) == 1:
        value = output_of(w, 0)
        return value if p == s.to_move else -value
    return output_of(w, (p - s.to_move) % num_players(s))


@rule
def horizon_value(s, p, network):
    """Return the evaluation of `s`, which is not over, for player p in EIGHTHS; `network` is Weights or None."""
    if network is not None:
        run_hidden(s, network)
        return evaluation(s, p) + correction(s, p, network)
    return evaluation(s, p)


@rule
def expected_result(s, p, w):
    """Return the expected reward of player p in `s`, which is not over, from -1 to 1."""
    return np.tanh(horizon_value(s, p, w) / (2.0 * w.scale))


@rule
def write_expected_results(s, w, values, row):
    """Write the `expected_result` of every player into values[row]; this runs the hidden layer once."""
    run_hidden(s, w)
    for p in range(values.shape[1]):
        values[row, p] = np.tanh((evaluation(s, p) + correction(s, p, w)) / (2.0 * w.scale))


@rule
def evaluate_loop(states, network, out):
    """Write `horizon_value` of every player in every game into out (n, P) int64, 0 where the game is over."""
    for i in range(len(states)):
        s = states[i]
        for p in range(out.shape[1]):
            out[i, p] = horizon_value(s, p, network) if s.to_move >= 0 else np.int64(0)


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
        pairs: The pairs of holes that it reads besides the columns, if any; their rows follow those of the columns.
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
        outputs = 1 if game.num_players == 2 else game.num_players
        columns = len(game.observation_fields)
        fits = (len(self.tables), len(self.output)) == (int(rows_of(game, self.pairs)[0][-1]), outputs)
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
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError, zlib.error) as error:
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

    def __init__(self, game: Engine | str, network: ValueNetwork, draws: int = 1) -> None:
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

    def __init__(self, game: Engine | str, network: ValueNetwork, draws: int = 4) -> None:
        super().__init__(game, network, draws)

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
