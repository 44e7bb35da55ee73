"""Compute the networks of `agents.network` in compiled rules."""

from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from mancala_envs.agents.common import evaluation
from mancala_envs.agents.pairs import PairsOfLoops, write_pairs
from mancala_envs.core.contract import num_players, observe
from mancala_envs.core.rule import rule

SHIFT = 14
"""The output layer counts 1 / 2^SHIFT eighths of `worth`."""

BLOCK = 32
"""The number of hidden units is a multiple of this, because BLOCK sums are formed at once."""


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
