"""`Game`: what users hold, an engine with positions, words and pictures."""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs import agents, render
from mancala_envs.core import kernels, notation
from mancala_envs.core.actions import Action
from mancala_envs.core.arguments import States, first, one
from mancala_envs.core.board import Board
from mancala_envs.core.book import telling
from mancala_envs.core.chance import read_draws
from mancala_envs.core.engine import Engine, IllegalAction
from mancala_envs.core.observation import planes
from mancala_envs.core.options import prefixed, require
from mancala_envs.core.position import check_position, set_field
from mancala_envs.core.record import NOBODY
from mancala_envs.core.symmetry import Symmetry, symmetry
from mancala_envs.core.tale import tale_of


class Game(Engine):
    """The rules of one game with its options agreed, over batches of games in progress; `make_game` returns it.

        game = make_game("kalah")
        states = game.init(64, seed=1)
        rewards = game.step(states, game.sample(states, seed=1), autoreset=True)

    A batch is a 1-D array of `dtype`; `init` makes it a recarray, which shows itself as text. One record of it,
    `states[0]`, is taken as a batch of one everywhere. All methods that change states do so in place. `states.copy()`
    copies chance too, so that copies go the same way and a search among them would foresee it: `copies` makes those
    that do not. The field `rules` of a record says to which game with which options it belongs; methods raise
    ValueError for states of another.

    Attributes:
        name, campaign, options: as agreed; `options` has the defaults too.
        header: name and the options that are not the default.
        num_players: how many play; players 0 up to `num_deciding` decide, the others only receive.
        num_actions: how many actions there are, legal or not.
        actions: one `Action` (name, kind, place, to, direction) for each; `action_names`: what each is in words
            (`names_for` says what a player's actions do on the board).
        observation_fields: one `Column` (name, high, meaning) for each column of the observation.
        action_kinds, column_kinds: both kind by kind, as the book declares them.
        observation_dtype: of the observation, as narrow as its highest value allows.
        layout: one observation as a record, with a field for each kind of columns; what loops that call `observe` take.
        dtype: of a record; `position_fields`: its fields that `load` takes.
        has_chance: whether chance ever decides anything; `has_secrets`: whether anything is ever hidden from a player.
        symmetries: how boards that look different are the same.
        plane_names: what each plane of `planes` shows.
        book: the rules, its `page` among them; `plain`: these in plain Python, to be bound to loops.
    """

    # Positions.

    def load(self, seed: int | None = None, **fields: Any) -> np.recarray[Any, Any]:
        """(1,) recarray: a position by the field names of the rules page ("Position"), the rest as at the start.

        Raises TypeError for an unknown field and ValueError where the position contradicts itself or the rules, or
        the player to move cannot act.
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
            raise ValueError(f"{self.name}: to_move is -1: a position that is over cannot be loaded")
        return state

    def check(self, states: States) -> None:
        """Whether every game of `states` (n,) is a state of this game, as `load` and `parse` ask: for records that were
        written by hand, or come from elsewhere. All other methods trust them.

        Raises ValueError, naming the first that is none and why: options of another game, fields that contradict each
        other or the rules, a player to move who cannot act. Some thousand states a second.
        """
        work = self._checked(states)
        if self.difference(work):
            raise self._refusal(work)
        again = work.copy().view(np.recarray)
        given = frozenset(self._noted_fields) - {"ended"}
        for index in range(len(again)):
            s = again[index]
            with prefixed(f"state {index}: {self.name}"):
                check_position(self.book, self.num_players, self._agreed, s, given)
            differ = [name for name in self.book.positions.hidden if (s[name] != work[index][name]).any()]
            require(not differ, f"{self.name}: state {index}: {', '.join(differ)} must follow from the other fields")
        # What is legal can be asked only of states that are some.
        stuck = first((work["to_move"] != NOBODY) & ~self.legal(work).any(axis=1))
        require(stuck < 0, f"{self.name}: state {stuck}: the player to move has no legal action")

    @property
    def position_fields(self) -> tuple[str, ...]:
        """The names `load` takes: all fields but options, chance and what follows from the others."""
        left_out = {*self._agreed, *self.book.positions.hidden}
        return tuple(name for name in self._own_fields if name not in left_out)

    def _check(self, state: np.recarray[Any, Any], given: frozenset[str]) -> None:
        s = state[0]
        with prefixed(self.name):
            check_position(self.book, self.num_players, self._agreed, s, given)
        acts = s.to_move == NOBODY or bool(self.legal(state).any())
        phase = f"phase {s.phase}, {self.book.look.phases[int(s.phase)]}"
        require(acts, f"{self.name}: player {s.to_move} to move has no legal action ({phase})")

    # Trying.

    def playout(self, states: States, seed: int | None = None, agent: str = "random") -> npt.NDArray[np.float64]:
        """(n, P) float64: what everyone is paid from here to the end, in games that `agent` plays with himself.

        `agent`: `"random"` or `"greedy"`, in every seat; who plays what depends on (seed, index) only, and chance on
        the states (see `copies`). These stay as they are; where one is over already, nobody is paid. Raises ValueError
        for another agent.
        """
        rewards: npt.NDArray[np.float64] = agents.playout(self, states, agent, seed)
        return rewards

    # Looking.

    def planes(self, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """(n, C, H, W), for convolutions: the (n, D) `observations` laid on the board, planes as `plane_names` says.

        Raises ValueError for a game whose board is no grid and for observations that do not fit.
        """
        (_, columns), width = self._planes, len(self.observation_fields)
        if observations.shape[-1:] != (width,):
            raise ValueError(f"observations must have shape (n, {width}), got {observations.shape}")
        # A column of zeros comes last, where -1 finds it.
        return np.pad(observations, [(0, 0)] * (observations.ndim - 1) + [(0, 1)])[..., columns]

    @property
    def plane_names(self) -> tuple[str, ...]:
        """What each plane of `planes` shows: columns of the observation, those of all places together by one name."""
        return self._planes[0]

    @cached_property
    def _planes(self) -> tuple[tuple[str, ...], npt.NDArray[np.int64]]:
        grid = self.book.look.grid(self._agreed)
        if not grid:
            raise ValueError(f"{self.name} has no planes: its board is no grid")
        return planes(self.column_kinds, grid)

    def standing(self, states: States) -> dict[str, npt.NDArray[Any]]:
        """How everyone stands in the campaigns `states`, in the order of the players.

        `round_number` (n,), the round; `owned` (n, P), parts of the board; `worth` (n, P), what decides a campaign, as
        it stood after the last round; and the book's accounts, with debts `debt` (n, P, P), what i owes j (`worth` is
        as it is now then). All int64. Raises ValueError for a game that is no campaign.
        """
        if not self.campaign or not self.book.campaign:
            raise ValueError(f"{self.header} is no campaign: make it with campaign=True")
        view = self.view(states)
        owned, worth = (np.empty((len(view), self.num_players), np.int64) for _ in range(2))
        self.bind(kernels.standing_loop)(view, owned, worth)
        accounts = {name: view[name].astype(np.int64) for name in self.book.campaign.accounts}
        return {"round_number": view["round_number"].astype(np.int64), "owned": owned, "worth": worth, **accounts}

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What each action is about."""
        return tuple(chain.from_iterable(self.action_kinds))

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """What each action is in words."""
        return tuple(action.name for action in self.actions)

    @property
    def symmetries(self) -> list[Symmetry]:
        """How boards that look different are the same: all ways but the one that changes nothing."""
        return [symmetry(self.column_kinds, self.action_kinds, turned) for turned in self.book.symmetries(self._agreed)]

    def names_for(self, player: int) -> tuple[str, ...]:
        """Return what each action of the player does, in words, with places numbered as on the drawn board.

        These are the `action_names`, unless actions are seen from the mover's side and player 1 sees the board turned.
        """
        return self._turned_names if player == 1 else self.action_names

    def actions_for(self, player: int) -> tuple[Action, ...]:
        """Return what each action of the player is about, with places and directions as on the drawn board."""
        return self._turned_actions if player == 1 else self.actions

    @cached_property
    def _turned_actions(self) -> tuple[Action, ...]:
        if not self.book.look.turn:
            return self.actions
        turn = self.book.look.turn(self._agreed)
        return tuple(chain.from_iterable(map(turn.actions, self.action_kinds)))

    @cached_property
    def _turned_names(self) -> tuple[str, ...]:
        return tuple(action.name for action in self._turned_actions)

    def _one(self, state: States) -> States:
        """The one given state, (1,) of `dtype`; ValueError for another number of them, or one of another game."""
        state = one(self._checked(np.atleast_1d(state)))
        if state["rules"][0] != self._rules:
            raise self._refusal(state)
        return state

    def board(self, state: States) -> Board:
        """What the one given game looks like, for `render`."""
        return self.book.look.board(self._one(state).view(np.recarray)[0])

    def show(self, state: States) -> None:
        """Print the board of the one given game."""
        print(render.draw_text(self.board(state)))

    def svg(self, state: States) -> str:
        """The board of the one given game as a vector picture, an SVG document."""
        return render.draw_svg(self.board(state))

    def explain(self, state: States, action: int, *, draws: Sequence[Any] | None = None) -> list[str]:
        """What `step` would do to the one given game, in words, line by line; the state stays as it is.

        First who takes the action and its name, then what happens one after the other, settlements and throws
        included, then what was paid and who is to move for what. Chance is the state's own, so that it is told what
        `step` does then; `draws`: see `step`. It is played in plain Python, some thousand times slower. Raises as
        `step` does.
        """
        return self._tell(self._one(state).copy(), action, draws)

    def _tell(self, states: States, action: int, draws: Sequence[Any] | None = None) -> list[str]:
        """`explain`; here the states (1,) are changed as by `step`."""
        may_play, pay = self.plain.bind(kernels.may_play), self.plain.bind(kernels.pay)
        records = self.records(states).view(np.recarray)
        s, chosen = records[0], int(self._actions(np.atleast_1d(action), 1)[0])
        over = s.to_move == NOBODY
        if over and chosen == -1:
            return [self.board(states).heading]
        if over or not may_play(s, chosen):
            raise IllegalAction(0, chosen, [] if over else [a for a in range(self.num_actions) if may_play(s, a)])
        lines = [f"player_{s.to_move}: {self.names_for(s.to_move)[chosen]}"]
        play = telling(self.book, self.campaign).bind(kernels.move)
        with nullcontext() if draws is None else self._scripted(0, read_draws(draws, 1)[0]):
            pays, told = tale_of(play, s, chosen)
        paid = [pay(s, p) for p in range(self.num_players)] if pays else []
        if any(paid):
            told.append("paid: " + ", ".join(f"player_{p} {reward:+.3g}" for p, reward in enumerate(paid)))
        decision = "" if s.to_move == NOBODY else f": {self.book.look.phases[int(s.phase)]}"
        return [*lines, *told, self.board(states).heading + decision]

    # Notation.

    def text(self, state: States, player: int | None = None) -> str:
        """One line for the whole state of one game, chance included; `parse` gives it back exactly.

        With `player`, only what that player may know: chance is a "?", and so the text none to be parsed. Raises
        ValueError for a state of other options, of which it would tell these.
        """
        work = self._one(state)
        if self.difference(work):
            raise self._refusal(work)
        if player is not None:
            whole = isinstance(player, int | np.integer) and not isinstance(player, bool)
            if not (whole and 0 <= player < self.num_players):
                raise ValueError(f"player must be one of 0..{self.num_players - 1}, got {player!r}")
            work = work.copy()
            self.bind(kernels.hide_loop)(self.records(work), player)
        unknown = () if player is None else ("chance",)
        return notation.written(self.header, work.view(np.recarray), self._noted_fields, unknown)

    def parse(self, text: str) -> np.recarray[Any, Any]:
        """(1,) recarray from `text`. Raises ValueError naming what is wrong with it, TypeError for what is no text."""
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, as `text` gives it, got {type(text).__name__}")
        state = self.init(1, 0)
        given = notation.read(self.name, self.header, text, state, self._noted_fields)
        self._check(state, given - {"ended"})
        return state

    @property
    def _noted_fields(self) -> list[str]:
        hidden = [name for name in self._own_fields if name in self.book.positions.hidden]
        return [*self.position_fields, *hidden, "chance"]
