"""Layers of PyTorch that networks of several libraries share. Needs the extra [train] or [rllib]."""

from typing import Any

from mancala_envs.core.extras import needs_extra

with needs_extra():
    import torch
    from torch import nn


class SumOfRows(torch.autograd.Function):
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
