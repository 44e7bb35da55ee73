"""The rule books of Parker's four games, and their pages: what is the same in all, and room for a game's own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mancala_envs.core.book import Campaign, Look, Positions, RuleBook, Rules, by_scores
from mancala_envs.core.observation import Column
from mancala_envs.core.options import Option
from mancala_envs.core.record import Field
from mancala_envs.core.rule import Rule
from mancala_envs.core.tale import Tells
from mancala_envs.families.mancala.olinda import law, set_out
from mancala_envs.families.mancala.olinda.told import TELLS
from mancala_envs.families.mancala.position import agree_on_seeds, check_seeds, most_decisions
from mancala_envs.families.mancala.symmetry import mirror

FACTS = """\
| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 7 holes; option `columns` |
| Seeds | 4 a hole; option `seeds` |
| Decisions | `Discrete(19)`: 7 holes, two directions, and 5 between rounds |
| Observation | `({columns},)` uint8, from the observing player's side |
| Rewards | +1 / -1 / 0 at the end of the round, or of the campaign; `round_reward` besides |
| Import | `from mancala_envs import {name}_v0` |

```
      13 12 11 10  9  8  7      North, player_1
  [1]                      [0]
       0  1  2  3  4  5  6      South, player_0
```
Anticlockwise is by increasing number; the stores are off the ring."""

ACTIONS = """\
| number | phase | meaning |
|---|---|---|
| 0..6 | 0 | lift own hole, left to right, and sow anticlockwise |
| 7..13 | 0 | lift own hole (less 7) and sow clockwise |
| 14, 15, 16 | 1 | set out by fours, by twos, by ones |
| 17, 18 | 2 | leave the blind holes at the anticlockwise, at the clockwise end of the row |"""

POSITION = """\
What `load` and `reset(options={"position": ...})` take; what is not given is as at the start.

| field | shape | meaning |
|---|---|---|
| `holes` | 14 | seeds in the holes, numbered as drawn above |
| `store` | 2 | captured seeds, by player |
| `kind` | 14 | of each hole: 0 plain, 1 blind, 2 kept, 3 tied |
| `owner` | 14 | whose the seeds of each hole will be; only in tied holes another than its row's player |
| `direction` | | of this round: 1 anticlockwise, -1 clockwise, 0 not chosen yet |
| `few` | 2 | 2 for the player who set out by twos, 1 by ones; else 0 |
| `seeds_owned` | 2 | seeds with which each began the round; between rounds what his store holds |
| `quiet` | | turns in a row without a capture, below `quiet_turns` |
| `laps_sown` | | laps sown in this episode |
| `to_move` | | the player who decides |
| `phase` | | what he decides: |
| phase 0 | | lift a hole |
| phase 1 | | set out by fours, twos or ones |
| phase 2 | | leave the blind holes at an end |
| `turn` | | turns completed in this round |
| `round_number` | | the round, from 1; always 1 without a campaign |
| `winner`, `ended` | | -2 and 0, as long as the game goes on |"""

OBSERVATION = """\
| columns | meaning |
|---|---|
| 0..6 | seeds in the own row, left to right |
| 7..13 | seeds in the other row, left to right as its player sees it |
| 14, 15 | own store, the other's store |
| 16, 17 | 1 when the observing player decides now; 1 when the game is over |
| 18 | turns left before `max_turns`, 255 where more |
| 19..32 | 0 plain, 1 blind, 2 kept, 3 tied, in the order of columns 0..13 |
| 33..46 | 1 where the seeds will be the observing player's, in the same order |
| 47, 48 | 1 when the round goes anticlockwise; 1 when clockwise; neither while it is not chosen |
| 49, 50 | 1 or 2 for who set out by ones or twos: the observing player, the other |
| 51..53 | one column a phase: lift, how to set out, towards which end |
| 54 | quiet turns left before `quiet_turns`, 255 where more |
| 55, 56 | number of the round, 255 where higher; rounds left before `max_rounds` (0 without a campaign) |
| 57 | 1 when the observing player opened this round |"""

SIZES = "`columns` (7, at least 4), `seeds` (4; a campaign needs 4)"

COMMON_OPTIONS = """\
`max_turns` (400), `max_laps` (256), `quiet_turns` (100), `reward` (`"win"`, `"margin"`); with `campaign=True` also
`equal` (`"continue"`, `"draw"`), `max_rounds` (30), `round_reward` (0.0, any number)"""

SURVEY = """\
A round of 2000, a campaign of 500 (`scripts/survey.py`): mean [5 %, 95 %].

| | turns | laps a turn | rounds | ends | seats |
|---|---|---|---|---|---|"""


def page(text: str, name: str, columns: int) -> str:
    """A game's page: its own `text`, with what all four pages say set in at `{facts}`, `{actions}` and so on.

    `columns`: how many the observation has. Where Python strips docstrings there is no text, and no page.
    """
    return (text or "").format(
        facts=FACTS.format(name=name, columns=columns),
        actions=ACTIONS,
        position=POSITION,
        observation=OBSERVATION,
        sizes=SIZES,
        common_options=COMMON_OPTIONS,
        survey=SURVEY,
    )


def _nothing_more(*_: Any) -> None:
    """What all four games demand is all."""


def book(
    name: str,
    title: str,
    text: str,
    *,
    options: tuple[Option, ...],
    play: Rule,
    cutting: Option = set_out.NO_CUTTING,
    record: Callable[[Mapping[str, Any]], Sequence[Field]] = law.record,
    begin: Rule = set_out.begin,
    legal: Rule = set_out.legal,
    between_rounds: tuple[Rule, ...] = (set_out.arrange,),
    observe: Rule = law.observe,
    observation: Callable[[Mapping[str, Any]], list[Column]] = law.observation,
    phases: Mapping[int, str] = law.PHASES,
    kinds: Sequence[int] = (law.PLAIN, law.BLIND, law.KEPT),
    tells: Tells = TELLS,
    agree: Callable[[Mapping[str, Any]], None] = _nothing_more,
    check: Callable[[Any, Mapping[str, Any]], None] = _nothing_more,
    opening_turns: int = 0,
) -> RuleBook:
    """The rule book of one of the four games; all but `play` and the options has the common law for its default.

    `text`: see `page`. `between_rounds`: besides those of `set_out`. `kinds`: of holes. `tells`: see `Look`. `agree`,
    `check`: what the game demands of options, and of a position, besides what all four do. `opening_turns`: see
    `Positions`.
    """

    def agree_on(options: Mapping[str, Any], campaign: bool) -> None:
        set_out.agree(options, campaign)
        agree(options)
        agree_on_seeds(law.seeds(options))

    def check_whole(s: Any, options: Mapping[str, Any], given: frozenset[str]) -> None:
        set_out.check(s, options, given, kinds)
        check(s, options)
        check_seeds(s, law.seeds(options))

    usual = {option.name: option.default for option in options}
    return RuleBook(
        name=name,
        title=title,
        page=page(text, name, len(observation(usual))),
        options=options,
        record=record,
        rules=Rules(law.num_actions, begin, legal, play, observe, worth=law.captured),
        result=by_scores(law.score, law.all_seeds, share=set_out.share, assured=law.captured),
        campaign=Campaign(
            options=(*set_out.CAMPAIGN_OPTIONS, cutting),
            between_rounds=(set_out.next_round, set_out.may_arrange, *between_rounds),
            owned=set_out.owned,
            standing=set_out.standing,
        ),
        look=Look(law.board, observation, law.action_names, phases, tells=tells),
        positions=Positions(check_whole, unread=("laps_sown",), counters=("store",), opening_turns=opening_turns),
        agree=agree_on,
        symmetries=lambda options: [mirror(options["columns"])] if options["cutting"] == "none" else [],
        most_decisions=lambda options: most_decisions(options, law.seeds(options)),
    )
