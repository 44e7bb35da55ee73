"""Endgame databases: indices and values of endings, files, and the agent `perfect`, which reads them."""

import json
import re
import resource
import subprocess
from functools import partial
from math import comb

import numpy as np
import pytest
from helpers.kalah_positions import as_oracle
from helpers.programs import command
from solvers.retrograde import exhaustively

from mancala_envs import make_game
from mancala_envs.agents import Agent
from mancala_envs.agents.solve import Solver, solve, solve_by_graph
from mancala_envs.agents.solve.database import (
    HEADER,
    UNKNOWN,
    compute_database,
    empty_database,
    index_of,
    most_left_within,
    no_database,
    read_file,
    set_up,
    write_file,
)
from mancala_envs.evaluation.solving import solve_with_progress

KALAH = make_game("kalah", reward="margin")
BEGIN = KALAH.dtype.fields["holes"][1]


def silent(number):
    """Ignore progress."""


@pytest.fixture(scope="module")
def few():
    """The endgame database of Kalah with up to five seeds."""
    return compute_database(KALAH, 5, silent)


@pytest.fixture
def file(tmp_path):
    """The path of a file, which does not exist yet."""
    return tmp_path / "kalah.endings"


def holes_of(endings, number):
    """The holes of an ending."""
    octets = np.zeros(BEGIN + 12, np.uint8)
    set_up(endings, number, octets)
    return octets[BEGIN:]


def loaded_ending(holes, mover):
    return KALAH.load(holes=holes, store=[0, 48 - sum(holes)], to_move=mover)


def test_every_ending_has_its_own_index():
    endings = empty_database(KALAH, 3)
    seen = set()
    for number in range(len(endings.values)):
        holes = holes_of(endings, number)
        seen.add(tuple(holes.tolist()))
        for mover, as_seen in ((0, holes), (1, np.roll(holes, 6))):
            octets = np.concatenate([np.zeros(BEGIN, np.uint8), as_seen])
            assert index_of(endings, octets, mover) == number
    # The number of ways to distribute up to three seeds over twelve holes.
    assert len(seen) == len(endings.values) == comb(3 + 12, 12)
    assert max(map(sum, seen)) == 3
    too_many = np.concatenate([np.zeros(BEGIN, np.uint8), np.array([4] + [0] * 11, np.uint8)])
    assert index_of(endings, too_many, 0) == index_of(no_database(), too_many, 0) == -1


def test_the_largest_database_within_a_number_of_endings_is_found():
    assert most_left_within(KALAH, comb(3 + 12, 12)) == 3
    assert most_left_within(KALAH, comb(3 + 12, 12) - 1) == 2


def test_values_of_endings_equal_those_of_the_oracle(few):
    assert (few.values != UNKNOWN).all()
    dice = np.random.default_rng(1)
    compared = 0
    for number in dice.permutation(len(few.values))[:60]:
        holes = holes_of(few, number).astype(int)
        if not holes[:6].any() or not holes[6:].any():
            continue
        for mover in (0, 1):
            as_seen = np.roll(holes, 6 * mover).tolist()
            first = as_oracle(loaded_ending(as_seen, mover))
            before = first.store[0] - first.store[1]
            gain = (-1) ** mover * int(few.values[number])
            assert exhaustively(first, 48) == (before + gain, before + gain)
            compared += 1
    assert compared > 40


def test_an_interrupted_file_is_continued(file, few):
    def interrupted(number):
        if number > few.first[5]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(file, KALAH, 5, interrupted)
    unfinished = read_file(file, KALAH)
    np.testing.assert_array_equal(unfinished.values, few.values[: few.first[5]])
    valued = []
    write_file(file, KALAH, 5, valued.append)
    assert valued[-1] == few.first[6] and valued[0] > few.first[5], "the other layers are kept"
    times = len(valued)
    whole = read_file(file, make_game("kalah", seeds=6))
    np.testing.assert_array_equal(whole.values, few.values)
    write_file(file, KALAH, 3, valued.append)
    assert len(valued) == times


def headed(content, **said):
    """Return the content of a file with other values in its header, and without endings."""
    return json.dumps(json.loads(content[:HEADER]) | said).encode().ljust(HEADER)


def test_databases_of_other_games_are_refused(file):
    write_file(file, KALAH, 2, silent)
    with pytest.raises(ValueError, match="columns"):
        read_file(file, make_game("kalah", columns=5))
    with pytest.raises(ValueError, match="no endgame database"):
        read_file(file, make_game("qelat"))
    with pytest.raises(ValueError, match="has no endgame database"):
        Agent(KALAH, f"perfect:{file}.none")
    file.write_bytes(headed(file.read_bytes(), version=0))
    with pytest.raises(ValueError, match="must have"):
        Agent(KALAH, f"perfect:{file}")
    with pytest.raises(ValueError, match="has chance"):
        Agent(make_game("pancha_keliya"), "perfect")


@pytest.mark.parametrize("database", [None, "kalah.endings"])
def test_a_database_larger_than_the_memory_is_refused_before_it_is_computed(tmp_path, database):
    file = database and tmp_path / database
    with pytest.raises(ValueError, match="left must be at most 10 with 1 megabytes of memory, got 100"):
        solve_with_progress(KALAH, memory=1, database=file, left=100, quiet=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_perfect_play_achieves_the_proven_value(file):
    game = make_game("kalah", seeds=2, reward="margin")
    write_file(file, game, 7, silent)
    perfect = Agent(game, f"perfect:{file}")
    found = solve_by_graph(make_game("kalah", columns=6, seeds=1, reward="margin"))
    state = make_game("kalah", seeds=1, reward="margin").init(1)
    alone = Agent(make_game("kalah", seeds=1, reward="margin"), "perfect").analyse(state)
    assert alone.values == {action: low for action, (low, _) in found.by_action.items()}
    assert alone.value == found.value
    assert alone.action in found.best and alone.line[0] == alone.action
    # Against itself the agent gains the proven value, and against greedy at least as much.
    for others, most in ((perfect, True), (Agent(game, "greedy"), False)):
        state = game.init(1)
        while state["to_move"][0] >= 0:
            player = perfect if state["to_move"][0] == 0 else others
            rewards = game.step(state, player.act(state, 1))
        gained = round(float(rewards[0, 0]) * 24)
        assert gained == 6 if most else gained >= 6


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"columns": 3, "seeds": 3}, {"columns": 4, "seeds": 2}, {"seeds": 2}])
def test_values_with_and_without_a_database_are_equal(options):
    for reward in ("margin", "win"):
        game = make_game("kalah", reward=reward, **options)
        by_endings = solve(game)
        assert by_endings.by_action == Solver(game, database=no_database()).solve().by_action
        assert by_endings.proven


@pytest.mark.slow
def test_the_program_writes_and_reads_a_database(file):
    program = command(
        "scripts/solve.py", "kalah", "--option", "seeds=1", "--database", str(file), "--left", "4", "--json"
    )
    found = [json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout) for _ in range(2)]
    assert found[0]["values"] == found[1]["values"]
    assert found[0]["value"] == 2
    assert len(read_file(file, KALAH).values) == comb(4 + 12, 12)


# Damaged and shared files.


def test_only_one_process_writes_a_file(file, few):
    def another(number):
        with pytest.raises(ValueError, match="is being written by another process"):
            write_file(file, KALAH, 5, silent)

    write_file(file, KALAH, 5, another)
    np.testing.assert_array_equal(read_file(file, KALAH).values, few.values)
    write_file(file, KALAH, 5, silent)


def test_who_reads_a_file_is_not_disturbed_by_who_writes_it(file, few):
    write_file(file, KALAH, 3, silent)
    read = read_file(file, KALAH)
    write_file(file, KALAH, 5, silent)
    np.testing.assert_array_equal(read.values, few.values[: few.first[4]])


def test_a_full_disk_is_found_before_a_layer_is_computed(file, few):
    """A limit on the size of files stands for the size of the disk."""
    write_file(file, KALAH, 3, silent)
    room = int(HEADER + few.first[5])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    valued = []
    try:
        with pytest.raises(OSError, match=r"\d+ bytes more are needed.*kalah.endings"):
            write_file(file, KALAH, 5, valued.append)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert valued[-1] == few.first[5], "what there is room for is computed"
    assert file.stat().st_size == room, "the part of a layer is cut off"
    np.testing.assert_array_equal(read_file(file, KALAH).values, few.values[: few.first[5]])
    write_file(file, KALAH, 5, silent)
    np.testing.assert_array_equal(read_file(file, KALAH).values, few.values)


@pytest.mark.parametrize("left_behind", [b"", bytes(HEADER)])
def test_an_empty_file_is_a_new_one(file, left_behind):
    file.write_bytes(left_behind)
    with pytest.raises(ValueError, match="has no endings yet"):
        read_file(file, KALAH)
    write_file(file, KALAH, 2, silent)
    assert len(read_file(file, KALAH).values) == comb(2 + 12, 12)


def flipped(content, place):
    """Return bytes with one bit flipped."""
    content = bytearray(content)
    content[place] ^= 1
    return content


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda content: content[:-1], "too short"),
        (lambda content: flipped(content, -1), "2 seeds left are not"),
        (lambda content: flipped(content, HEADER), "0 seeds left are not"),
        (lambda content: b"seeds", "no endgame database"),
        (lambda content: b"[]".ljust(HEADER), "no endgame database"),
        (lambda content: b"[" * HEADER, "is no endgame database"),
        (lambda content: headed(content, version=0), "must have"),
        *(
            (partial(headed, checksums=sums), "a list of at most 101 integers")
            for sums in (5, [1.5], ["a"], None, [0] * 200)
        ),
    ],
)
def test_damage_is_found_before_anything_is_computed(file, damage, why):
    write_file(file, KALAH, 2, silent)
    content = damage(file.read_bytes())
    file.write_bytes(content)
    valued = []
    for use in (read_file, lambda file, game: write_file(file, game, 5, valued.append)):
        with pytest.raises(ValueError, match=re.escape(why)):
            use(file, KALAH)
    assert valued == [] and file.read_bytes() == content
