"""Common parts of the rule books of races."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board
from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.explanation import Descriptions
from mancala_envs.core.observation import Columns
from mancala_envs.core.outcome import named_by_play
from mancala_envs.core.rule import Rule
from mancala_envs.families.races import presentation, turn

Options = Mapping[str, Any]


def book(
    name: str,
    title: str,
    text: str | None,
    *,
    drawing: str = "",
    check: Callable[[Any, Options, frozenset[str]], None],
    board: Callable[[Any], Board],
    observation: Callable[[Options], Sequence[Columns]],
    actions: Callable[[Options], Sequence[Actions]],
    descriptions: Descriptions,
    decision: str = "use a throw",
    num_actions: Rule = turn.num_actions_of_throws,
    begin: Rule = turn.begin,
    observe: Rule = presentation.observe,
    num_players: Rule = turn.num_rows,
    worth: Rule = presentation.worth,
    **more: Any,
) -> RuleBook:
    """Return the rule book of a race; the rules that are left out are those that most races have in common.

    Args:
        name: The name of the game.
        title: Its title.
        text: Its page, with `{board}` in place of `drawing`.
        drawing: The drawing of the board for the page.
        check: See `Positions`.
        board: See `Presentation`, also for `observation`, `actions` and `descriptions`.
        observation: The columns of the observation, by options.
        actions: The actions, by options.
        descriptions: The descriptions of verbs.
        decision: What the players decide, in words.
        num_actions: See `Rules`, also for the other rules.
        begin: The set-up.
        observe: The rule that writes the columns of `observation`.
        num_players: The number of players.
        worth: The static evaluation.
        **more: The other fields of `RuleBook`.
    """
    return RuleBook(
        name=name,
        title=title,
        text=text and text.replace("{board}", drawing.strip("\n")),
        rules=Rules(
            num_actions,
            begin,
            turn.legal,
            turn.play,
            observe,
            num_players=num_players,
            legal_word=turn.legal_word,
            worth=worth,
            side=turn.side,
        ),
        result=Result(named_by_play, turn.share),
        presentation=Presentation(
            board=board,
            observation=observation,
            actions=actions,
            phases={0: decision},
            descriptions=descriptions,
            counted=lambda options: "pieces home",
            tally=turn.pieces_home,
        ),
        positions=Positions(check),
        has_chance=lambda options, campaign: True,
        **more,
    )
