"""PAGE"""

import numpy as np

from mancala_envs.core.board import grid
from mancala_envs.core.game import RuleBook
from mancala_envs.core.grid import (
    ALL,
    HEADINGS,
    LOWEST,
    ONWARD,
    WALK,
    branches,
    capture,
    check_walk,
    count_turn,
    drop,
    exits,
    hand_caption,
    next_hole,
    observe_walk,
    rest,
    seeds_of_walk,
    take_up,
    walk,
    walk_actions,
    walk_columns,
)
from mancala_envs.core.observation import columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.core.state import BY_RULES, state_dtype

LIFT, SOW = 0, 1
PHASES = {LIFT: "lift a hole", SOW: "drop the next seed"}

OPTIONS = (
    Option("rows", 4, lowest=2, size=True),
    Option("columns", 5, lowest=2, size=True),
    Option("seeds", 5),
    Option("players", 4, lowest=2, highest=6, size=True),
    Option("relay_back", False, choices=(False, True)),
    Option("quiet_turns", 100),
    Option("max_turns", 600),
    Option("max_laps", 256),
    REWARD,
)


def record(options):
    return state_dtype(options["rows"] * options["columns"], options["players"], [*WALK, ("columns", "i2")])


@rule
def num_actions(s):
    return len(s.holes) + len(HEADINGS)


@rule
def begin(s):
    s.holes[:] = s.seeds
    s.store[:] = 0
    s.quiet = 0
    rest(s)


@rule
def ways(s):
    """Where the next seed may fall: on the board, and not back; `relay_back` frees the first seed of a lap."""
    just_lifted = s.holes[s.at] == 0
    free = ALL if s.relay_back and just_lifted else ONWARD[s.heading]
    return exits(s.at, s.columns, len(s.holes)) & free


@rule
def legal(s, action):
    holes = len(s.holes)
    if s.phase == LIFT:
        return action < holes and s.holes[action] > 0
    return action >= holes and ways(s) >> (action - holes) & 1 == 1


@rule
def play(s, action):
    if s.phase == LIFT:
        take_up(s, action)
        s.phase = SOW
    else:
        step(s, action - len(s.holes))
    while s.phase == SOW:
        open_ways = ways(s)
        if branches(open_ways):
            return
        step(s, LOWEST[open_ways])


@rule
def step(s, heading):
    """Drop the next seed; after the last one look straight ahead."""
    walk(s, heading, s.columns)
    drop(s)
    if s.hand == 0:
        s.laps += 1
        if s.laps >= s.max_laps or not relay(s):
            end_turn(s)


@rule
def ahead(s, hole):
    """The hole straight ahead, -1 where the board ends."""
    if exits(hole, s.columns, len(s.holes)) >> s.heading & 1:
        return next_hole(hole, s.heading, s.columns)
    return -1


@rule
def relay(s):
    """Lift the hole ahead and sow on: True. If it is empty, capture the one beyond, if there is one."""
    hole = ahead(s, s.at)
    if hole < 0:
        return False
    if s.holes[hole] > 0:
        take_up(s, hole)
        return True
    beyond = ahead(s, hole)
    if beyond >= 0 and s.holes[beyond] > 0:
        capture(s, beyond)
    return False


@rule
def end_turn(s):
    s.phase = LIFT
    s.to_move = (s.to_move + 1) % len(s.store)
    if count_turn(s):
        s.ended = BY_RULES


@rule
def captured(s, p):
    return np.int64(s.store[p])


@rule
def count(s, p):
    return np.int64(s.store[p])


@rule
def total(s):
    return len(s.holes) * s.seeds


@rule
def observe(s, p, out):
    at = observe_walk(s, out)
    players = len(s.store)
    for after in range(players):
        player = (p + after) % players
        out[at + after] = s.store[player]
        out[at + players + after] = s.to_move == player


def seeds(options):
    if max(options["rows"], options["columns"]) < 4:
        raise ValueError("dongjintian: rows or columns must be at least 4")
    return options["rows"] * options["columns"] * options["seeds"]


def observation(options):
    players = options["players"]
    return [
        *walk_columns(options["rows"] * options["columns"], seeds(options)),
        *columns("store", players, seeds(options), "seeds in the store of the player so many after the observing one"),
        *columns("to_move", players, 1, "1 when the player so many after the observing one decides now"),
    ]


def check(s, options, given):
    """The hand must be on the board, and led there by a step that the board has."""
    holes = len(s.holes)
    paths = [int(exits(hole, s.columns, holes)) for hole in range(holes)]
    check_walk(s, "dongjintian", options, paths, SOW)


def board(s):
    """The hole where the hand is has the mover's colour."""
    marks = [int(s.to_move) if hole == s.at else -1 for hole in range(len(s.holes))]
    return grid(s, int(s.columns), marks=marks, captions=[hand_caption(s)])


RULE_BOOK = RuleBook(
    name="dongjintian",
    title="Dongjintian",
    page=__doc__,
    options=OPTIONS,
    record=record,
    seeds=seeds,
    seeds_of=seeds_of_walk,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    play=play,
    captured=captured,
    count=count,
    total=total,
    observe=observe,
    observation=observation,
    board=board,
    check=check,
    phases=PHASES,
    action_names=lambda options: walk_actions(options["rows"] * options["columns"]),
)
