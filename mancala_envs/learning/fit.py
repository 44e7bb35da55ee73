"""Fit the value networks of `agents.network` to positions, by gradient descent in compiled loops."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.inference import BLOCK, SHIFT
from mancala_envs.core.rule import rule

Floats: TypeAlias = npt.NDArray[np.float32]

BATCH, LEARNING_RATE = 2048, 4e-3
"""Positions in a step, and the learning rate of Adam at the first step, unless the caller says otherwise."""

_MOST_SUM = 32_000
"""The highest sum in a hidden unit, a little below 2^15, so that rounding cannot exceed it."""


@dataclass
class Positions:
    """Positions with the targets of a network.

    Attributes:
        columns: (n, D), the observation of the player to move.
        evaluations: (n, O) float32, the static evaluations in eighths of `worth`, first that of the player to move.
        targets: (n, O) float32, the expected rewards, mapped from -1..1 to 0..1.
    """

    columns: npt.NDArray[Any]
    evaluations: Floats
    targets: Floats

    def __len__(self) -> int:
        return len(self.targets)

    def __getitem__(self, which: slice) -> "Positions":
        return Positions(self.columns[which], self.evaluations[which], self.targets[which])


@rule
def gradient_loop(columns, first, highest, base, targets, chosen, weights, grads, scratch):
    """Add the gradients of the mean cross-entropy over the positions `chosen` (m,) to `grads`; return their loss.

    `weights` are the tables, the bias, the output layer and its bias, and `grads` has an array for each. `base` (n, O)
    is the part of the logits that does not come from the network. `scratch` (2, H) float32 is scratch memory.
    """
    tables, bias, output, output_bias = weights
    g_tables, g_bias, g_output, g_output_bias = grads
    hidden, back = scratch[0], scratch[1]
    size = len(bias)
    loss = 0.0
    for k in range(len(chosen)):
        i = chosen[k]
        for j in range(size):
            hidden[j] = bias[j]
        for c in range(len(first)):
            row = first[c] + min(np.int64(columns[i, c]), highest[c])
            for j in range(size):
                hidden[j] += tables[row, j]
        for j in range(size):
            hidden[j] = max(hidden[j], np.float32(0.0))
            back[j] = 0.0
        for o in range(len(output)):
            logit = np.float32(base[i, o] + output_bias[o])
            for j in range(size):
                logit += output[o, j] * hidden[j]
            target = targets[i, o]
            loss += max(logit, 0.0) - logit * target + np.log1p(np.exp(-abs(logit)))
            error = np.float32(1.0 / (1.0 + np.exp(-logit)) - target) / np.float32(len(chosen))
            g_output_bias[o] += error
            for j in range(size):
                g_output[o, j] += error * hidden[j]
                back[j] += error * output[o, j]
        for j in range(size):
            back[j] = back[j] if hidden[j] > 0.0 else np.float32(0.0)
            g_bias[j] += back[j]
        for c in range(len(first)):
            row = first[c] + min(np.int64(columns[i, c]), highest[c])
            for j in range(size):
                g_tables[row, j] += back[j]
    return loss / (len(chosen) * len(output))


@rule
def adam_loop(part, grad, mean, square, rate, of_mean, of_square):
    """Change `part` (R, C) by a step of Adam; `of_mean` and `of_square` correct the means for their zeros at first."""
    for i in range(part.shape[0]):
        for j in range(part.shape[1]):
            mean[i, j] += np.float32(0.1) * (grad[i, j] - mean[i, j])
            square[i, j] += np.float32(0.001) * (grad[i, j] * grad[i, j] - square[i, j])
            part[i, j] -= rate * of_mean * mean[i, j] / (np.sqrt(of_square * square[i, j]) + np.float32(1e-8))


class Model:
    """A network in floating-point numbers, while it is fitted.

    The row of value v of column c is free[c, v] + v / highest[c] * slope[c]: the slope carries over to values that
    positions rarely have. The values of a pair of holes are only names, so there the slope counts nothing.

    Args:
        ends: (I + 1,) and `highest` (I,), see `agents.network.rows_of`.
        used: (U,) the inputs that the network reads; the rows of the others are zeros.
        outputs: The number of outputs.
        scale: Eighths of `worth` for each unit of a logit.
        decay: The weight decay of `free` in a step.
        chance: The source of the initial weights and of the order of positions.
        hidden: The number of hidden units, a multiple of BLOCK.
        columns: The number of inputs that are columns, by default all; pairs of holes follow.
    """

    def __init__(
        self,
        ends: npt.NDArray[np.int64],
        highest: npt.NDArray[np.int64],
        used: npt.NDArray[np.int64],
        outputs: int,
        scale: float,
        decay: float,
        chance: np.random.Generator,
        hidden: int = BLOCK,
        columns: int | None = None,
    ) -> None:
        self.used, self.highest, self.scale, self._chance = used, highest[used], scale, chance
        self._kept = np.float32(1 - decay)
        self.first = np.concatenate([[0], np.cumsum(self.highest + 1)[:-1]])
        self._column = np.repeat(np.arange(len(used)), self.highest + 1)
        values = np.arange(len(self._column)) - self.first[self._column]
        self._places = ends[used][self._column] + values
        self._rows = int(ends[-1])
        self._part = (values / np.maximum(self.highest, 1)[self._column]).astype(np.float32)[:, None]
        self._part[used[self._column] >= (len(highest) if columns is None else columns)] = 0.0
        normal = chance.standard_normal
        self.parameters: list[Floats] = [
            np.zeros((len(values), hidden), np.float32),
            normal((len(used), hidden), np.float32) / np.float32(np.sqrt(len(used))),
            np.zeros(hidden, np.float32) + np.float32(0.1),
            normal((outputs, hidden), np.float32) / np.float32(np.sqrt(hidden)),
            np.zeros(outputs, np.float32),
        ]
        """`free`, `slope`, `bias`, `output` and `output_bias`."""
        self._means = [np.zeros_like(part) for part in self.parameters]
        self._squares = [np.zeros_like(part) for part in self.parameters]
        self._steps = 0

    @property
    def tables(self) -> Floats:
        """(T, H), the rows of all used columns."""
        rows: Floats = self.parameters[0] + self._part * self.parameters[1][self._column]
        return rows

    def fit(self, positions: Positions, epochs: int, first_rate: float = LEARNING_RATE) -> Iterator[float]:
        """Fit to the positions, with a learning rate that falls to zero; yield the mean loss after each epoch."""
        positions = self._read(positions)
        base = (positions.evaluations / np.float32(self.scale)).astype(np.float32)
        steps = max(1, len(positions) // BATCH)
        for epoch in range(epochs):
            order, losses = self._chance.permutation(len(positions)), []
            for step in range(steps):
                rate = first_rate * 0.5 * (1 + np.cos(np.pi * (epoch * steps + step) / (epochs * steps)))
                losses.append(self._step(positions, base, order[step * BATCH : (step + 1) * BATCH], np.float32(rate)))
            yield float(np.mean(losses))

    def _read(self, positions: Positions) -> Positions:
        """Return the positions with the used columns alone."""
        return replace(positions, columns=positions.columns[:, self.used])

    def _step(self, positions: Positions, base: Floats, chosen: npt.NDArray[np.int64], rate: np.float32) -> float:
        tables, (_, _, *rest) = self.tables, self.parameters
        grads = [np.zeros_like(part) for part in (tables, *rest)]
        loss = self._gradient(positions, base, chosen, (tables, *rest), tuple(grads))
        of_slope = np.add.reduceat(grads[0] * self._part, self.first, axis=0)
        self._steps += 1
        of_mean, of_square = (np.float32(1 / (1 - kept**self._steps)) for kept in (0.9, 0.999))
        for number, grad in enumerate((grads[0], of_slope, *grads[1:])):
            changed = self.parameters[number], grad, self._means[number], self._squares[number]
            part, grad, mean, square = map(np.atleast_2d, changed)
            adam_loop(part, grad, mean, square, rate, of_mean, of_square)
        self.parameters[0] *= self._kept
        return loss

    def _gradient(
        self,
        positions: Positions,
        base: Floats,
        chosen: npt.NDArray[np.int64],
        weights: tuple[Floats, ...],
        grads: tuple[Floats, ...],
    ) -> float:
        """Add the gradients of the mean loss over the positions `chosen` to `grads`, and return the loss.

        The positions have the used columns alone.
        """
        scratch = np.empty((2, len(weights[1])), np.float32)
        columns, targets = positions.columns, positions.targets
        return float(gradient_loop(columns, self.first, self.highest, base, targets, chosen, weights, grads, scratch))

    def loss(self, positions: Positions) -> float:
        """Return the mean loss over positions."""
        weights, positions = (self.tables, *self.parameters[2:]), self._read(positions)
        base = (positions.evaluations / np.float32(self.scale)).astype(np.float32)
        grads = tuple(np.zeros_like(part) for part in weights)
        return self._gradient(positions, base, np.arange(len(positions)), weights, grads)

    def take(self, scale: float, tables: Any, bias: Any, output: Any, output_bias: Any) -> None:
        """Continue from the integers of a `ValueNetwork` with the same shapes."""
        unit, scaled = max(float(np.abs(tables).max()), 1.0), scale * 2.0**SHIFT
        self.scale = scale
        taken = tables[self._places] / unit, bias / unit, output * (unit / scaled), output_bias / scaled
        self.parameters[1][:] = 0.0
        for number, part in zip((0, 2, 3, 4), taken, strict=True):
            self.parameters[number][:] = part

    def quantised(self) -> dict[str, Any]:
        """Return the weights as the integers of a `ValueNetwork`.

        Each hidden unit has a scale of its own, with which its sums just fit into 16 bits. In long races a step of one
        place changes the value so little that 8 bits would hide it.
        """
        tables, (_, _, bias, output, output_bias) = self.tables, self.parameters
        largest = np.abs(bias) + np.maximum.reduceat(np.abs(tables), self.first).sum(axis=0)
        unit, scaled = _MOST_SUM / np.maximum(largest, 1e-6), self.scale * 2.0**SHIFT
        rows = np.zeros((self._rows, tables.shape[1]), np.int16)
        rows[self._places] = np.rint(tables * unit)
        return {
            "tables": rows,
            "bias": np.rint(bias * unit).astype(np.int16),
            "output": _int32(output * (scaled / unit)),
            "output_bias": _int32(output_bias * scaled),
        }


def _int32(numbers: Floats) -> npt.NDArray[np.int32]:
    most = np.iinfo(np.int32).max
    return np.rint(np.clip(numbers.astype(np.float64), -most, most)).astype(np.int32)


def loss_of_evaluations(positions: Positions, scale: float) -> float:
    """Return the mean loss of the static evaluation alone."""
    logits = positions.evaluations.astype(np.float64) / scale
    losses = np.maximum(logits, 0) - logits * positions.targets + np.log1p(np.exp(-np.abs(logits)))
    return float(losses.mean())


def best_scale(positions: Positions) -> float:
    """Return the scale with which the static evaluation alone fits the targets best."""
    if not positions.evaluations.any():
        return 64.0
    return float(min(2.0 ** np.arange(2, 18, 0.25), key=lambda scale: loss_of_evaluations(positions, scale)))
