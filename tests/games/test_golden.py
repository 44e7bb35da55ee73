"""Games recorded by independent programs, replayed decision by decision, and perft counts of such programs.

A line of `golden/NAME.jsonl` is one game: `options`, `campaign`, `start` (fields of the position), `returns`,
`finished`, and `steps`. A step has the `legal` actions before it, the `action`, the results of `chance` as
[what, sides, result], and the changed fields (`after`). A game that begins by chance also has `start_chance`.
"""

import json

import numpy as np
import pytest
from helpers.forms import PlainGame, slowly
from helpers.positions import perft
from helpers.programs import ROOT

from mancala_envs import make_game
from mancala_envs.registry import REGISTRY

LARGE = {
    *("bao", "dam", "diviyan_keliya", "hat_diviyan_keliya", "koti_keliya", "kotu_ellima", "nerenchi_keliya"),
    "peralikatuma",
}
"""Games that take longer in plain Python than their compilation, which other tests need anyway."""


def is_of_usual_size(name, record):
    """Return whether a record has the default size, for which other tests compile a large game."""
    sizes = {option.name: option.default for option in REGISTRY[name].book.options if option.size}
    return all(record["options"].get(option, usual) == usual for option, usual in sizes.items())


RECORDS = [
    pytest.param(path.stem, record, id=f"{path.stem}-{number}", marks=() if usual else pytest.mark.slow)
    for path in sorted((ROOT / "tests" / "golden").glob("*.jsonl"))
    for number, record in enumerate(map(json.loads, path.read_text().splitlines()))
    for usual in [is_of_usual_size(path.stem, record)]
]

PERFT = {
    "kalah": [6, 35, 185, 942, 4690],
    "oware": [6, 36, 190, 1014, 5219],
    "togyz_kumalak": [9, 73, 613, 5199, 43184, 360035],
    "bestemshe": [5, 21, 91, 407, 1761, 7782, 34285, 153588],
    "qelat": [6, 32, 157, 769, 3668, 17075],
    "magazeb_ii": [6, 32, 157, 769, 3668, 17075],
    "congkak": [7, 36, 230, 1406, 8295, 48305],
    "pallanguzhi": [7, 41, 210, 1043, 4578, 19300],
    "hus": [12, 144, 1244, 11350, 77105],
    "omweso": [8, 64, 419, 2731, 20115],
    "dongjintian": [20, 62, 148, 366, 900, 3876, 21748],
    "zigulzoqge": [4, 8, 16, 32, 64, 128, 270, 582],
    "puhulmutu": [14, 80, 486, 2962, 16928],
    "walak_pussa": [14, 58, 244, 1252, 5418],
    "kotu_baendum": [4, 8, 52, 304, 1788],
    "daramutu": [14, 68, 378, 2034, 10264],
    "bao": [4, 14, 38, 122, 354, 1083, 4003],
    "baokujifunza": [16, 108, 500, 1902, 6546],
    "nerenchi_keliya": [24, 552, 12144, 255024],
    "niranchy": [24, 552, 12144],
    "peralikatuma": [6, 33, 310, 2909, 27264],
    "kotu_ellima": [4, 6, 8, 21, 66, 234, 1017],
    "diviyan_keliya": [49, 2352, 110544],
    "hat_diviyan_keliya": [10, 90, 258, 2082, 5836, 41908],
    "koti_keliya": [66, 715, 4339, 43173],
    "dam": [11, 121, 1324, 12191],
}
WITH_OPTIONS = [
    ("hus", {"capture": "both"}, [12, 144, 1250, 11359, 79046]),
    ("hus", {"columns": 6}, [9, 81, 501, 3205, 15129]),
    *slowly(
        ("omweso", {"reverse": "any"}, [8, 64, 419, 2731, 20113]),
        ("omweso", {"reverse": "start"}, [8, 64, 419, 2735, 20251]),
        ("omweso", {"reverse": "none"}, [8, 64, 416, 2695, 18952]),
        ("omweso", {"start": "twos"}, [20, 86, 767, 5501, 41967]),
    ),
    ("zigulzoqge", {"players": 2}, [4, 8, 18, 36, 92, 184, 476, 952]),
    ("zigulzoqge", {"players": 3}, [4, 8, 16, 32, 64, 136, 280, 572]),
    ("bao", {"start": "beginners", "first_kichwa": "choice"}, [16, 74, 278, 1038, 3148]),
    ("bao", {"start": "malawi"}, [4, 14, 38, 126]),
    ("peralikatuma", {"capture": "compulsory"}, [6, 13, 38, 116, 438, 1903, 9555]),
    ("peralikatuma", {"soldiers": 24}, [4, 8, 33, 212, 1477]),
    ("kotu_ellima", {"setup": "rows"}, [4, 5, 6, 12, 29, 116, 636]),
    ("kotu_ellima", {"capture": "free"}, [4, 10, 45, 271, 1868]),
    ("hat_diviyan_keliya", {"start": "apex"}, [1, 9, 27, 219, 661, 4782]),
    ("hat_diviyan_keliya", {"jumps": "many", "capture": "compulsory"}, [10, 90, 224, 1810, 4172, 30190]),
    ("koti_keliya", {"first": "leopard"}, [66, 400, 4360]),
    ("koti_keliya", {"size": 8}, [28, 189, 971, 5741]),
    ("koti_keliya", {"size": 8, "reach": 1}, [28, 189, 568, 3362]),
]
"""Perft counts of the pages with options."""


def test_there_are_recorded_games():
    assert {record.values[0] for record in RECORDS} >= {"kalah", "oware", "qelat"}


def replay(game, record):
    """Play a recorded game; all that the record has must be the same."""
    states = game.load(**record["start"])
    if "start_chance" in record:
        begun = game.init(1, 0, draws=[record["start_chance"]])
        assert {field: begun[0][field].tolist() for field in record["start"]} == record["start"]
    expected = dict(record["start"])
    returns = np.zeros(game.num_players)
    for number, step in enumerate(record["steps"]):
        assert np.flatnonzero(game.legal(states)[0]).tolist() == step["legal"], number
        # Without recorded chance the script is empty, so the engine must not draw.
        returns += game.step(states, [step["action"]], draws=[step.get("chance", [])])[0]
        expected.update(step["after"])
        assert {field: states[0][field].tolist() for field in expected} == expected, number
    assert returns == pytest.approx(record["returns"])
    assert bool(states[0].ended) == record["finished"]


@pytest.mark.parametrize(("name", "record"), RECORDS)
def test_recorded_game_is_replayed_exactly(name, record):
    game = (make_game if name in LARGE else PlainGame)(name, campaign=record["campaign"], **record["options"])
    replay(game, record)


COMPILED = [record for record in RECORDS if not record.marks and record.values[0] not in LARGE]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "record"), COMPILED)
def test_recorded_game_is_replayed_exactly_by_machine_code(name, record):
    """Also by fast forms, in positions that random games may not reach."""
    replay(make_game(name, campaign=record["campaign"], **record["options"]), record)


@pytest.mark.parametrize(
    ("name", "options", "counts"), [*((name, {}, counts) for name, counts in PERFT.items()), *WITH_OPTIONS]
)
def test_perft_counts_of_the_rules_page(name, options, counts):
    game = make_game(name, **options)
    assert perft(game, game.init(1, 0), len(counts)) == counts
