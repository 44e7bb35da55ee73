"""The benchmark of speed, interleaved with other libraries."""
