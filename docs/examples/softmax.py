"""Give illegal actions a probability of zero."""

import numpy as np


def probabilities(logits, mask):
    """Softmax over legal actions only."""
    masked = np.where(mask, logits, -np.inf)
    weights = np.exp(masked - masked.max())
    return weights / weights.sum()


print(probabilities(np.array([0.3, 2.0, -1.0]), np.array([1, 0, 1])))
