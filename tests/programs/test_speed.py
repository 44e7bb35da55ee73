"""Measurements of speed: counting dropped seeds, and regressions of ratios."""

import json

import pytest
from helpers.programs import run_python

from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.scripts.speed import REFERENCE
from mancala_envs.speed.measure import Contender, count_drops, regressions, table_in_jax, titles_in_jax, vector_loop


def test_a_regression_is_a_fall_by_more_than_a_quarter():
    reference = {"a / b": 8.0, "c / d": 2.0, "a / peer that is not installed": 5.0}
    assert regressions({"a / b": 6.1, "c / d": 2.4}, reference) == []
    assert regressions({"a / b": 5.9, "c / d": 2.4}, reference) == ["a / b: 5.90, was 8.00"]


def test_the_reference_holds_ratios():
    assert all(ratio > 0 for ratio in json.loads(REFERENCE.read_text()).values())


def test_the_table_of_speed_in_jax_has_the_median_of_ratios_within_a_round():
    titles = titles_in_jax("othello")
    ours, theirs = (Contender(title, "dam", float, ours=title == titles[0]) for title in titles)
    shown = table_in_jax({ours: [6e6, 4e6, 9e6], theirs: [2e6, 4e6, 1e6]})
    assert shown.rows == [["`dam(size=8)`", {"value": 6, "unit": "M"}, "`othello`", {"value": 2, "unit": "M"}, 3]]
    assert table_in_jax({ours: [6e6]}).rows == []


def test_the_kernels_of_a_vector_environment_play():
    assert vector_loop("kalah", "random", bare=True, batch=4)(40) > 0


@pytest.mark.slow
def test_a_cold_compile_takes_longer_than_a_first_step_from_the_cache():
    last = run_python("scripts/speed.py", "kalah", "--starts").stdout.splitlines()[-1]
    name, imported, warm, cold, campaign = (cell.strip() for cell in last.strip("|").split("|"))
    assert name == "kalah" and float(imported) > 0 and 0 < float(warm) < float(cold) and campaign == ""


@pytest.mark.parametrize(
    ("name", "fewest", "most"),
    # A first move of Kalah sows four seeds, later ones fewer; a step on a grid at most one.
    [("kalah", 3, 4), ("qelat", 8, 10), ("ceelkoqyuqkoqiji", 4, 6), ("zigulzoqge", 1, 2), ("dongjintian", 0.5, 1)],
)
def test_seeds_are_counted(name, fewest, most):
    assert fewest < count_drops(name, 1000) < most


@pytest.mark.parametrize("name", [name for name in REGISTRY if "store" in make_game(name).dtype.names])
def test_every_mancala_game_drops_seeds_by_the_counted_functions(name):
    assert count_drops(name, 100) > 0
