"""`Game`: the rules of one game bound to options and ready for batches."""

import weakref
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from mancala_envs.core import kernels, notation
from mancala_envs.core.actions import Action
from mancala_envs.core.batch import Batch
from mancala_envs.core.binding import code_of
from mancala_envs.core.board import Board
from mancala_envs.core.book import Fast, RuleBook, edition, telling
from mancala_envs.core.cache import is_kept
from mancala_envs.core.chance import MOST_SIDES, Scripts
from mancala_envs.core.observation import Column, layout, observation_dtype, planes
from mancala_envs.core.options import prefixed, require, resolve
from mancala_envs.core.position import check_position, set_field
from mancala_envs.core.record import NOBODY, Field, kernel_dtype, record_dtype
from mancala_envs.core.rule import Rule, entry_point
from mancala_envs.core.shards import in_shards
from mancala_envs.core.symmetry import Symmetry, symmetry
from mancala_envs.core.tale import tale_of

States = npt.NDArray[Any]


_INT64 = np.dtype(np.int64)
"""NumPy has one object of it, so that `is` can ask for it; `==` takes longer."""
_NOBODY_IN_PARTICULAR = np.empty(0, np.int64)
_ndim, _dtype, _flags = (getattr(np.ndarray, name).__get__ for name in ("ndim", "dtype", "flags"))
"""Of an array, without the detour through the fields that a recarray makes for every attribute."""


class IllegalAction(ValueError):
    """An action that is not legal. `index`: which game of the batch; `action`; `legal`: what would be allowed.

    `opponent`: who chose it in words, "" for the caller himself; then the caller's own action has been played already.
    """

    def __init__(self, index: int, action: object, legal: Sequence[int], opponent: str = "") -> None:
        self.index, self.action, self.legal, self.opponent = index, action, list(legal), opponent
        allowed = f"legal are {self.legal}" if self.legal else "the game is over and takes only -1"
        whose = f" by opponent {opponent}" if opponent else ""
        so = "reset before the next step" if opponent else "no state was changed"
        shown = int(action) if isinstance(action, np.integer) else action
        super().__init__(f"action {shown!r} of game {index}{whose} is illegal: {allowed}; {so}")

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalAction, (self.index, self.action, self.legal, self.opponent)


@cache
def _dtypes(book: RuleBook, sizes: tuple[tuple[str, Any], ...]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The dtype of a record and the kernels' view of it. One object each per game and sizes: Numba compares another,
    equal one field by field at every call."""
    agreed = [option.field for option in book.every_option if not option.size]
    if book.campaign:
        agreed.append(Field("campaign", "u1", "whether rounds are tied together"))
    return _with_kernel_dtype(record_dtype([*book.record(dict(sizes)), *agreed]))


@cache
def _with_kernel_dtype(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    # Games whose records are alike, as those of some related games are, share these objects.
    return dtype, kernel_dtype(dtype)


class Kernel:
    """A loop bound to a game. After its first call `call` enters it without Numba asking what it is given, which halves
    the cost of a small batch; so what it is given must always be of the same types."""

    def __init__(self, loop: Rule) -> None:
        self._loop = loop
        self.call: Rule = self._call_first

    @property
    def is_kept(self) -> bool:
        """Whether it lies compiled in the cache on disk."""
        return is_kept(self._loop)

    def _call_first(self, *arguments: Any) -> Any:
        try:
            result = self._loop(*arguments)
        except Exception as error:
            # From the compiler, or from a rule.
            error.add_note("Run the rules as plain Python first, with MANCALA_ENVS_DEBUG=1: it names the faulty line.")
            raise
        self.call = entry_point(self._loop, arguments)
        return result


class Game:
    """The rules of one game with its options agreed, over batches of games in progress.

    A batch is a 1-D array of `dtype`; `init` makes it a recarray, which shows itself as text. One record of it,
    `states[0]`, is taken as a batch of one everywhere. All methods that change states do so in place. `states.copy()`
    copies chance too, so that copies go the same way and a search among them would foresee it: `copies` makes those
    that do not.

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
        book: the rules, its `page` among them.
    """

    def __init__(
        self, book: RuleBook, name: str, campaign: bool, options: Mapping[str, Any], fast: Fast | None = None
    ) -> None:
        if campaign not in (False, True):
            raise ValueError(f"{name}: campaign={campaign!r} is not allowed; it must be one of False, True")
        if campaign and not book.campaign:
            raise ValueError(f"{name} has no campaign; campaign must be False")
        every = resolve(name, book.every_option, options)
        for option in book.campaign_options:
            if not campaign and every[option.name] != option.usual(every):
                raise ValueError(f"{name}: option {option.name} needs campaign=True")
        self.book = book
        self.name = name
        self.campaign = bool(campaign)
        self._agreed = {**every, "campaign": self.campaign}
        with prefixed(name):
            book.agree(self._agreed, self.campaign)
        only_campaign = {option.name for option in book.campaign_options}
        self.options: dict[str, Any] = {k: v for k, v in every.items() if campaign or k not in only_campaign}
        sizes = tuple((option.name, every[option.name]) for option in book.options if option.size)
        self._own_fields = tuple(field.name for field in book.record(every))
        self.dtype, self._kernel_dtype = _dtypes(book, sizes)
        self._blank = self._template()
        self._fast = fast if fast and fast.fits(every) else None
        self._edition = edition(book, self.campaign, self._fast)
        self.num_players: int = int(code_of(book.rules.num_players)(self._blank.view(np.recarray)[0]))
        self.num_deciding: int = book.deciding(every) if book.deciding else self.num_players
        """Players 0 up to this one decide; the others only receive."""
        self.has_chance: bool = book.has_chance(every, self.campaign)
        """Whether chance ever decides anything."""
        self.has_secrets: bool = book.has_secrets(every)
        """Whether anything is ever hidden from a player."""
        self.action_kinds = book.look.actions(self._agreed)
        self.num_actions: int = sum(map(len, self.action_kinds))
        self.column_kinds = book.look.observation(self._agreed)
        self.observation_fields: tuple[Column, ...] = tuple(chain.from_iterable(self.column_kinds))
        """One `Column` for each column of the observation."""
        self.observation_dtype: np.dtype[Any] = observation_dtype(self.column_kinds)
        self._num_columns = len(self.observation_fields)
        self.layout: np.dtype[Any] = layout(self.column_kinds)
        self._none = self.records(np.empty(0, self.dtype))
        self._seen: tuple[weakref.ref[States], States, np.dtype[Any]] | None = None
        self._init = Kernel(self.bind(kernels.init_loop))
        few = self.num_actions <= 64
        self._legal = Kernel(self.bind(kernels.legal_loop if few else kernels.legal_many_loop))
        self._legal_bits = Kernel(self.bind(kernels.legal_bits_loop))
        self._sample = Kernel(self.bind(kernels.sample_loop if few else kernels.sample_many_loop))
        self._illegal = Kernel(self.bind(kernels.illegal_loop))
        self._step = Kernel(self.bind(kernels.step_loop))
        self._checked_step = Kernel(self.bind(kernels.checked_step_loop))
        self._observe = Kernel(self.bind(kernels.observe_loop))
        self._rollout = Kernel(self.bind(kernels.rollout_loop))

    def __repr__(self) -> str:
        return f"Game({self.header})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self.name, self.campaign, self.options)

    @property
    def header(self) -> str:
        """Name and the options that are not the default, as `text` begins."""
        usual = {option.name: option.usual(self._agreed) for option in self.book.every_option}
        changed = [f"{k}={v}".replace(" ", "") for k, v in self.options.items() if v != usual[k]]
        if self.campaign:
            changed.append("campaign=True")
        return self.name + (f"({','.join(changed)})" if changed else "")

    def bind(self, loop: Rule) -> Rule:
        """`loop`, written against the names of core.contract and core.kernels, compiled for this game."""
        return self._edition.bind(loop)

    def num_kept(self) -> tuple[int, int]:
        """How many of its loops lie compiled in the cache on disk, and how many there are."""
        kernels = [value for value in vars(self).values() if isinstance(value, Kernel)]
        return sum(kernel.is_kept for kernel in kernels), len(kernels)

    def try_plain(self, decisions: int = 50, forms: Mapping[Rule, Rule] | None = None) -> None:
        """Play random decisions in plain Python, where an error in a rule is an ordinary one that names its line.

        `forms`: functions to be called in place of some rules, instead of the packed forms.
        """
        fast = self._fast if forms is None else Fast(forms)
        bind = edition(self.book, self.campaign, fast, compiled=False).bind
        states = self._blank.view(self._kernel_dtype).view(np.recarray).copy()
        actions, rewards = np.zeros(1, np.int64), np.zeros((1, self.num_players), np.float32)
        seen = np.zeros((1, len(self.observation_fields)), self.observation_dtype)
        bind(kernels.init_loop)(states, np.zeros(1, np.uint64), np.zeros(1, np.int64))
        for decision in range(decisions):
            bind(kernels.sample_many_loop)(states, np.uint64(decision), 0, actions)
            bind(kernels.observe_loop)(states, np.empty(0, np.int64), seen, self.layout)
            bind(kernels.checked_step_loop)(states, actions, rewards, True, states[:0])

    # Making states.

    def _template(self) -> States:
        blank = np.zeros(1, self.dtype)
        for option in self.book.every_option:
            if option.name in (blank.dtype.names or ()):
                blank[option.name] = option.stored(self._agreed[option.name])
        if self.book.campaign:
            blank["campaign"] = self.campaign
        return blank

    def init(self, n: int, seed: int | None = None, *, draws: Sequence[Any] | None = None) -> np.recarray[Any, Any]:
        """(n,) fresh games. Game i's chance depends on (seed, i) only; seed None draws one from the system.

        `draws`: for each game the results of chance with which it begins, as `step` takes them.
        Raises ValueError for n below 1, a seed outside 0..2^64-1 and draws that do not fit.
        """
        _require_some(n)
        words = np.full(n, seed_word(seed), np.uint64)
        return self.init_each(words, np.arange(n, dtype=np.int64), draws=draws)

    def init_each(
        self, words: npt.NDArray[np.uint64], indices: npt.NDArray[np.int64], *, draws: Sequence[Any] | None = None
    ) -> np.recarray[Any, Any]:
        """(n,) fresh games, game i with the chance of (words[i], indices[i]); both (n,) integers. `draws`: see `init`.

        Raises ValueError where they are not as many.
        """
        words, indices = np.ascontiguousarray(words, np.uint64), np.ascontiguousarray(indices, np.int64)
        if words.ndim != 1 or words.shape != indices.shape:
            raise ValueError(f"words and indices must have one shape (n,), got {words.shape} and {indices.shape}")
        states = np.repeat(self._blank, len(words))
        records = self.records(states)
        scripts = None if draws is None else _begin_scripts(records, draws)
        self._init.call(records, words, indices)
        if scripts:
            _end_scripts(records, scripts)
        return Batch.of(self, states)

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
        if fault := self.agreed_otherwise(work):
            raise ValueError(f"{self.name}: {fault}")
        again = work.copy().view(np.recarray)
        given = frozenset(self._noted_fields) - {"ended"}
        for index in range(len(again)):
            s = again[index]
            with prefixed(f"state {index}: {self.name}"):
                check_position(self.book, self.num_players, self._agreed, s, given)
            differ = [name for name in self.book.positions.hidden if (s[name] != work[index][name]).any()]
            require(not differ, f"{self.name}: state {index}: {', '.join(differ)} must follow from the other fields")
        # What is legal can be asked only of states that are some.
        stuck = _first((work["to_move"] != NOBODY) & ~self.legal(work).any(axis=1))
        require(stuck < 0, f"{self.name}: state {stuck}: the player to move has no legal action")

    def agreed_otherwise(self, states: States) -> str:
        """In words what shows that one of `states` (n,) is of other options; "" where all are of these."""
        states = alone(states)
        # A script other than 0 would be an address, from which draws are read.
        for name in (*self._agreed, "script"):
            if name in (self.dtype.names or ()):
                other = _first((states[name] != self._blank[name]).reshape(len(states), -1).any(axis=1))
                if other >= 0:
                    return f"state {other}: {name} is not that of {self!r}"
        return ""

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

    # Playing.

    def _checked(self, states: States) -> States:
        """`states`, or a contiguous copy. Raises TypeError or ValueError for what is not a batch of this game."""
        states = alone(states)
        if not isinstance(states, np.ndarray):
            raise TypeError(f"states must be an array of {self.name}'s dtype, got {type(states).__name__}")
        if states.dtype != self.dtype:
            raise ValueError(f"states must have the dtype of {self!r}, {self.dtype}; got {states.dtype}")
        if states.ndim != 1:
            raise ValueError(f"states must have shape (n,), got {states.shape}")
        return states if states.flags.c_contiguous else states.copy()

    def view(self, states: States) -> States:
        """The kernels' view of checked `states`; that of the batch seen last is kept, for loops over one batch."""
        # Taken once: another thread may see another batch meanwhile.
        seen = self._seen
        if seen is not None and seen[0]() is states is not None:
            _, view, dtype = seen
            # Who has the array may have given it another shape or dtype in place, but never another size.
            if _ndim(states) == 1 and _dtype(states) is dtype:
                return view
        work = self._checked(states)
        view = self.records(work)
        if work is states:
            self._seen = weakref.ref(states), view, _dtype(states)
        return view

    def records(self, states: States) -> States:
        """The kernels' view of contiguous states."""
        view = np.asarray(states).view(self._kernel_dtype)
        return view.view(np.recarray) if numba.config.DISABLE_JIT else view

    def legal(self, states: States) -> npt.NDArray[np.bool_]:
        """(n, num_actions) bool: what may be played now; all False once over."""
        view = self.view(states)
        out = np.empty((len(view), self.num_actions), np.bool_)
        self._legal.call(view, out)
        return out

    def legal_bits(self, states: States) -> npt.NDArray[np.uint64]:
        """(n, ceil(num_actions / 64)) uint64: `legal`, packed; action a is bit a % 64 of word a // 64."""
        view = self.view(states)
        out = np.empty((len(view), -(-self.num_actions // 64)), np.uint64)
        self._legal_bits.call(view, out)
        return out

    def sample(self, states: States, seed: int | None = None, *, threads: int = 1) -> npt.NDArray[np.int64]:
        """(n,) int64: a uniformly drawn legal action each, -1 where over; by (seed, index) only.

        `threads`: see `step`.
        """
        view = self.view(states)
        word = seed_word(seed)
        out = np.empty(len(view), np.int64)
        if threads == 1:
            self._sample.call(view, word, 0, out)
        else:
            in_shards(threads, len(view), lambda shard: self._sample.call(view[shard], word, shard.start, out[shard]))
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
        chance goes on, and `ended` tells until the next step. `final`: (n,) states of the same dtype in memory of their
        own; row i receives the last state of game i if it ends now. `draws`: for each game the results of chance to
        use, in order, as integers or as recorded [what, sides, result], those with which a new game begins included;
        then the generator is not asked. `threads`: into how many shards a batch of at least 131,072 games is cut, which
        are played at the same time; the results are the same.

        Raises IllegalAction for an action that is not legal, ValueError or TypeError for arrays that do not fit and
        for draws that are too few, too many or out of range. Nothing is changed then.
        """
        view = self.view(states)
        if isinstance(states, np.void):
            states = alone(states)
        flags = _flags(states)
        if not flags.writeable:
            raise _read_only("states", "step changes them in place")
        n = len(view)
        chosen = self._actions(actions, n)
        last = self._none if final is None else self._final(final, states)
        rewards = np.zeros((n, self.num_players), np.float32)
        if draws is None and threads == 1:
            # What training loops call: `_play` without the way to it, which small batches would feel.
            index = self._checked_step.call(view, chosen, rewards, bool(autoreset), last)
            if index >= 0:
                raise self._illegal_action(view, chosen, index)
        elif draws is None:
            self._play(view, chosen, rewards, bool(autoreset), last, threads)
        else:
            played, ended = view.copy(), last.copy()
            scripts = _begin_scripts(played, draws)
            self._play(played, chosen, rewards, bool(autoreset), ended, threads)
            _end_scripts(played, scripts)
            ended["script"] = 0
            view[:], last[:] = played, ended
        if not flags.c_contiguous:
            states[...] = np.asarray(view).view(self.dtype)
        return rewards

    def _final(self, final: States, states: States) -> States:
        final = alone(final)
        if self._checked(final) is not final or len(final) != len(states):
            raise ValueError(f"final must be a contiguous array of shape ({len(states)},), got {final.shape}")
        if not _flags(final).writeable:
            raise _read_only("final", "step writes ended games into it")
        if np.shares_memory(final, states):
            raise ValueError("final must not share memory with states: step changes both")
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
            index = self._checked_step.call(records, chosen, rewards, autoreset, last)
            if index >= 0:
                raise self._illegal_action(records, chosen, index)
            return
        shards = in_shards(
            threads,
            len(records),
            lambda shard: (shard.start, self._illegal.call(records[shard], chosen[shard])),
        )
        for start, index in shards:
            if index >= 0:
                raise self._illegal_action(records, chosen, start + index)
        in_shards(
            threads,
            len(records),
            lambda shard: self._step.call(records[shard], chosen[shard], rewards[shard], autoreset, last[shard]),
        )

    def _illegal_action(self, records: States, chosen: npt.NDArray[np.int64], index: int) -> IllegalAction:
        state = np.asarray(records[index : index + 1]).view(self.dtype)
        return IllegalAction(int(index), int(chosen[index]), np.flatnonzero(self.legal(state)[0]).tolist())

    def rollout(self, states: States, decisions: int, seed: int | None = None) -> int:
        """Play `decisions` uniformly random decisions in every game, in the kernel, starting anew at each end.

        States change in place and must be in play; returns the number of games that ended.
        """
        if isinstance(decisions, bool) or not isinstance(decisions, int | np.integer) or decisions < 0:
            raise ValueError(f"decisions must be an integer of at least 0, got {decisions!r}")
        states = alone(states)
        work = self._checked(states)
        if not _flags(states).writeable:
            raise _read_only("states", "rollout changes them in place")
        if (work["to_move"] == NOBODY).any():
            raise ValueError("rollout needs games in play")
        # Of what is no state of this game, such as zeros, somebody might look for a move for ever.
        if not self.legal(work).any(axis=1).all():
            raise ValueError("rollout needs states of this game, with a legal action in each: see check")
        games = self._rollout.call(self.records(work), seed_word(seed), int(decisions))
        if work is not states:
            states[...] = work
        return int(games)

    # Trying.

    def copies(
        self, states: States, n: int, seed: int | None = None, players: npt.ArrayLike | None = None
    ) -> np.recarray[Any, Any]:
        """(m * n,) recarray: n copies of each of m states, those of one state together, as `reseed` makes them.

        `players`: one integer or (m,). Raises ValueError for n below 1.
        """
        view = self.view(states)
        _require_some(n)
        copies = Batch.of(self, np.repeat(np.asarray(view).view(self.dtype), n))
        eyes = self._eyes(players, len(view))
        self.reseed(copies, seed, np.repeat(eyes, n) if len(eyes) else None)
        return copies

    def reseed(self, states: States, seed: int | None = None, players: npt.ArrayLike | None = None) -> None:
        """Give every game another chance, in place: what was to be drawn is drawn anew, by (seed, index) only.

        `players`: one integer or (n,), for whom to draw anew what is hidden from him too; default nobody. It is drawn
        when it counts, and unknown until then.
        """
        view = self.view(states)
        eyes = self._eyes(players, len(view))
        batch = alone(states)
        flags = _flags(batch)
        if not flags.writeable:
            raise _read_only("states", "reseed changes them in place")
        self.bind(kernels.reseed_loop)(view, seed_word(seed), eyes)
        if not flags.c_contiguous:
            batch[...] = np.asarray(view).view(self.dtype)

    def playout(self, states: States, seed: int | None = None, agent: str = "random") -> npt.NDArray[np.float64]:
        """(n, P) float64: what everyone is paid from here to the end, in games that `agent` plays with himself.

        `agent`: `"random"` or `"greedy"`, in every seat; who plays what depends on (seed, index) only, and chance on
        the states (see `copies`). These stay as they are; where one is over already, nobody is paid. Raises ValueError
        for another agent.
        """
        from mancala_envs.agents import playout  # They stand above; nothing else here needs them.

        rewards: npt.NDArray[np.float64] = playout(self, states, agent, seed)
        return rewards

    # Looking.

    def observe(self, states: States, players: npt.ArrayLike | None = None) -> npt.NDArray[Any]:
        """(n, D) observations in `observation_dtype`, columns as `observation_fields` describes them.

        `players`: who looks, one integer or (n,); default the player to move (player 0 in games that are over).
        """
        view = self.view(states)
        # Not to call `_eyes` for nothing: an observation of one game takes less than a microsecond.
        eyes = _NOBODY_IN_PARTICULAR if players is None else self._eyes(players, len(view))
        out = np.empty((len(view), self._num_columns), self.observation_dtype)
        self._observe.call(view, eyes, out, self.layout)
        return out

    def _eyes(self, players: npt.ArrayLike | None, n: int) -> npt.NDArray[np.int64]:
        """Who looks at each of n games, (n,), or (0,) for None."""
        if players is None:
            return _NOBODY_IN_PARTICULAR
        eyes = np.asarray(players)
        if eyes.dtype.kind not in "iu" or eyes.shape not in ((), (n,)):
            raise ValueError(f"players must be one integer or integers of shape ({n},), got {players!r}")
        eyes = np.ascontiguousarray(np.broadcast_to(eyes, (n,)), np.int64)
        if eyes.size and (eyes.min() < 0 or eyes.max() >= self.num_players):
            raise ValueError(f"players must lie in 0..{self.num_players - 1}, got {players!r}")
        return eyes

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

    def board(self, state: States) -> Board:
        """What the one given game looks like, for `render`."""
        return self.book.look.board(one(self._checked(np.atleast_1d(state))).view(np.recarray)[0])

    def show(self, state: States) -> None:
        """Print the board of the one given game."""
        from mancala_envs.render import draw_text  # It stands above; nothing else here needs it.

        print(draw_text(self.board(state)))

    def svg(self, state: States) -> str:
        """The board of the one given game as a vector picture, an SVG document."""
        from mancala_envs.render import draw_svg  # As above.

        return draw_svg(self.board(state))

    def explain(self, state: States, action: int, *, draws: Sequence[Any] | None = None) -> list[str]:
        """What `step` would do to the one given game, in words, line by line; the state stays as it is.

        First who takes the action and its name, then what happens one after the other, settlements and throws
        included, then what was paid and who is to move for what. Chance is the state's own, so that it is told what
        `step` does then; `draws`: see `step`. It is played in plain Python, some thousand times slower. Raises as
        `step` does.
        """
        return self._tell(one(self._checked(np.atleast_1d(state))).copy(), action, draws)

    def _tell(self, states: States, action: int, draws: Sequence[Any] | None = None) -> list[str]:
        """`explain`; here the states (1,) are changed as by `step`."""
        bind = edition(self.book, self.campaign, None, compiled=False).bind
        may_play, pay = bind(kernels.may_play), bind(kernels.pay)
        records = self.records(states).view(np.recarray)
        s, chosen = records[0], int(self._actions(np.atleast_1d(action), 1)[0])
        over = s.to_move == NOBODY
        if over and chosen == -1:
            return [self.board(states).heading]
        if over or not may_play(s, chosen):
            raise IllegalAction(0, chosen, [] if over else [a for a in range(self.num_actions) if may_play(s, a)])
        lines = [f"player_{s.to_move}: {self.names_for(s.to_move)[chosen]}"]
        scripts = None if draws is None else _begin_scripts(records, draws)
        pays, told = tale_of(telling(self.book, self.campaign).bind(kernels.move), s, chosen)
        if scripts:
            _end_scripts(records, scripts)
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
        work = one(self._checked(np.atleast_1d(state)))
        if fault := self.agreed_otherwise(work):
            raise ValueError(f"{self.name}: {fault}")
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


def _remake(name: str, campaign: bool, options: dict[str, Any]) -> Game:
    from mancala_envs import make_game  # The registry stands above; only unpickling needs it.

    return make_game(name, campaign, **options)


def _read_only(name: str, why: str) -> ValueError:
    return ValueError(f"{name} must not be read-only: {why}")


def alone(states: States) -> States:
    """One record as a batch of one on the same memory; anything else as it is."""
    return np.asarray(states).reshape(1) if isinstance(states, np.void) else states


def _require_some(n: Any) -> None:
    """ValueError unless it is a number of games."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n must be an integer of at least 1, got {n!r}")


def _first(flags: npt.NDArray[np.bool_]) -> int:
    """The first number of a game that has the flag (n,), -1 where none has it."""
    return int(flags.argmax()) if flags.any() else -1


def one(states: States) -> States:
    """`states` if it is one game; else ValueError."""
    if len(states) != 1:
        raise ValueError(f"one game is needed, got {len(states)}")
    return states


def seed_word(seed: int | None) -> np.uint64:
    """A seed as the generator's word; None draws one from the system."""
    if seed is None:
        return np.uint64(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    whole = type(seed) is int or (isinstance(seed, int | np.integer) and not isinstance(seed, bool))
    if not whole or not 0 <= seed < 2**64:
        raise ValueError(f"seed must be None or an integer from 0 to 2^64 - 1, got {seed!r}")
    return np.uint64(seed)


def _begin_scripts(records: States, draws: Sequence[Any]) -> Scripts:
    """Let the games use the results `draws` for chance, until `_end_scripts`."""
    scripts = Scripts(_results(draws, len(records)))
    records["script"] = scripts.words
    return scripts


def _end_scripts(records: States, scripts: Scripts) -> None:
    """ValueError where results are left, were lacking or did not fit."""
    for index, left in enumerate(records["script"]):
        if fault := scripts.fault(index, left):
            raise ValueError(f"draws of game {index} do not fit: {fault}")
    records["script"] = 0


def _results(draws: Sequence[Any], n: int) -> list[list[tuple[int, int]]]:
    """Every game's results with the sides of their draws, 0 where they are given as integers alone."""

    def result(drawn: Any) -> tuple[int, int]:
        recorded = isinstance(drawn, list | tuple) and len(drawn) == 3
        numbers = (drawn[2], drawn[1]) if recorded else (drawn, 0)
        if any(isinstance(number, bool) or not isinstance(number, int | np.integer) for number in numbers):
            raise ValueError(f"a draw must be an integer or [what, sides, integer], got {drawn!r}")
        if not all(0 <= number <= MOST_SIDES for number in numbers):
            raise ValueError(f"draws have at most {MOST_SIDES} sides and results from 0 on, got {drawn!r}")
        return int(numbers[0]), int(numbers[1])

    if not isinstance(draws, Sequence | np.ndarray) or isinstance(draws, str) or len(draws) != n:
        raise ValueError(f"draws must be a sequence of one row for each of the {n} games, got {draws!r}")
    return [[result(drawn) for drawn in (row if isinstance(row, Sequence | np.ndarray) else [row])] for row in draws]
