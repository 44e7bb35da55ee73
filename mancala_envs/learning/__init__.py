"""Training by self-play with MaskablePPO, and logging for TensorBoard."""
