"""Measurements of speed, interleaved with other libraries."""
