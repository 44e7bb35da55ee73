"""Parts of networks on observations, for any library that uses PyTorch. Needs the extra [train] or [rllib]."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.core.extras import needs_extra

with needs_extra():
    import torch
    from torch import nn

NEVER = -1e8
"""The logit of an illegal action, as in sb3-contrib."""

SHARPNESS = 5.0
"""Weight of values in logits of afterstates: where scores are equal, one action is e times as likely as another worth
1/5 less."""


class CountLevels(nn.Module):
    """Counts as one-hot features: a column whose maximum is above 1 has one for each of its values.

    Args:
        high: (D,), the maximum of each column of an observation.
        levels: number of one-hot features for each count; fewer where its maximum is lower. The last level is that many
            or more.
    """

    def __init__(self, high: npt.ArrayLike, levels: int = 16) -> None:
        super().__init__()
        highest = torch.from_numpy(np.array(high, np.float32))
        counts = torch.nonzero(highest > 1).flatten()
        number = torch.clamp(highest[counts].long() + 1, max=levels)
        self.number = int(number.sum())
        """Number of one-hot features."""
        self.register_buffer("high", highest.clamp(min=1))  # for columns that are always 0
        self.register_buffer("counts", counts)
        self.register_buffer("last", number - 1)
        self.register_buffer("first", number.cumsum(0) - number)

    def forward(self, observations: "torch.Tensor") -> "torch.Tensor":
        """Return which one-hot features of observations (n, D) are 1, as numbers (n, C), for C counts."""
        numbers: torch.Tensor = self.first + torch.minimum(observations[:, self.counts].long(), self.last)
        return numbers


class CountsLinear(nn.Module):
    """A linear layer on all columns, scaled to 0..1, and on their `CountLevels`, without the one-hot vectors.

    This is several times as fast as a linear layer on these features.

    Args:
        high: see `CountLevels`.
        width: number of outputs.
        levels: see `CountLevels`.
    """

    def __init__(self, high: npt.ArrayLike, width: int, levels: int = 16) -> None:
        super().__init__()
        self.counts = CountLevels(high, levels)
        self.scaled = nn.Linear(len(self.counts.high), width)
        bound = (len(self.counts.high) + len(self.counts.counts)) ** -0.5  # as many features are not zero
        self.table = nn.Parameter(torch.empty(self.counts.number, width).uniform_(-bound, bound))

    def forward(self, observations: "torch.Tensor") -> "torch.Tensor":
        """Return the outputs (n, width) for observations (n, D)."""
        outputs: torch.Tensor = self.scaled(observations / self.counts.high)
        # embedding_bag takes no empty rows, as in games without counts.
        return outputs + _SumOfRows.apply(self.table, self.counts(observations)) if self.counts.number else outputs


class _SumOfRows(torch.autograd.Function):
    """Sum rows (n, C) of a table (R, W) to (n, W). The gradient is a product of matrices, which is faster than sums."""

    @staticmethod
    def forward(ctx: Any, table: "torch.Tensor", rows: "torch.Tensor") -> "torch.Tensor":
        """Return the sums (n, W)."""
        ctx.save_for_backward(rows)
        ctx.number = len(table)
        return nn.functional.embedding_bag(rows, table, mode="sum")

    @staticmethod
    def backward(ctx: Any, gradient: "torch.Tensor") -> "tuple[torch.Tensor, None]":
        """Return the gradient of the table."""
        (rows,) = ctx.saved_tensors
        one_hot = gradient.new_zeros(len(rows), ctx.number).scatter_(1, rows, 1.0)
        return one_hot.T @ gradient, None
