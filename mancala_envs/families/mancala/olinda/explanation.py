"""Words with which `explain` describes Parker's four games. See core.explanation."""

from typing import Any

import numpy as np

from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.families.mancala.explanation import in_rows, owned_seeds, sets_out, sowing, whose
from mancala_envs.families.mancala.olinda import law, set_out
from mancala_envs.families.mancala.sow import capture


def _makes_up_four(before: Any, s: Any) -> str:
    fewer = np.flatnonzero(s.holes < before.holes).tolist()
    kept = np.flatnonzero((s.kind != before.kind) & (s.kind == law.KEPT)).tolist()
    back = [f"{before.holes[hole] - s.holes[hole]} of {whose(s, hole)} stay in the store" for hole in fewer]
    return ", ".join([*back, *(f"{whose(s, hole)} is kept" for hole in kept)])


DESCRIPTIONS: Descriptions = {
    **sowing(in_rows, capture),
    set_out.end_round: owned_seeds,
    set_out.set_out_by_fours: Summary(lambda before, s, p: sets_out(s, p)),
    set_out.set_out_few: Summary(lambda before, s, p: sets_out(s, p)),
    set_out.make_up_four: Summary(_makes_up_four),
}
