"""Every game against its oracle: an independent second implementation, written from the rules page (`oracles/`)."""

import random

import numpy as np
import pytest
from oracles.ceelkoqyuqkoqiji import Ceelkoqyuqkoqiji
from oracles.cross_races import AsiKeliya, PahadaKeliya, Sokkattan, TayamSonalu
from oracles.dongjintian import Dongjintian
from oracles.hunts import DiviyanKeliya, HatDiviyanKeliya, KotiKeliya
from oracles.kalah import Kalah
from oracles.mills import NerenchiKeliya, Niranchy
from oracles.oware import Oware
from oracles.pancha_races import KawadeKelia, PanchaKeliya, PanchaKeliyaComplex
from oracles.qelat import Qelat
from oracles.saturankam import Saturankam
from oracles.wars import KotuEllima, Peralikatuma
from oracles.zigulzoqge import Zigulzoqge

from mancala_envs import make_game

ORACLES = {
    "kalah": Kalah,
    "oware": Oware,
    "qelat": Qelat,
    "magazeb_ii": Qelat,
    "ceelkoqyuqkoqiji": Ceelkoqyuqkoqiji,
    "dongjintian": Dongjintian,
    "zigulzoqge": Zigulzoqge,
    "nerenchi_keliya": NerenchiKeliya,
    "niranchy": Niranchy,
    "peralikatuma": Peralikatuma,
    "kotu_ellima": KotuEllima,
    "diviyan_keliya": DiviyanKeliya,
    "hat_diviyan_keliya": HatDiviyanKeliya,
    "koti_keliya": KotiKeliya,
    "saturankam": Saturankam,
    "sokkattan": Sokkattan,
    "pahada_keliya": PahadaKeliya,
    "asi_keliya": AsiKeliya,
    "tayam_sonalu": TayamSonalu,
    "pancha_keliya": PanchaKeliya,
    "pancha_keliya_complex": PanchaKeliyaComplex,
    "kawade_kelia": KawadeKelia,
}


def compare(name, decisions, seed=0, campaign=False, **options):
    """Play games at random with both, and compare all that the page tells; returns how many decisions were compared."""
    game, chance, compared, finished = make_game(name, campaign=campaign, **options), random.Random(seed), 0, 0
    while compared < decisions:
        twin = ORACLES[name](chance, campaign, **options)
        states = game.init(1, 0, draws=[twin.told()])
        same(game, states, twin, "set-up")
        while not twin.ended and compared < decisions:
            action, before = chance.choice(twin.legal()), states.copy()
            twin.play(action)
            told = twin.told()
            try:
                rewards = game.step(states, [action], draws=[told])[0]
            except ValueError as error:
                raise AssertionError(f"{game.text(before[0])}: {action} with {told}: {error}") from error
            what = f"{game.text(before[0])}: {action} with {told}"
            same(game, states, twin, what)
            expected = twin.rewards if twin.ended else [0] * len(rewards)
            assert rewards.tolist() == pytest.approx(expected, abs=1e-6), what
            compared += 1
        finished += twin.ended
    return compared, finished


def same(game, states, twin, what):
    """Whether both stand alike after `what`."""
    expected = twin.fields()
    seen = {name: states[name][0].tolist() for name in expected}
    differ = {name: (seen[name], "by the page", expected[name]) for name in expected if seen[name] != expected[name]}
    assert not differ, (game, what, differ)
    legal = np.flatnonzero(game.legal(states)[0]).tolist()
    assert legal == ([] if twin.ended else sorted(twin.legal())), (game, what)
