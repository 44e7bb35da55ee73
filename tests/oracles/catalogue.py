"""The oracle of every game, and the options under which tests compare the two."""

from oracles.ceelkoqyuqkoqiji import Ceelkoqyuqkoqiji
from oracles.congkak import Congkak
from oracles.cross_races import AsiKeliya, PahadaKeliya, Sokkattan, TayamSonalu
from oracles.dam import Dam
from oracles.dongjintian import Dongjintian
from oracles.four_rows import Bao, Baokujifunza, Hus, Omweso
from oracles.hunts import DiviyanKeliya, HatDiviyanKeliya, KotiKeliya
from oracles.kalah import Kalah
from oracles.mills import NerenchiKeliya, Niranchy
from oracles.olinda import Daramutu, KotuBaendum, Puhulmutu, WalakPussa
from oracles.oware import Oware
from oracles.pallanguzhi import Pallanguzhi
from oracles.pancha_races import KawadeKelia, PanchaKeliya, PanchaKeliyaComplex
from oracles.qelat import Qelat
from oracles.saturankam import Saturankam
from oracles.togyz_kumalak import Bestemshe, TogyzKumalak
from oracles.wars import KotuEllima, Peralikatuma
from oracles.zigulzoqge import Zigulzoqge

EVERY = (
    Kalah, Oware, TogyzKumalak, Bestemshe, Qelat, Congkak, Pallanguzhi, Ceelkoqyuqkoqiji, Dongjintian, Zigulzoqge,
    Puhulmutu, WalakPussa, KotuBaendum, Daramutu, Hus, Omweso, Bao, Baokujifunza, NerenchiKeliya, Niranchy,
    Peralikatuma, KotuEllima, DiviyanKeliya, HatDiviyanKeliya, KotiKeliya, Dam, Saturankam, Sokkattan, PahadaKeliya,
    AsiKeliya, TayamSonalu, PanchaKeliya, PanchaKeliyaComplex, KawadeKelia,
)  # fmt: skip
ORACLES = {oracle.name(): oracle for oracle in EVERY} | {"magazeb_ii": Qelat}

# The values of each option, default first.

BOUNDS = {"max_turns", "quiet_turns", "max_laps", "max_rounds"}
REWARD = {"reward": ("win", "margin")}
USE = {**REWARD, "use": ("must", "may")}
QELAT = {**REWARD, "reading": ("text", "summary"), "max_turns": (300, 9), "max_laps": (256, 7, 2)}
QELAT_CAMPAIGN = {
    **QELAT, "first": ("alternate", "loser", "winner"), "territory": ("border", "choice"), "max_rounds": (300, 4),
}  # fmt: skip
ROWS_OF_QELAT = [{"columns": 2}, {"columns": 3}, {"columns": 10}]
CEELKOQYUQKOQIJI = {
    **REWARD, "first": ("chance", "throw", "player_0"), "agreement": (True, False),
    "prices": ((7, 6), (5, 5), (1, 20)), "max_turns": (150, 4), "max_laps": (256, 3),
}  # fmt: skip
CEELKOQYUQKOQIJI_CAMPAIGN = {
    **CEELKOQYUQKOQIJI, "hole_price": (5, 1, 9), "debt_limit": (5, 1, 2, 20), "max_rounds": (30, 2),
}  # fmt: skip
FOUR_OF_CEELKOQYUQKOQIJI = [
    {"players": 4}, {"columns": 7, "seeds": 7}, {"players": 4, "columns": 3, "seeds": 4}, {"columns": 2, "seeds": 3},
]  # fmt: skip
OLINDA = {**REWARD, "max_turns": (400, 30), "max_laps": (256, 3), "quiet_turns": (100, 7)}
READINGS = {"reading": ("parker", "summary")}
OLINDA_CAMPAIGN = {**OLINDA, "equal": ("continue", "draw"), "max_rounds": (30, 3)}
CUTTING = {"cutting": ("none", "borrow", "move")}
SEVEN = [{"columns": 4, "seeds": 6}, {"columns": 9, "seeds": 3}]
SEVEN_CAMPAIGN = [{"columns": 4}]
CONGKAK = {
    **REWARD, "seeds": (7, 3), "direction": ("clockwise", "anticlockwise"), "own_seed": ("captured", "always", "never"),
    "shoot": ("any", "circuit"), "finish": ("stores", "row"), "max_turns": (400, 9), "max_laps": (256, 3),
}  # fmt: skip
CONGKAK_CAMPAIGN = {
    **CONGKAK, "fill": ("store", "far", "choice"), "first": ("winner", "loser", "alternate", "last"), "houses": (1, 2),
    "max_rounds": (30, 3),
}  # fmt: skip
PALLANGUZHI = {
    **REWARD, "seeds": (6, 4, 12), "cow": (4, 2, 6), "cow_owner": ("row", "sower"), "cow_last": ("taken", "left"),
    "relay": ("next", "last"), "after": ("end", "on"), "finish": ("stuck", "row", "pass"), "quiet_turns": (100, 5),
    "max_turns": (400, 9), "max_laps": (256, 3),
}  # fmt: skip
PALLANGUZHI_CAMPAIGN = {
    **PALLANGUZHI, "first": ("alternate", "winner", "loser"), "houses": (1, 2), "max_rounds": (30, 3),
}  # fmt: skip
ZIGULZOQGE = {
    **REWARD, "onward": ("path", "straight"), "capture": ("single", "chain"), "leftover": ("row", "neutral"),
    "quiet_turns": (40, 1000), "max_turns": (400, 11), "max_laps": (256, 2),
}  # fmt: skip
WARS = {**REWARD, "capture": ("free", "compulsory"), "max_turns": (1500, 60)}
HUNTS = {"jumps": ("one", "many"), "capture": ("free", "compulsory"), "max_turns": (400, 20)}
PANCHA = {
    **USE, "enter": ("count", "first"), "own": ("together", "apart"), "safe": ("shared", "shut"),
    "max_turns": (1000, 15),
}  # fmt: skip
THROWS = {"admit": ("special", "any"), "again": ("special", "none"), "leave": ("exact", "beyond")}
LONGER = {"max_turns": (2000, 15)}
COUNTERS = [{"counters": 1}, {"counters": 2}]

BAO = {
    **REWARD, "first_kichwa": ("kept", "choice"), "singles": ("house", "last"), "house_lost": ("emptied", "below_six"),
    "house_mtaji": ("off", "takata"), "takasia": ("on", "off", "forced"), "max_turns": (300, 7, 60),
    "max_laps": (256, 1, 3),
}  # fmt: skip


def columns(*numbers):
    return [{"columns": number} for number in numbers]


def variant(name, sizes=(), campaign=False, **options):
    """Return a game's row of `VARIANTS`."""
    return name, campaign, options, list(sizes)


VARIANTS = [
    variant("kalah", columns(1, 3, 8), **REWARD, seeds=(4, 9, 1), max_turns=(500, 13)),
    variant("oware", columns(1, 3, 8), **REWARD, seeds=(4, 2, 9), max_turns=(1000, 13)),
    variant(
        "togyz_kumalak", columns(2, 3, 4, 10), **REWARD, end=("majority", "last"), twin=("number", "opposite", "free"),
        last_hole=("barred", "open"), least=(2, 4), seeds=(9, 3, 12, 1), max_turns=(400, 13),
    ),
    variant(
        "bestemshe", columns(2, 3, 4, 6), **REWARD, end=("majority", "last"), seeds=(5, 2, 12, 20), max_turns=(300, 13),
    ),
    variant("qelat", ROWS_OF_QELAT, **QELAT),
    variant("qelat", ROWS_OF_QELAT, True, **QELAT_CAMPAIGN),
    variant("magazeb_ii", **QELAT),
    variant("magazeb_ii", (), True, **QELAT_CAMPAIGN),
    variant("congkak", columns(2, 9), **CONGKAK),
    variant("congkak", columns(3, 5), True, **CONGKAK_CAMPAIGN),
    variant("pallanguzhi", columns(3, 9), **PALLANGUZHI, middle=(0, 1, 2)),
    variant("pallanguzhi", columns(2, 5), True, **PALLANGUZHI_CAMPAIGN),
    variant("ceelkoqyuqkoqiji", FOUR_OF_CEELKOQYUQKOQIJI, **CEELKOQYUQKOQIJI),
    variant("ceelkoqyuqkoqiji", FOUR_OF_CEELKOQYUQKOQIJI, True, **CEELKOQYUQKOQIJI_CAMPAIGN),
    variant(
        "dongjintian",
        [{"players": 2}, {"players": 6}, {"rows": 2, "columns": 4}, {"rows": 7, "columns": 5, "players": 3}],
        **REWARD, seeds=(5, 1), relay_back=(False, True), quiet_turns=(100, 5), max_turns=(600, 7),
        max_laps=(256, 1, 3),
    ),
    variant(
        "zigulzoqge", [{"players": 2}, {"players": 3, "columns": 5}, {"columns": 6}],
        **ZIGULZOQGE, lift=("row", "any"),
    ),
    variant("zigulzoqge", teams=(True,), **ZIGULZOQGE, lift=("row", "team", "any")),
    variant("puhulmutu", SEVEN, **OLINDA, **READINGS),
    variant("puhulmutu", SEVEN_CAMPAIGN, True, **OLINDA_CAMPAIGN, **READINGS, **CUTTING),
    variant("walak_pussa", SEVEN, **OLINDA, **READINGS),
    variant("walak_pussa", SEVEN_CAMPAIGN, True, **OLINDA_CAMPAIGN, **READINGS),
    variant("kotu_baendum", SEVEN, **OLINDA),
    variant("kotu_baendum", SEVEN_CAMPAIGN, True, **OLINDA_CAMPAIGN),
    variant("daramutu", SEVEN, **OLINDA, **READINGS),
    variant("daramutu", SEVEN, **OLINDA, fours=(False,)),
    variant("daramutu", SEVEN_CAMPAIGN, True, **OLINDA_CAMPAIGN, **READINGS),
    variant(
        "hus", columns(2, 6, 42), **REWARD, capture=("inner", "both"), max_turns=(400, 7, 20), max_laps=(256, 1, 3),
    ),
    variant(
        "omweso", **REWARD, start=("fours", "twos", "arrange"), reverse=("full", "any", "start", "none"),
        two_ends=(True, False), max_turns=(400, 7, 20), max_laps=(256, 1, 3),
    ),
    variant("bao", start=("standard", "malawi", "beginners"), **BAO),
    variant("baokujifunza", start=("beginners",), **BAO),
    variant(
        "nerenchi_keliya", **REWARD, placing=("fill", "nine"), moves=("line", "any"), protect=(False, True),
        end=("all", "two"), corners=(False, True), quiet_turns=(100, 6), max_turns=(1000, 15),
    ),
    variant(
        "niranchy", **REWARD, maker=("both", "first", "second"), moves_after=("one", "both"), men=(12, 3, 5, 11),
        blocked=("lose", "pass"), corners=(True, False), quiet_turns=(50, 9), max_turns=(500, 20),
    ),
    variant("peralikatuma", **WARS, soldiers=(23, 24), quiet_turns=(200, 9)),
    variant(
        "kotu_ellima", **WARS | {"capture": ("compulsory", "free"), "max_turns": (1000, 60)},
        setup=("diagonal", "rows"), quiet_turns=(100, 9),
    ),
    variant("diviyan_keliya", **HUNTS | {"max_turns": (1000, 20)}, goal=(8, 3, 20, 24), quiet_turns=(100, 9)),
    variant("hat_diviyan_keliya", **HUNTS, goal=(4, 7, 1), start=("any", "apex"), quiet_turns=(60, 9)),
    variant("koti_keliya", [{"size": 8}, {"size": 10}], first=("cattle", "leopard"), reach=(2, 1), max_turns=(200, 30)),
    variant(
        "dam", [{"size": 8}, {"size": 10}], **REWARD, capture=("must", "free"), crown=("stop", "pass"),
        king_turn=("capture", "free"), lift=("jump", "end"), quiet_turns=(120, 9), max_turns=(1000, 30),
    ),
    variant(
        "saturankam", [{"players": 3}, {"players": 4}], **REWARD, track=("whole", "short"), near=("move", "stand"),
        chop=("over", "landing"), max_turns=(1000, 9),
    ),
    variant(
        "sokkattan",
        [{"players": 3}, {"players": 2}, {"players": 2, "two": "arm"}, {"players": 2, "counters": 1}, *COUNTERS],
        **USE, thrice=("either", "same"), chira=("shut", "shared"), max_turns=(2000, 30),
    ),
    variant("sokkattan", COUNTERS, teams=(True,), **USE),
    variant("pahada_keliya", **USE, past=(2, 3), edge=("row", "end"), third=("outer", "inner"), max_turns=(4000, 30)),
    variant("asi_keliya", COUNTERS, **USE, division=("four", "all"), enter=("first", "count"), max_turns=(2000, 30)),
    variant("tayam_sonalu", COUNTERS, **USE, teams=(True, False), first=("once", "always"), max_turns=(2000, 30)),
    variant("pancha_keliya", [{"players": 4}], **PANCHA, last=("plain", "safe")),
    variant("pancha_keliya_complex", [{"counters": 2}, {"counters": 6}], **PANCHA | THROWS | LONGER),
    variant(
        "kawade_kelia", [{"players": 4}], circuit=("right", "left"),
        **PANCHA | THROWS | LONGER | {"admit": ("any", "special"), "again": ("none", "special")},
    ),
]  # fmt: skip
"""For every game and campaign: name, whether it is a campaign, the values of its options, and further sizes."""
