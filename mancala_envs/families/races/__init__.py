"""Races: tracks, throws, entering, moving and sending back pieces, and what kinds of races share."""
