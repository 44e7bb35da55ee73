"""`RuleBook`, what a game file declares, and `Game`, the rules bound to options and ready for batches."""

import re
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from mancala_envs.core import kernels, lanes, outcome
from mancala_envs.core.binding import bound
from mancala_envs.core.board import Board
from mancala_envs.core.chance import SCRIPT_END, script
from mancala_envs.core.observation import Column, nothing_hidden
from mancala_envs.core.options import Option, resolve
from mancala_envs.core.rule import Rule, entry
from mancala_envs.core.shards import in_shards
from mancala_envs.core.state import ENGINE_FIELDS, IN_PLAY, MOST_SEEDS, NOBODY, kernel_dtype

States = npt.NDArray[Any]


_INTEGERS = (int, np.integer)
"""A union of the two would be made anew wherever it is asked for, and costs as much as a small kernel."""
_INT64 = np.dtype(np.int64)
"""NumPy's own: what it is equal to costs more to ask than what it is."""
_NOBODY_IN_PARTICULAR = np.empty(0, np.int64)


class IllegalAction(ValueError):
    """An action that is not legal. `index`: which game of the batch; `action`; `legal`: what would be allowed."""

    def __init__(self, index: int, action: object, legal: Sequence[int]) -> None:
        self.index, self.action, self.legal = index, action, list(legal)
        allowed = f"legal are {self.legal}" if self.legal else "the game is over and takes only -1"
        super().__init__(f"action {action} of game {index} is illegal: {allowed}; no state was changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalAction, (self.index, self.action, self.legal)


@dataclass(frozen=True, eq=False)
class RuleBook:
    """All that one game file says. Rules: see core.kernels. Everything else is ordinary Python."""

    name: str
    title: str
    page: str
    """The module docstring."""
    options: tuple[Option, ...]
    record: Callable[[Mapping[str, Any]], np.dtype[Any]]
    """Sizes -> dtype of the record, without the options' own fields."""
    seeds: Callable[[Mapping[str, Any]], int]
    """Options -> seeds of the set-up."""
    num_actions: Rule
    begin: Rule
    legal: Rule
    play: Rule
    captured: Rule
    count: Rule
    total: Rule
    observe: Rule
    observation: Callable[[Mapping[str, Any]], list[Column]]
    board: Callable[[Any], Board]
    check: Callable[[Any, Mapping[str, Any], frozenset[str]], None]
    """(record, options, names of given fields): completes hidden fields of a loaded position, or ValueError."""
    phases: Mapping[int, str]
    """The kinds of decision, by number."""
    action_names: Callable[[Mapping[str, Any]], list[str]]
    campaign_options: tuple[Option, ...] = ()
    between_rounds: tuple[Rule, ...] = ()
    """Rules that only campaigns reach, with no result or a truth value; rounds are compiled without them."""
    hidden: tuple[str, ...] = ()
    """Fields that `load` fills in by itself."""
    derived: tuple[str, ...] = ()
    """Those of them that follow from the others, so that no text gives them."""
    seeds_of: Callable[[Any], int] = lambda s: int(s.holes.sum()) + int(s.store.sum())
    """Record -> seeds of the position, wherever they are."""
    deciding: Callable[[Mapping[str, Any]], int] | None = None
    """Options -> how many players, the first ones, ever decide; None: all."""
    hide: Rule = nothing_hidden
    has_chance: Callable[[Mapping[str, Any], bool], bool] = lambda options, campaign: False
    """(options, campaign): whether `begin` or `play` ever draws."""
    has_secrets: Callable[[Mapping[str, Any]], bool] = lambda options: False
    """Options -> whether there is ever something to `hide`."""
    ahead: Rule = outcome.ahead
    legal_word: Rule = kernels.legal_word
    legal_flags: Rule = lanes.legal_flags
    play_words: Rule = lanes.play_words
    settle: Rule = lanes.settle
    max_turns: Rule = lanes.max_turns
    abreast: Callable[[Mapping[str, Any]], bool] = lambda options: False
    """Options -> whether the four rules above hold, so that games are played abreast."""
    best: Rule = outcome.best
    share: Rule = outcome.share
    owned: Rule = outcome.no_holes
    worth: Rule = outcome.worth
    agree: Callable[[Mapping[str, Any], bool], None] = lambda options, campaign: None
    """(options, campaign): ValueError for options that are allowed one by one but not together."""

    @property
    def has_campaign(self) -> bool:
        """Whether its rounds can be tied together."""
        return bool(self.campaign_options)


@cache
def _dtype(book: RuleBook, sizes: tuple[tuple[str, Any], ...]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    # One object per game and size: Numba compares another, equal one field by field at every call.
    record = book.record(dict(sizes))
    assert record.fields is not None
    plain = [(name, *_format(record.fields[name][0])) for name in record.names or ()]
    agreed = [option.field for option in (*book.options, *book.campaign_options) if not option.size]
    if book.has_campaign:
        agreed.append(("campaign", "u1"))
    # Whole words to a record, so that every record of a batch is aligned.
    size = np.dtype([*plain, *agreed]).itemsize
    end = [("end", "u1", (-size % 8,))] if size % 8 else []
    trailing = [entry for entry in plain if entry[0] in book.hidden and len(entry) == 3 and len(entry[2]) == 2]
    leading = [entry for entry in plain if entry not in trailing]
    return _with_kernel_dtype(np.dtype([*leading, *agreed, *end, *trailing]))


@cache
def _with_kernel_dtype(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    # Games whose records are alike, as two of Parker's are, share these objects: an equal other one is slow too.
    return dtype, kernel_dtype(dtype)


def _format(dtype: np.dtype[Any]) -> tuple[Any, ...]:
    return (dtype.base, dtype.shape) if dtype.shape else (dtype,)


class Game:
    """The rules of one game with its options agreed, over batches of games in progress.

    A batch is a 1-D array of `dtype`; `init` makes it a recarray. All methods that change states do so in place.
    """

    def __init__(self, book: RuleBook, name: str, campaign: bool, options: Mapping[str, Any]) -> None:
        if campaign not in (False, True):
            raise ValueError(f"{name}: campaign={campaign!r} is not allowed; it must be one of False, True")
        if campaign and not book.has_campaign:
            raise ValueError(f"{name} has no campaign; campaign must be False")
        every = resolve(name, (*book.options, *book.campaign_options), options)
        for option in book.campaign_options:
            if not campaign and every[option.name] != option.usual(every):
                raise ValueError(f"{name}: option {option.name} needs campaign=True")
        book.agree(every, bool(campaign))
        self.book = book
        self.name = name
        self.campaign = bool(campaign)
        self._agreed = every
        only_campaign = {option.name for option in book.campaign_options}
        self.options: dict[str, Any] = {k: v for k, v in every.items() if campaign or k not in only_campaign}
        self.seeds = book.seeds(every)
        if self.seeds > MOST_SEEDS:
            raise ValueError(f"{name}: {self.seeds} seeds in play; at most {MOST_SEEDS} are allowed")
        sizes = tuple((option.name, every[option.name]) for option in book.options if option.size)
        self.dtype, self._kernel_dtype = _dtype(book, sizes)
        blank = self._template()
        self._blank = blank
        self.num_players: int = len(blank[0]["store"])
        self.num_deciding: int = book.deciding(every) if book.deciding else self.num_players
        """Players 0 up to this one decide; the others only receive."""
        self.has_chance: bool = book.has_chance(every, self.campaign)
        """Whether chance ever decides anything."""
        self.has_secrets: bool = book.has_secrets(every)
        """Whether anything is ever hidden from a player."""
        self.action_names: tuple[str, ...] = tuple(book.action_names(every))
        self.num_actions: int = len(self.action_names)
        self.observation_fields: tuple[Column, ...] = tuple(book.observation({**every, "campaign": self.campaign}))
        """One `Column` for each column of the observation."""
        highest = max(column.high for column in self.observation_fields)
        self.observation_dtype: np.dtype[Any] = np.dtype(np.min_scalar_type(highest))
        self._none = self.records(np.empty(0, self.dtype))
        self._seen: tuple[weakref.ref[States], States] | None = None
        loops = lanes if book.abreast(every) else kernels
        # In rollouts abreast games leave their records, on which a settlement of the book's own depends.
        self._rollout = self.bind((loops if book.settle is lanes.settle else kernels).rollout_loop)
        self._init, self._legal, self._legal_bits, self._sample, self._illegal, self._step, self._observe = (
            self.bind(loop)
            for loop in (
                kernels.init_loop,
                kernels.legal_loop,
                kernels.legal_bits_loop,
                loops.sample_loop if self.num_actions <= 64 else kernels.sample_many_loop,
                kernels.illegal_loop,
                loops.step_loop,
                loops.observe_loop,
            )
        )
        self._checked_step = self.bind(kernels.checked_step_loop, illegal_loop=self._illegal, step_loop=self._step)
        for name in ("_legal", "_sample", "_checked_step", "_observe"):
            self._call_at_once(name)

    def __repr__(self) -> str:
        return f"Game({self.header})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self.name, self.campaign, self.options)

    @property
    def header(self) -> str:
        """Name and the options that are not the default, as `text` begins."""
        every = (*self.book.options, *self.book.campaign_options)
        usual = {option.name: option.usual(self._agreed) for option in every}
        changed = [f"{k}={v}".replace(" ", "") for k, v in self.options.items() if v != usual[k]]
        if self.campaign:
            changed.append("campaign=True")
        return self.name + (f"({','.join(changed)})" if changed else "")

    def bind(self, loop: Rule, tag: str = "", **extra: Rule) -> Rule:
        """`loop`, written against the names of core.kernels, compiled for this game.

        `extra`: further functions by the names the loop calls them; `tag` then tells one such copy from another.
        """
        return bound(self.book, self.campaign, loop, tag, tuple(extra.items()))

    def _call_at_once(self, name: str) -> None:
        """After its first call, call a kernel without Numba asking what it is given: half the cost of a small batch.

        What it is given must always be of the same types.
        """
        # Else a game nobody has any more would keep itself, and the batch it saw last, until garbage is collected.
        kernel, game = getattr(self, name), weakref.proxy(self)

        def first(*arguments: Any) -> Any:
            result = kernel(*arguments)
            setattr(game, name, entry(kernel, arguments))
            return result

        setattr(self, name, first)

    # Making states.

    def _template(self) -> States:
        blank = np.zeros(1, self.dtype)
        for option in (*self.book.options, *self.book.campaign_options):
            if option.name in blank.dtype.names:
                blank[option.name] = option.stored(self._agreed[option.name])
        if self.book.has_campaign:
            blank["campaign"] = self.campaign
        return blank

    def init(self, n: int, seed: int | None = None) -> np.recarray[Any, Any]:
        """(n,) fresh games. Game i's chance depends on (seed, i) only; seed None draws one from the system.

        Raises ValueError for n below 1 or a seed outside 0..2^64-1.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise ValueError(f"n must be an integer of at least 1, got {n!r}")
        seeds = np.full(n, seed_word(seed), np.uint64)
        return self.init_each(seeds, np.arange(n, dtype=np.int64))

    def init_each(self, seeds: npt.NDArray[np.uint64], indices: npt.NDArray[np.int64]) -> np.recarray[Any, Any]:
        """(n,) fresh games, game i with the chance of (seeds[i], indices[i]); both (n,), uint64 and int64."""
        states = np.repeat(self._blank, len(seeds))
        self._init(self.records(states), seeds, indices)
        return states.view(np.recarray)

    def load(self, seed: int | None = None, **fields: Any) -> np.recarray[Any, Any]:
        """(1,) recarray: a position by the field names of the rules page, the rest as at the start.

        Raises TypeError for an unknown field and ValueError where the position contradicts itself or the rules, or
        the player to move cannot act.
        """
        state = self.init(1, seed)
        allowed = self.position_fields
        for name, value in fields.items():
            if name not in allowed:
                raise TypeError(f"{self.name} has no field {name!r}; it has {', '.join(allowed)}")
            self._set(state, name, value)
        self._check(state, frozenset(fields))
        if state[0]["to_move"] == NOBODY:
            raise ValueError(f"{self.name}: to_move is -1: a position that is over cannot be loaded")
        return state

    @property
    def position_fields(self) -> tuple[str, ...]:
        """The names `load` takes: all fields but options, chance and what follows from the others."""
        names = self.dtype.names or ()
        agreed = {option.name for option in (*self.book.options, *self.book.campaign_options)}
        left_out = {*agreed, *ENGINE_FIELDS, *self.book.hidden, "campaign", "filler", "end"}
        return tuple(name for name in names if name not in left_out)

    def _set(self, state: States, name: str, value: Any) -> None:
        assert self.dtype.fields is not None
        field = self.dtype.fields[name][0]
        try:
            given = np.asarray(value)
        except ValueError as error:
            raise ValueError(f"{self.name}: {name}: {error}") from None
        if given.shape != field.shape or not (np.issubdtype(given.dtype, np.integer) or given.dtype == bool):
            what = f"integers of shape {field.shape}" if field.shape else "one integer"
            raise ValueError(f"{self.name}: {name} must be {what}, got {value!r}")
        limits = np.iinfo(field.base)
        if given.size and (given.min() < limits.min or given.max() > limits.max):
            raise ValueError(f"{self.name}: {name} must lie in {limits.min}..{limits.max}, got {value!r}")
        state[name][0] = given

    def _check(self, state: States, given: frozenset[str]) -> None:
        s = state[0]

        def require(holds: bool, what: str) -> None:
            if not holds:
                raise ValueError(f"{self.name}: {what}")

        over = s["to_move"] == NOBODY
        require(over or 0 <= s["to_move"] < self.num_players, f"to_move must be 0..{self.num_players - 1}")
        require(int(s["phase"]) in self.book.phases, f"phase must be one of {sorted(self.book.phases)}")
        require(s["turn"] >= 0, "turn must be at least 0")
        # At the bound the round is over, but between rounds its last board still stands.
        between_rounds = self.campaign and s["phase"] != 0
        bound = self._agreed["max_turns"] + (over or between_rounds)
        require(s["turn"] < bound, f"turn must be below {bound}")
        require(s["round_number"] >= 1, "round_number must be at least 1")
        require(s["round_number"] == 1 or self.campaign, "round_number must be 1 without a campaign")
        limit = self._agreed.get("max_rounds", s["round_number"])
        require(s["round_number"] <= limit, f"round_number must be at most {limit}")
        if over:
            require(-1 <= s["winner"] < self.num_players, f"winner must be -1..{self.num_players - 1}")
            require(s["phase"] == 0 and s["ended"] in (1, 2), "phase must be 0 and ended 1 or 2 when over")
        else:
            require(s["winner"] == IN_PLAY, f"winner must be {IN_PLAY} while in play")
            require("ended" not in given or s["ended"] == 0, "ended must be 0 while in play")
        self.book.check(state.view(np.recarray)[0], {**self._agreed, "campaign": self.campaign}, given)
        seeds = self.book.seeds_of(state.view(np.recarray)[0])
        require(1 <= seeds <= self.seeds, f"the seeds must be 1 to {self.seeds} in all, got {seeds}")
        require(over or bool(self.legal(state).any()), f"player {s['to_move']} to move has no legal action")

    # Playing.

    def _checked(self, states: States) -> States:
        """`states`, or a contiguous copy. Raises TypeError or ValueError for what is not a batch of this game."""
        if not isinstance(states, np.ndarray):
            raise TypeError(f"states must be an array of {self.name}'s dtype, got {type(states).__name__}")
        if states.dtype != self.dtype:
            raise ValueError(f"states must have the dtype of {self!r}, {self.dtype}; got {states.dtype}")
        if states.ndim != 1:
            raise ValueError(f"states must have shape (n,), got {states.shape}")
        return states if states.flags.c_contiguous else states.copy()

    def view(self, states: States) -> States:
        """The kernels' view of checked `states`; that of the batch seen last is kept, for loops over one batch."""
        if self._seen is not None and self._seen[0]() is states is not None:
            return self._seen[1]
        work = self._checked(states)
        view = self.records(work)
        if work is states:
            self._seen = weakref.ref(states), view
        return view

    def records(self, states: States) -> States:
        """The kernels' view of contiguous states."""
        view = np.asarray(states).view(self._kernel_dtype)
        return view.view(np.recarray) if numba.config.DISABLE_JIT else view

    def legal(self, states: States) -> npt.NDArray[np.bool_]:
        """(n, num_actions) bool: what may be played now; all False once over."""
        view = self.view(states)
        out = np.empty((len(view), self.num_actions), np.bool_)
        self._legal(view, out)
        return out

    def legal_bits(self, states: States) -> npt.NDArray[np.uint64]:
        """(n, ceil(num_actions / 64)) uint64: `legal`, packed; action a is bit a % 64 of word a // 64."""
        view = self.view(states)
        out = np.empty((len(view), -(-self.num_actions // 64)), np.uint64)
        self._legal_bits(view, out)
        return out

    def sample(self, states: States, seed: int | None = None, *, threads: int = 1) -> npt.NDArray[np.int64]:
        """(n,) int64: a uniformly drawn legal action each, -1 where over; by (seed, index) only.

        `threads`: see `step`.
        """
        view = self.view(states)
        word = seed_word(seed)
        out = np.empty(len(view), np.int64)
        if threads == 1:
            self._sample(view, word, 0, out)
        else:
            in_shards(threads, len(view), lambda part: self._sample(view[part], word, part.start, out[part]))
        return out

    def step(
        self,
        states: States,
        actions: npt.ArrayLike,
        autoreset: bool = False,
        *,
        draws: Sequence[Any] | None = None,
        final: States | None = None,
        threads: int = 1,
    ) -> npt.NDArray[np.float32]:
        """Play one action in every game, in place; returns the (n, P) float32 rewards of this step.

        `actions`: (n,) integers, -1 for games that are over. `autoreset`: a game that ends starts anew at once; its
        chance goes on, and `ended` tells until the next step. `final`: (n,) states of the same dtype; row i receives
        the last state of game i if it ends now. `draws`: for each game the results of chance to use, in order, as
        integers or as recorded [what, sides, result]; then the generator is not asked. `threads`: into how many
        shards a batch of at least 131,072 games is cut, which are played at the same time; the results are the same.

        Raises IllegalAction for an action that is not legal, ValueError or TypeError for arrays that do not fit and
        for draws that are too few, too many or out of range. Nothing is changed then.
        """
        view = self.view(states)
        if not view.flags.writeable:
            raise ValueError("states are read-only: step changes them in place")
        chosen = self._actions(actions, len(view))
        last = self._none if final is None else self._final(final, len(view))
        rewards = np.zeros((len(view), self.num_players), np.float32)
        if draws is None:
            self._play(view, chosen, rewards, bool(autoreset), last, threads)
        else:
            played, ended = self._scripted(view, _results(draws, len(view))), last.copy()
            self._play(played, chosen, rewards, bool(autoreset), ended, threads)
            self._refuse_misfits(played)
            played["script"] = ended["script"] = 0
            view[:], last[:] = played, ended
        if not states.flags.c_contiguous:
            states[...] = np.asarray(view).view(self.dtype)
        return rewards

    def _final(self, final: States, n: int) -> States:
        if self._checked(final) is not final or len(final) != n:
            raise ValueError(f"final must be a contiguous array of shape ({n},), got {final.shape}")
        return self.records(final)

    def _actions(self, actions: npt.ArrayLike, n: int) -> npt.NDArray[np.int64]:
        chosen = np.asarray(actions)
        if chosen.dtype is _INT64 and chosen.shape == (n,) and chosen.flags.c_contiguous:
            return chosen
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"actions must be integers, got dtype {chosen.dtype}")
        if chosen.shape != (n,):
            raise ValueError(f"actions must have shape ({n},), got {chosen.shape}")
        if chosen.dtype == np.uint64:  # the largest of these must not become -1
            chosen = np.minimum(chosen, np.iinfo(np.int64).max)
        return np.ascontiguousarray(chosen, np.int64)

    def _play(
        self,
        records: States,
        chosen: npt.NDArray[np.int64],
        rewards: npt.NDArray[np.float32],
        autoreset: bool,
        last: States,
        threads: int,
    ) -> None:
        if threads == 1:
            index = int(self._checked_step(records, chosen, rewards, autoreset, last))
        else:
            shards = in_shards(
                threads, len(records), lambda part: (part.start, int(self._illegal(records[part], chosen[part])))
            )
            index = next((start + index for start, index in shards if index >= 0), -1)
        if index >= 0:
            state = np.asarray(records[index : index + 1]).view(self.dtype)
            raise IllegalAction(index, int(chosen[index]), np.flatnonzero(self.legal(state)[0]).tolist())
        if threads > 1:
            in_shards(
                threads,
                len(records),
                lambda part: self._step(records[part], chosen[part], rewards[part], autoreset, last[part]),
            )

    def _scripted(self, view: States, draws: list[list[int]]) -> States:
        copy = view.copy()
        copy["script"] = [script(results) for results in draws]
        return copy

    def _refuse_misfits(self, played: States) -> None:
        for index, word in enumerate(played["script"]):
            if word != SCRIPT_END:
                raise ValueError(f"draws of game {index} do not fit: too few, too many or out of range")

    def rollout(self, states: States, decisions: int, seed: int | None = None) -> int:
        """Play `decisions` uniformly random decisions in every game, in the kernel, starting anew at each end.

        States change in place and must be in play; returns the number of games that ended.
        """
        if isinstance(decisions, bool) or not isinstance(decisions, int | np.integer) or decisions < 0:
            raise ValueError(f"decisions must be an integer of at least 0, got {decisions!r}")
        work = self._checked(states)
        if (work["to_move"] == NOBODY).any():
            raise ValueError("rollout needs games in play")
        games = self._rollout(self.records(work), seed_word(seed), decisions)
        if work is not states:
            states[...] = work
        return int(games)

    # Looking.

    def observe(self, states: States, players: npt.ArrayLike | None = None) -> npt.NDArray[Any]:
        """(n, D) observations in `observation_dtype`, columns as `observation_fields` describes them.

        `players`: who looks, one integer or (n,); default the player to move (player 0 in games that are over).
        """
        view = self.view(states)
        if players is None:
            eyes = _NOBODY_IN_PARTICULAR
        else:
            eyes = np.asarray(players)
            if eyes.dtype.kind not in "iu" or eyes.shape not in ((), (len(view),)):
                raise ValueError(f"players must be one integer or integers of shape ({len(view)},), got {players!r}")
            eyes = np.ascontiguousarray(np.broadcast_to(eyes, (len(view),)), np.int64)
            if eyes.size and (eyes.min() < 0 or eyes.max() >= self.num_players):
                raise ValueError(f"players must lie in 0..{self.num_players - 1}, got {players!r}")
        out = np.empty((len(view), len(self.observation_fields)), self.observation_dtype)
        self._observe(view, eyes, out)
        return out

    def standing(self, states: States) -> dict[str, npt.NDArray[Any]]:
        """How everyone stands in the campaigns `states`, in the order of the players.

        `round_number` (n,), the round; `owned` (n, P), holes; `worth` (n, P), what counts at the campaign's end, as it
        stood after the last round (with the debts: as it is now); where the game has debts `debt` (n, P, P), what i
        owes j. All int64. Raises ValueError for a game that is no campaign.
        """
        if not self.campaign:
            raise ValueError(f"{self.header} is no campaign: make it with campaign=True")
        view = self.view(states)
        owned, worth = (np.empty((len(view), self.num_players), np.int64) for _ in range(2))
        self.bind(kernels.standing_loop)(view, owned, worth)
        standing = {"round_number": view["round_number"].astype(np.int64), "owned": owned, "worth": worth}
        if "debt" in (self.dtype.names or ()):
            standing["debt"] = view["debt"].astype(np.int64)
        return standing

    def board(self, state: States) -> Board:
        """What the one given game looks like, for `render`."""
        return self.book.board(one(self._checked(np.atleast_1d(state))).view(np.recarray)[0])

    # Notation.

    def text(self, state: States, player: int | None = None) -> str:
        """One line for the whole state of one game, chance included; `parse` gives it back exactly.

        With `player`, only what that player may know: chance is a "?", and so the text none to be parsed.
        """
        work = one(self._checked(np.atleast_1d(state)))
        if player is not None:
            if not 0 <= player < self.num_players:
                raise ValueError(f"player must lie in 0..{self.num_players - 1}, got {player}")
            work = work.copy()
            self.bind(kernels.hide_loop)(self.records(work), player)
        fields = {name: _written(work[0][name]) for name in self._noted_fields}
        if player is not None:
            fields["chance"] = "?"
        return " ".join([self.header, *(f"{name}={value}" for name, value in fields.items())])

    def parse(self, text: str) -> np.recarray[Any, Any]:
        """(1,) recarray from `text`. Raises ValueError naming what is wrong with it."""
        header, *words = text.split(" ")
        if header != self.header:
            raise ValueError(f"the text is for {header!r}, this game is {self.header!r}")
        given = dict(word.split("=", 1) for word in words if "=" in word)
        expected = self._noted_fields
        if len(words) != len(given) or set(given) != set(expected):
            raise ValueError(f"the text must give each of {', '.join(expected)} once, as name=value")
        state = self.init(1, 0)
        for name in expected:
            self._read(state, name, given[name])
        self._check(state, frozenset(given) - {"ended"})
        return state

    @property
    def _noted_fields(self) -> list[str]:
        noted = set(self.dtype.names or ()).difference(self.book.derived)
        hidden = [name for name in self.book.hidden if name in noted]
        return [*self.position_fields, *hidden, "chance"]

    def _read(self, state: States, name: str, word: str) -> None:
        assert self.dtype.fields is not None
        field = self.dtype.fields[name][0]
        base, number = (16, "[0-9a-f]+") if field.base == np.uint64 else (10, "-?[0-9]+")
        if not re.fullmatch(f"({number}(,{number})*)?", word):
            raise ValueError(f"{name}={word!r} is not a list of numbers")
        numbers = [int(digits, base) for digits in word.split(",")] if word else []
        if field.base == np.uint64:
            size = int(np.prod(field.shape, dtype=int))
            if len(numbers) > size or any(not 0 <= number < 2**64 for number in numbers):
                raise ValueError(f"{name} takes at most {size} words of 64 bits")
            flat = np.array(numbers + [0] * (size - len(numbers)), np.uint64)
            state[name][0] = flat.reshape(field.shape)
        elif not field.shape and len(numbers) == 1:
            self._set(state, name, numbers[0])
        else:
            fits = len(numbers) == int(np.prod(field.shape, dtype=int))
            self._set(state, name, np.reshape(numbers, field.shape) if fits else numbers)


def _remake(name: str, campaign: bool, options: dict[str, Any]) -> Game:
    from mancala_envs import make_game  # The registry stands above; only unpickling needs it.

    return make_game(name, campaign, **options)


def _written(value: Any) -> str:
    if value.dtype == np.uint64:
        words = np.trim_zeros(np.ravel(value), "b") if value.ndim else np.ravel(value)
        return ",".join(f"{int(word):x}" for word in words)
    return ",".join(map(str, np.ravel(value).tolist()))


def one(states: States) -> States:
    """`states` if it is one game; else ValueError."""
    if len(states) != 1:
        raise ValueError(f"one game is needed, got {len(states)}")
    return states


def seed_word(seed: int | None) -> np.uint64:
    """A seed as the generator's word; None draws one from the system."""
    if seed is None:
        return np.uint64(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(seed, bool) or not isinstance(seed, _INTEGERS) or not 0 <= seed < 2**64:
        raise ValueError(f"seed must be None or an integer from 0 to 2^64 - 1, got {seed!r}")
    return np.uint64(seed)


def _results(draws: Sequence[Any], n: int) -> list[list[int]]:
    """Every game's results, whether given as integers or as recorded [what, sides, result]."""

    def result(entry: Any) -> int:
        last = entry[-1] if isinstance(entry, list | tuple) and len(entry) == 3 else entry
        if isinstance(last, bool) or not isinstance(last, int | np.integer):
            raise ValueError(f"a draw must be an integer or [what, sides, integer], got {entry!r}")
        return int(last)

    if not isinstance(draws, Sequence | np.ndarray) or isinstance(draws, str) or len(draws) != n:
        raise ValueError(f"draws must be a sequence of one row for each of the {n} games, got {draws!r}")
    return [[result(entry) for entry in (row if isinstance(row, Sequence | np.ndarray) else [row])] for row in draws]
