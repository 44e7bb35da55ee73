"""Training: MaskablePPO by self-play, and curves for TensorBoard."""
