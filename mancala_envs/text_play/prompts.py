"""Prompts: the rules, the position and the question that a language model reads before each decision."""

import re
from collections.abc import Sequence

import numpy as np

from mancala_envs.core import kernels
from mancala_envs.core.arguments import States, one
from mancala_envs.core.book import RuleBook
from mancala_envs.core.page import sections
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, distinct, make_game
from mancala_envs.render import draw_text
from mancala_envs.text_play.answers import parse

RULES = FULL, SHORT, NONE = "full", "short", "none"
"""How much of a game's page a prompt quotes."""

_SECTIONS = {
    SHORT: ("Rules", "The campaign", "Actions", "Position"),
    FULL: ("Rules", "The campaign", "Not settled by the source, decided here", "Actions", "Position", "Options"),
}
"""The sections of a page that a prompt quotes, after its head."""

_REFERRED = ("Rules", "The campaign")
"""The sections that a prompt quotes of other games, to which a page refers."""

REQUEST = "Answer with one line: `Action: ` and then the number of one action."


class TextGame:
    """A game in text: prompts for its states, and the actions that answers name.

    Args:
        game: The game, as `make_game` takes it.
        rules: How much of the game's page a prompt quotes: `"full"`, `"short"` (without the decisions on what the
            sources leave open, and without the options) or `"none"`.
        list_actions: Whether a prompt lists the legal actions.

    Raises:
        ValueError: `rules` has another value, or Python runs without docstrings, which hold the rules.
    """

    def __init__(self, game: Game | str, rules: str = SHORT, list_actions: bool = True) -> None:
        if rules not in RULES:
            raise ValueError(f"rules must be one of {', '.join(map(repr, RULES))}, got {rules!r}")
        game = make_game(game)
        if rules != NONE and game.book.text is None:
            raise ValueError("Python runs without docstrings (-OO), so there are no rules: use rules='none'")
        self.game, self.list_actions = game, list_actions
        self.rules = "" if rules == NONE else _quoted(game.book, rules)

    def prompt(self, state: States, history: Sequence[str] = (), refusal: str = "") -> str:
        """Return the prompt for the player to move.

        Args:
            state: One state. The prompt shows what the player to move may know, and no more.
            history: Earlier decisions, one line each, see `describe`.
            refusal: Why the last answer could not be played; "" for the first question.

        Raises:
            ValueError: The game is over.
        """
        state = one(self.game.view(state)).view(self.game.dtype)
        mover = int(state["to_move"][0])
        if mover < 0:
            raise ValueError("the game is over: there is nothing to decide")
        phase = self.game.book.presentation.phases[int(state["phase"][0])]
        shown = state.copy()
        self.game.bind(kernels.hide_loop)(self.game.records(shown), mover)
        parts = [
            f"You play {self.game.book.title}. You are player_{mover}.",
            self.rules,
            "\n".join(["## Game so far", *history]) if history else "",
            f"## Board\n```\n{draw_text(self.game.board(shown))}\n```",
            f"## State\n`{self.game.text(state, mover)}`",
            f"## Your decision\nplayer_{mover}, {phase}.",
            self._listed(state, mover) if self.list_actions else "",
            f"Your last answer was not played: {refusal}." if refusal else "",
            REQUEST,
        ]
        return "\n\n".join(part for part in parts if part)

    def parse_action(self, state: States, answer: str) -> int:
        """Return the legal action that an answer names; see `answers.parse`.

        Raises:
            AnswerError: The answer names no action, several, or an illegal one.
        """
        state = one(self.game.view(state)).view(self.game.dtype)
        return parse(answer, self.game.names_for(int(state["to_move"][0])), self._legal(state))

    def describe(self, state: States, action: int, after: States) -> str:
        """Return a decision as a line of the history, without what the other players may not know.

        Args:
            state: The state (1,) before the decision.
            action: The action.
            after: The state (1,) after it.
        """
        mover = int(state["to_move"][0])
        known = {self.game.text(after, player) for player in range(self.game.num_players)}
        is_secret = self.game.has_secrets and len(known) > 1
        return f"player_{mover}: {'decides in secret' if is_secret else self.game.names_for(mover)[action]}"

    def _legal(self, state: States) -> list[int]:
        legal: list[int] = np.flatnonzero(self.game.legal(state)[0]).tolist()
        return legal

    def _listed(self, state: States, mover: int) -> str:
        names = self.game.names_for(mover)
        return "\n".join(["Legal actions:", *(f"{action}: {names[action]}" for action in self._legal(state))])


def _quoted(book: RuleBook, rules: str) -> str:
    """Return the head of a page, the sections that a prompt quotes, and the rules of the games to which they refer."""
    found = sections(book.page)
    head = re.sub(r"(?m)^\| Import \|.*\n", "", found[""])
    quoted = [f"## {title}\n{found[title]}" for title in _SECTIONS[rules] if title in found]
    others, text = list[str](), "\n".join(quoted)
    # A longer title, such as that of the game itself, may contain a shorter one.
    for other in sorted((REGISTRY[name].book for name in distinct()), key=lambda other: -len(other.title)):
        text, mentions = re.subn(rf"(?<!\w){re.escape(other.title)}(?!\w)", "", text)
        if mentions and other is not book:
            of_other = sections(other.page)
            others += [f"## {other.title}: {title}\n{of_other[title]}" for title in _REFERRED if title in of_other]
    return "\n\n".join(part.strip() for part in (head, *quoted, *others))
