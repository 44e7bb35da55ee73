"""Words with which `explain` describes Parker's four games. See core.explanation."""

from typing import Any

import numpy as np

from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.families.mancala.explanation import in_rows, sowing, whose
from mancala_envs.families.mancala.olinda import law, set_out


def _sets_out(before: Any, s: Any, p: int) -> str:
    row = s.holes.reshape(2, -1)[p].tolist()
    rest = f", {s.store[p]} in the store" if s.store[p] else ""
    return f"player_{p} sets out {' '.join(map(str, row))}{rest}"


def _makes_up_four(before: Any, s: Any) -> str:
    fewer = np.flatnonzero(s.holes < before.holes).tolist()
    kept = np.flatnonzero((s.kind != before.kind) & (s.kind == law.KEPT)).tolist()
    back = [f"{before.holes[hole] - s.holes[hole]} of {whose(s, hole)} stay in the store" for hole in fewer]
    return ", ".join([*back, *(f"{whose(s, hole)} is kept" for hole in kept)])


DESCRIPTIONS: Descriptions = {
    **sowing(in_rows, law.capture),
    set_out.end_round: lambda before, s: (
        f"player_0 has {s.seeds_owned[0]} seeds at the end of the round, player_1 {s.seeds_owned[1]}"
    ),
    set_out.set_out_by_fours: Summary(_sets_out),
    set_out.set_out_few: Summary(_sets_out),
    set_out.make_up_four: Summary(_makes_up_four),
}
