"""Common parts of the rule books and pages of Parker's four games."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mancala_envs.core.actions import Actions
from mancala_envs.core.book import Campaign, Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option
from mancala_envs.core.record import Field
from mancala_envs.core.rule import Rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH
from mancala_envs.families.mancala.filling import owned_seeds
from mancala_envs.families.mancala.olinda import law, set_out
from mancala_envs.families.mancala.olinda.explanation import DESCRIPTIONS
from mancala_envs.families.mancala.position import check_capacity, check_seeds, most_decisions
from mancala_envs.families.mancala.rows import all_seeds, other_side, seeds
from mancala_envs.families.mancala.symmetry import mirror

FACTS = """\
| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 7 holes; option `columns` |
| Seeds | 4 a hole; option `seeds`, in a campaign always 4 |
| Rewards | +1 / -1 / 0 at the end of the round, or of the campaign; `round_reward` adds rewards after each round |
| Import | `from mancala_envs import {name}_v0` |

```
      13 12 11 10  9  8  7      North, player_1
  [1]                      [0]
       0  1  2  3  4  5  6      South, player_0
```
Anticlockwise is by increasing number; the stores are off the ring."""

SURVEY = """\
Means of 2000 rounds and of 500 campaigns (`scripts/maintenance/analyse.py --random`), in brackets the 5% and 95%
quantiles. The last column gives the wins of player 0 and of player 1 in percent.

| | turns | laps per turn | rounds | how they end | wins |
|---|---|---|---|---|---|"""


def prose(text: str | None, name: str) -> str | None:
    """Return a game's `text` with the common parts in place of `{facts}` and `{survey}`."""
    return text and text.format(facts=FACTS.format(name=name), survey=SURVEY)


def _nothing_more(*_: Any) -> None:
    """No further checks."""


def book(
    name: str,
    title: str,
    text: str | None,
    *,
    options: tuple[Option, ...],
    play: Rule,
    cutting: Option = set_out.NO_CUTTING,
    record: Callable[[Mapping[str, Any]], Sequence[Field]] = law.record,
    begin: Rule = set_out.begin,
    legal: Rule = set_out.legal,
    between_rounds: tuple[Rule, ...] = (set_out.arrange,),
    observe: Rule = law.observe,
    observation: Callable[[Mapping[str, Any]], list[Columns]] = law.observation,
    actions: Callable[[Mapping[str, Any]], list[Actions]] = law.actions,
    phases: Mapping[int, str] = law.PHASES,
    kinds: Sequence[int] = (law.PLAIN, law.BLIND, law.KEPT),
    descriptions: Descriptions = DESCRIPTIONS,
    check_options: Callable[[Mapping[str, Any]], None] = _nothing_more,
    check: Callable[[Any, Mapping[str, Any]], None] = _nothing_more,
    opening_turns: int = 0,
) -> RuleBook:
    """Return the rule book of one of the four games.

    Only `play` and the options are required; everything else defaults to the rules that the games have in common.

    Args:
        name: name of the game.
        title: title of the game.
        text: its page, see `prose`.
        options: its options.
        play: its rule `play`.
        cutting: its option `cutting`.
        record: returns the fields of its record.
        begin: its rule `begin`.
        legal: its rule `legal`.
        between_rounds: rules between rounds, in addition to those of `set_out`.
        observe: its rule `observe`.
        observation: returns the columns of its observation.
        actions: returns its actions.
        phases: its phases.
        kinds: its kinds of holes.
        descriptions: the descriptions for `explain`, see `Presentation`.
        check_options: checks its options, in addition to the common checks.
        check: checks a position, in addition to the common checks.
        opening_turns: see `Positions`.
    """

    def check_all_options(options: Mapping[str, Any], campaign: bool) -> None:
        set_out.check_options(options, campaign)
        check_options(options)
        check_capacity(seeds(options))

    def check_whole(s: Any, options: Mapping[str, Any], given: frozenset[str]) -> None:
        set_out.check(s, options, given, kinds)
        check(s, options)
        check_seeds(s, seeds(options))

    return RuleBook(
        name=name,
        title=title,
        text=prose(text, name),
        options=options,
        record=record,
        rules=Rules(law.num_actions, begin, legal, play, observe, worth=law.captured),
        result=by_scores(law.score, all_seeds, share=set_out.share, secured_score=law.captured),
        campaign=Campaign(
            options=(*set_out.CAMPAIGN_OPTIONS, cutting),
            between_rounds=(set_out.next_round, set_out.may_arrange, *between_rounds),
            owned=set_out.owned,
            standing=owned_seeds,
        ),
        presentation=Presentation(
            law.board,
            observation,
            actions,
            phases,
            turn=lambda options: other_side(options["columns"]),
            descriptions=descriptions,
            sides=SOUTH_AND_NORTH,
            counted=lambda options: (
                "seeds at the last count" if options["campaign"] else "seeds eaten and in own holes"
            ),
        ),
        positions=Positions(check_whole, unread=("laps_sown",), counters=("store",), opening_turns=opening_turns),
        check_options=check_all_options,
        symmetries=lambda options: [mirror(options["columns"])] if options["cutting"] == "none" else [],
        most_decisions=lambda options: most_decisions(options, seeds(options)),
    )
