"""`Game`, the public class: an engine with positions, text and pictures."""

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs import render
from mancala_envs.agents import compiled
from mancala_envs.core import kernels, notation
from mancala_envs.core.actions import Action
from mancala_envs.core.arguments import States, first, is_integer, one, require_integer
from mancala_envs.core.board import Board
from mancala_envs.core.book import explaining_edition
from mancala_envs.core.chance import read_draws
from mancala_envs.core.engine import Engine, IllegalAction
from mancala_envs.core.explanation import explained
from mancala_envs.core.observation import planes
from mancala_envs.core.options import prefixed, require
from mancala_envs.core.position import check_position, set_field
from mancala_envs.core.record import NOBODY, python_records
from mancala_envs.core.result import result_in_words
from mancala_envs.core.symmetry import Symmetry, symmetry


class Game(Engine):
    """The rules of one game with its options, for batches of states. `make_game` returns one.

        game = make_game("kalah")
        states = game.init(64, seed=1)
        rewards = game.step(states, game.sample(states, seed=1), autoreset=True)

    A batch is a 1-D array of `dtype`. `init` returns it as a recarray that prints as text. Every method also takes a
    single record, `states[0]`, as a batch of one. Methods that change states do so in place.

    `states.copy()` also copies the random generator, so a search in such copies would know future draws. Use `copies`
    for search. The field `rules` of a record identifies its game and options; methods raise ValueError for states of
    another game.

    Attributes:
        name: The name of the game.
        campaign: Whether the game is a campaign.
        options: The value of every option, defaults included.
        changed_options: The options that differ from their defaults.
        header: The name, with the options that differ from their defaults.
        num_players: The number of players.
        num_deciding: The first `num_deciding` players decide; the others only receive rewards.
        num_actions: The number of actions, legal or not.
        actions: One `Action` (name, kind, place, to, direction) for each action.
        action_names: The names of the actions; `names_for` has those of one player, with places as on the board.
        action_kinds: The actions by kind, as the book declares them.
        observation_fields: One `Column` (name, high, meaning) for each column of the observation.
        column_kinds: The columns by kind, as the book declares them.
        observation_dtype: The smallest unsigned dtype that holds every column.
        layout: The dtype of an observation as a record with a field for each kind, for loops that call `observe`.
        dtype: The dtype of a state.
        position_fields: The fields that `load` takes.
        has_chance: Whether the game ever draws a random number.
        has_secrets: Whether the game ever hides anything from a player.
        symmetries: The symmetries of the board under which the rules stay the same.
        plane_names: The names of the planes of `planes`.
        book: The rules; `book.page` is the game's page.
        plain: The rules in plain Python; `plain.bind(loop)` returns a loop that calls them.
    """

    # Positions.

    def load(self, seed: int | None = None, **fields: Any) -> np.recarray[Any, Any]:
        """Return a state with the given position.

        Args:
            seed: As in `init`.
            **fields: Values of the fields that the game's page lists under "Position". Other fields keep their values
                at the start.

        Returns:
            (1,) recarray.

        Raises:
            TypeError: The game has no such field.
            ValueError: The position is inconsistent, violates the rules or is over, or the player to move has no legal
                action.
        """
        state = self.init(1, seed)
        allowed = self.position_fields
        for name, value in fields.items():
            if name not in allowed:
                raise TypeError(f"{self.name} has no field {name!r}; it has {', '.join(allowed)}")
            with prefixed(self.name):
                set_field(state, name, value)
        self._check(state, frozenset(fields))
        if state[0]["to_move"] == NOBODY:
            raise ValueError(f"{self.name}: to_move must be a player, got -1: a game that is over cannot be loaded")
        return state

    def check(self, states: States) -> None:
        """Check that states are valid, as `load` and `parse` do: for records from an untrusted source.

        All other methods trust the fields of states. This one checks a few thousand states a second.

        Args:
            states: (n,) states.

        Raises:
            TypeError: `states` is not an array.
            ValueError: A state has other options, is inconsistent or violates the rules, or its player to move has no
                legal action. The message names the first such state and the reason.
        """
        work = self._checked(states)
        if self.difference(work):
            raise self._refusal(work)
        again = work.copy().view(np.recarray)
        given = frozenset(self._text_fields) - {"ended"}
        for index in range(len(again)):
            s = again[index]
            with prefixed(f"state {index}: {self.name}"):
                check_position(self.book, self.num_players, self._all_options, s, given)
            differ = [name for name in self.book.positions.hidden if (s[name] != work[index][name]).any()]
            require(not differ, f"{self.name}: state {index}: {', '.join(differ)} must follow from the other fields")
        # `legal` needs valid states, so it comes last.
        stuck = first((work["to_move"] != NOBODY) & ~self.legal(work).any(axis=1))
        require(stuck < 0, f"{self.name}: state {stuck}: the player to move has no legal action")

    @property
    def position_fields(self) -> tuple[str, ...]:
        """The fields that `load` takes: all except options, the random generator and those that follow from others."""
        left_out = {*self._all_options, *self.book.positions.hidden}
        return tuple(name for name in self._own_fields if name not in left_out)

    def _check(self, state: np.recarray[Any, Any], given: frozenset[str]) -> None:
        s = state[0]
        with prefixed(self.name):
            check_position(self.book, self.num_players, self._all_options, s, given)
        acts = s.to_move == NOBODY or bool(self.legal(state).any())
        phase = f"phase {s.phase}, {self.book.presentation.phases[int(s.phase)]}"
        require(acts, f"{self.name}: player {s.to_move} to move has no legal action ({phase})")

    # Play to the end.

    def playout(self, states: States, seed: int | None = None, agent: str = "random") -> npt.NDArray[np.float64]:
        """Play copies of the states to their end and return the total rewards. The states do not change.

        Args:
            states: (n,) states.
            seed: As in `init`; the agent's choices in game i depend only on (seed, i). The draws of the game depend on
                its state (see `copies`).
            agent: The agent in every seat, `"random"` or `"greedy"`.

        Returns:
            (n, num_players) float64, the sum of each player's rewards; 0 for a game that is already over.

        Raises:
            ValueError: There is no such agent, or `states` or `seed` is not allowed.
        """
        rewards: npt.NDArray[np.float64] = compiled.playout(self, states, agent, seed)
        return rewards

    # Planes, actions, boards and words.

    def planes(self, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Arrange observations as planes of the board, for convolutions.

        Args:
            observations: (n, D) observations.

        Returns:
            (n, C, H, W) array of the same dtype; `plane_names` says what each of the C planes shows.

        Raises:
            ValueError: The board is not a grid, or the observations have the wrong shape.
        """
        (_, columns), width = self._planes, len(self.observation_fields)
        if observations.shape[-1:] != (width,):
            raise ValueError(f"observations must have shape (n, {width}), got {observations.shape}")
        # Index -1 selects the appended column of zeros.
        return np.pad(observations, [(0, 0)] * (observations.ndim - 1) + [(0, 1)])[..., columns]

    @property
    def plane_names(self) -> tuple[str, ...]:
        """The names of the planes of `planes`: each a kind of columns with one value per place, or a single column."""
        return self._planes[0]

    @cached_property
    def _planes(self) -> tuple[tuple[str, ...], npt.NDArray[np.int64]]:
        grid = self.book.presentation.grid(self._all_options)
        if not grid:
            raise ValueError(f"{self.name} has no planes: its board is not a grid")
        return planes(self.column_kinds, grid)

    def standing(self, states: States) -> dict[str, npt.NDArray[Any]]:
        """Return the standings in campaigns.

        Args:
            states: (n,) states.

        Returns:
            Arrays of int64, with P players: `round_number` (n,); `owned` (n, P), the parts of the board that each
            player owns; `worth` (n, P), what decides the campaign, as of the end of the last round; and the fields
            in the book's `Campaign.accounts`. A game with debts has `debt` (n, P, P), what player i owes player j, and
            its `worth` is the present one, not that of the last round.

        Raises:
            ValueError: The game is not a campaign, or `states` do not fit.
        """
        if not self.book.campaign:
            raise ValueError(f"{self.name} has no campaign")
        if not self.campaign:
            raise ValueError(f"{self.header} is not a campaign: make it with campaign=True")
        view = self.view(states)
        owned, worth = (np.empty((len(view), self.num_players), np.int64) for _ in range(2))
        self.bind(kernels.standing_loop)(view, owned, worth)
        accounts = {name: view[name].astype(np.int64) for name in self.book.campaign.accounts}
        return {"round_number": view["round_number"].astype(np.int64), "owned": owned, "worth": worth, **accounts}

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """One `Action` for each action."""
        return tuple(chain.from_iterable(self.action_kinds))

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """The name of each action."""
        return tuple(action.name for action in self.actions)

    @property
    def symmetries(self) -> list[Symmetry]:
        """The symmetries of the board under which the rules stay the same, without the identity."""
        return [
            symmetry(self.column_kinds, self.action_kinds, turned) for turned in self.book.symmetries(self._all_options)
        ]

    def names_for(self, player: int) -> tuple[str, ...]:
        """Return the names of the player's actions, with places numbered as on the drawn board.

        These differ from `action_names` only for player 1, in games where actions count places from the mover's side.
        """
        return self._turned_names if player == 1 else self.action_names

    def actions_for(self, player: int) -> tuple[Action, ...]:
        """Return the player's actions, with places and directions as on the drawn board."""
        return self._turned_actions if player == 1 else self.actions

    @cached_property
    def _turned_actions(self) -> tuple[Action, ...]:
        if not self.book.presentation.turn:
            return self.actions
        turn = self.book.presentation.turn(self._all_options)
        return tuple(chain.from_iterable(map(turn.actions, self.action_kinds)))

    @cached_property
    def _turned_names(self) -> tuple[str, ...]:
        return tuple(action.name for action in self._turned_actions)

    def _one(self, state: States) -> States:
        """The given state as (1,) array; ValueError unless it is one state of this game."""
        state = one(self._checked(np.atleast_1d(state) if isinstance(state, np.ndarray) else state))
        if state["rules"][0] != self._rules:
            raise self._refusal(state)
        return state

    def board(self, state: States) -> Board:
        """Return the board of a single state as data, for `render`."""
        return self.book.presentation.board(self._one(state).view(np.recarray)[0])

    def show(self, state: States) -> None:
        """Print the board of a single state."""
        print(render.draw_text(self.board(state)))

    def svg(self, state: States) -> str:
        """Return the board of a single state as an SVG document."""
        return render.draw_svg(self.board(state))

    def result(self, state: States, people: Collection[int] = ()) -> str:
        """Return the result of a game that is over, such as "South won 31 : 17 (seeds in store and row)".

        Args:
            state: One state.
            people: Players to address as "you"; nobody if they are on several sides.

        Raises:
            TypeError: `state` is not an array.
            ValueError: `state` is not one state of this game, the game is not over, or it has no such player.
        """
        for player in people:
            require_integer("each of people", player, 0, self.num_players - 1)
        return result_in_words(self, self._one(state).view(np.recarray)[0], people)

    def explain(self, state: States, action: int, *, draws: Sequence[Any] | None = None) -> list[str]:
        """Describe in words what `step` would do to a single state, which does not change.

        The step is played in plain Python, about a thousand times slower than `step`, with the state's own random
        generator, so the description matches the next `step`.

        Args:
            state: One state.
            action: A legal action.
            draws: See `step`.

        Returns:
            Lines of text: the player and the action; each event in order, settlements and throws included; the rewards;
            the player to move and their decision.

        Raises:
            IllegalAction: The action is not legal.
            TypeError: `state` is not an array, or `action` is not an integer.
            ValueError: `state` is not one state of this game, or the draws do not fit.
        """
        return self._explain_copy(self._one(state).copy(), action, draws)

    def _explain_copy(self, states: States, action: int, draws: Sequence[Any] | None = None) -> list[str]:
        """Do the same as `explain`, and change the states (1,) as `step` does."""
        may_play, pay = self.plain.bind(kernels.may_play), self.plain.bind(kernels.pay)
        records = python_records(self.records(states))
        s, chosen = records[0], int(self._actions(np.atleast_1d(action), 1)[0])
        over = s.to_move == NOBODY
        if over and chosen == -1:
            return [self.board(states).heading]
        if over or not may_play(s, chosen):
            raise IllegalAction(0, chosen, [] if over else [a for a in range(self.num_actions) if may_play(s, a)])
        lines = [f"player_{s.to_move}: {self.names_for(s.to_move)[chosen]}"]
        play = explaining_edition(self.book, self.campaign).bind(kernels.move)
        with nullcontext() if draws is None else self._scripted(0, read_draws(draws, 1)[0]):
            pays, lines_of_step = explained(play, s, chosen)
        paid = [pay(s, p) for p in range(self.num_players)] if pays else []
        if any(paid):
            lines_of_step.append("paid: " + ", ".join(f"player_{p} {reward:+.3g}" for p, reward in enumerate(paid)))
        decision = "" if s.to_move == NOBODY else f": {self.book.presentation.phases[int(s.phase)]}"
        return [*lines, *lines_of_step, self.board(states).heading + decision]

    # Notation.

    def text(self, state: States, player: int | None = None) -> str:
        """Return a single state as one line of text, from which `parse` restores it exactly.

        Args:
            state: One state.
            player: If given, the text has only what this player may know. The random generator is then written as "?",
                and `parse` refuses the text.

        Raises:
            TypeError: `state` is not an array.
            ValueError: `state` is not one state of this game with its options, or there is no such player.
        """
        work = self._one(state)
        if self.difference(work):
            raise self._refusal(work)
        if player is not None:
            if not (is_integer(player) and 0 <= player < self.num_players):
                raise ValueError(f"player must be one of 0..{self.num_players - 1}, got {player!r}")
            work = work.copy()
            self.bind(kernels.hide_loop)(self.records(work), player)
        unknown = () if player is None else ("chance",)
        return notation.written(self.header, work.view(np.recarray), self._text_fields, unknown)

    def parse(self, text: str) -> np.recarray[Any, Any]:
        """Return the state that a text describes.

        Args:
            text: A line as `text` returns it.

        Returns:
            (1,) recarray.

        Raises:
            TypeError: `text` is not a str.
            ValueError: The text does not fit this game, or its state is not valid; the message says why.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str as `text` returns it, got {type(text).__name__}")
        state = self.init(1, 0)
        given = notation.read(self.name, self.header, text, state, self._text_fields)
        self._check(state, given - {"ended"})
        return state

    @property
    def _text_fields(self) -> list[str]:
        hidden = [name for name in self._own_fields if name in self.book.positions.hidden]
        return [*self.position_fields, *hidden, "chance"]
