"""`Engine`: the rules of one game with its options, played over batches of states."""

import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from mancala_envs.core import chance, kernels
from mancala_envs.core.arguments import (
    Seed,
    States,
    as_batch,
    first,
    read_only,
    require_integer,
    require_some,
    seed_word,
    seed_words,
    short,
)
from mancala_envs.core.batch import Batch
from mancala_envs.core.binding import Edition, Kernel, code_of
from mancala_envs.core.book import Fast, RuleBook, edition
from mancala_envs.core.observation import Column, layout, observation_dtype
from mancala_envs.core.opening import Opening, decisions
from mancala_envs.core.options import prefixed, resolve
from mancala_envs.core.pauses import Pace
from mancala_envs.core.record import NOBODY, Field, kernel_dtype, python_records, record_dtype
from mancala_envs.core.rule import Rule
from mancala_envs.core.shards import in_shards

_BOOL, _INT64, _UINT64 = np.dtype(np.bool_), np.dtype(np.int64), np.dtype(np.uint64)
_FLOAT32 = np.dtype(np.float32)
"""NumPy has one object for each of these dtypes, so `is` can compare them. Making an array with a dtype is also
faster than with a type such as `np.int64`."""
_NO_OBSERVERS = np.empty(0, np.int64)
_ndim, _dtype, _flags = (getattr(np.ndarray, name).__get__ for name in ("ndim", "dtype", "flags"))
"""Access to attributes of an array that skips a recarray's search for a field of that name."""
MOST_DECISIONS = 2**63 - 1
"""A number of decisions that no game reaches."""
RANDOM_BLOCK = 16_384
"""Maximum number of games of `play_random` that advance together, and their decisions in all before the first pause."""
_HEADERS: dict[int, str] = {}
"""The headers of all engines made in this process, by the number in the field `rules` of their records."""


class IllegalAction(ValueError):
    """An action is not legal.

    Attributes:
        index: The index of the game in the batch.
        action: The action.
        legal: The list of legal actions; empty if the game is over.
        opponent: The opponent that chose the action, after the caller's own action was played; "" if the caller chose
            it.
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


class Afterstates(NamedTuple):
    """The results of the actions of each of n games, seen by the player who moves: see `Game.afterstates`.

    Every array has the rows (n, A), or (n, A, K) with K draws. Rows of illegal actions are zeros.
    """

    observations: npt.NDArray[Any]
    """(n, A, D) or (n, A, K, D), of the game's `observation_dtype`: the observation after the action."""
    rewards: npt.NDArray[np.float32]
    """The reward of the action."""
    ended: npt.NDArray[np.bool_]
    """Whether the action ends the game."""
    same_player: npt.NDArray[np.bool_]
    """Whether the player who moves decides again next."""
    legal: npt.NDArray[np.bool_]
    """(n, A), always without an axis of draws: the legal actions."""

    def as_dict(self) -> dict[str, npt.NDArray[Any]]:
        """Return the observation of `ObserveAfterstates` for n games; flags are int8, and share these arrays' memory.

        The keys are `observation`, `reward`, `ended`, `same_player` and `action_mask`.
        """
        flags = {"ended": self.ended, "same_player": self.same_player, "action_mask": self.legal}
        arrays = {"observation": self.observations, "reward": self.rewards}
        return arrays | {name: flag.view(np.int8) for name, flag in flags.items()}


@cache
def _dtypes(book: RuleBook, sizes: tuple[tuple[str, Any], ...]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The dtype of a record and the kernels' view of it.

    They are one object each per game and sizes. Numba compares equal dtypes that are different objects field by field
    at every call.
    """
    option_fields = [option.field for option in book.every_option if not option.size]
    if book.campaign:
        option_fields.append(Field("campaign", "u1", "whether the game is a campaign, a series of rounds"))
    return _with_kernel_dtype(record_dtype([*book.record(dict(sizes)), *option_fields]))


@cache
def _with_kernel_dtype(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    # Games whose records have equal dtypes share these objects.
    return dtype, kernel_dtype(dtype)


class Engine:
    """The part of `Game` that plays: it makes states, returns legal actions, takes steps and observes.

    Agents take an `Engine` and not a `Game`, because the module of `Game` imports the agents.
    """

    def __init__(
        self, book: RuleBook, name: str, campaign: bool, options: Mapping[str, Any], fast: Fast | None = None
    ) -> None:
        if campaign not in (False, True):
            raise ValueError(f"{name}: campaign={short(campaign)} is not allowed; it must be one of False, True")
        if campaign and not book.campaign:
            raise ValueError(f"{name} has no campaign; campaign must be False")
        every = resolve(name, book.every_option, options)
        for option in book.campaign_options:
            if not campaign and every[option.name] != option.default_for(every):
                raise ValueError(f"{name}: option {option.name} needs campaign=True")
        self.book = book
        self.name = name
        self.campaign = bool(campaign)
        self._all_options = {**every, "campaign": self.campaign}
        with prefixed(name):
            book.check_options(self._all_options, self.campaign)
        only_campaign = {option.name for option in book.campaign_options}
        self.options: dict[str, Any] = {k: v for k, v in every.items() if campaign or k not in only_campaign}
        sizes = tuple((option.name, every[option.name]) for option in book.options if option.size)
        self._own_fields = tuple(field.name for field in book.record(every))
        self.dtype, self._kernel_dtype = _dtypes(book, sizes)
        self._rules = zlib.crc32(self.header.encode())
        _HEADERS[self._rules] = self.header
        self._blank = self._template()
        self._fast = fast if fast and fast.fits(every) else None
        self._edition = edition(book, self.campaign, self._fast)
        self.num_players: int = int(code_of(book.rules.num_players)(python_records(self._blank)[0]))
        self.num_deciding: int = book.deciding(every) if book.deciding else self.num_players
        """The first `num_deciding` players decide; the others only receive rewards."""
        self.has_chance: bool = book.has_chance(every, self.campaign)
        """Whether the game ever draws a random number."""
        self.has_secrets: bool = book.has_secrets(every)
        """Whether the game ever hides anything from a player."""
        self.action_kinds = book.presentation.actions(self._all_options)
        self.num_actions: int = sum(map(len, self.action_kinds))
        self.column_kinds = book.presentation.observation(self._all_options)
        self.observation_fields: tuple[Column, ...] = tuple(chain.from_iterable(self.column_kinds))
        """One `Column` for each column of the observation."""
        self.observation_dtype: np.dtype[Any] = observation_dtype(self.column_kinds)
        self._num_columns = len(self.observation_fields)
        self.layout: np.dtype[Any] = layout(self.column_kinds)
        self._none = self.records(np.empty(0, self.dtype))
        self._last_view: tuple[weakref.ref[States], States, np.dtype[Any]] | None = None
        self._init = self.kernel(kernels.init_loop)
        few = self.num_actions <= 64
        self._legal = self.kernel(kernels.legal_loop if few else kernels.legal_many_loop)
        self._legal_bits = self.kernel(kernels.legal_bits_loop)
        self._sample = self.kernel(kernels.sample_loop if few else kernels.sample_many_loop)
        self._step = self.kernel(kernels.checked_step_loop)
        self._observe = self.kernel(kernels.observe_loop)
        self._play_random = self.kernel(kernels.play_random_loop)
        self._foreign = self.kernel(kernels.foreign_loop)

    def __repr__(self) -> str:
        return f"Game({self.header})"

    @property
    def changed_options(self) -> dict[str, Any]:
        """The options that differ from their defaults, which may depend on other options."""
        defaults = {option.name: option.default_for(self._all_options) for option in self.book.every_option}
        return {name: value for name, value in self.options.items() if value != defaults[name]}

    @property
    def header(self) -> str:
        """The game's name with the options that differ from their defaults, as `text` begins."""
        changed = [f"{k}={v}".replace(" ", "") for k, v in self.changed_options.items()]
        if self.campaign:
            changed.append("campaign=True")
        return self.name + (f"({','.join(changed)})" if changed else "")

    def most_reward(self, rounds: int) -> float:
        """Return the most that an episode of this number of rounds can pay a player, or take from one."""
        campaign = self.book.campaign if self.campaign else None
        lead = campaign.most_lead(self.options) if campaign else 1.0
        at_the_end = lead if self.options.get("reward") == "margin" else 1.0
        each_round: float = lead * abs(self.options.get("round_reward", 0.0))
        return at_the_end + rounds * each_round

    def bind(self, loop: Rule) -> Rule:
        """Return `loop`, which calls rules by the names in `core.contract`, compiled for this game."""
        return self._edition.bind(loop)

    def kernel(self, loop: Rule) -> Kernel:
        """Return `bind(loop)` as a kernel, to be called with arguments of the same types every time."""
        return Kernel(self.bind(loop))

    @property
    def plain(self) -> Edition:
        """The plain rules in ordinary Python, for `python_records(records(states))`."""
        return edition(self.book, self.campaign, None, compiled=False)

    def num_cached(self) -> tuple[int, int]:
        """Return how many of the game's loops have machine code in the cache on disk, and how many loops there are."""
        kernels = [value for value in vars(self).values() if isinstance(value, Kernel)]
        return sum(kernel.is_cached for kernel in kernels), len(kernels)

    def try_plain(self, decisions: int = 50, forms: Mapping[Rule, Rule] | None = None) -> None:
        """Play random decisions in plain Python, so that an error in a rule names its line.

        Args:
            decisions: How many decisions to play.
            forms: Rule -> the function that replaces it; by default the game's fast form.
        """
        fast = self._fast if forms is None else Fast(forms)
        bind = edition(self.book, self.campaign, fast, compiled=False).bind
        states = python_records(self._blank.view(self._kernel_dtype)).copy()
        actions, rewards = np.zeros(1, np.int64), np.zeros((1, self.num_players), np.float32)
        seen = np.zeros((1, len(self.observation_fields)), self.observation_dtype)
        bind(kernels.init_loop)(states, np.zeros(1, np.int64))
        for decision in range(decisions):
            bind(kernels.sample_many_loop)(states, self._rules, np.uint64(decision), 0, actions)
            bind(kernels.observe_loop)(states, self._rules, np.empty(0, np.int64), seen, self.layout)
            bind(kernels.checked_step_loop)(states, self._rules, actions, rewards, True, states[:0], True, True)

    # Making states.

    def _template(self) -> States:
        blank = np.zeros(1, self.dtype)
        for option in self.book.every_option:
            if option.name in (blank.dtype.names or ()):
                blank[option.name] = option.stored(self._all_options[option.name])
        if self.book.campaign:
            blank["campaign"] = self.campaign
        blank["rules"] = self._rules
        return blank

    def init(
        self, n: int, seed: int | None = None, *, opening: Any = 0, draws: Sequence[Any] | None = None
    ) -> np.recarray[Any, Any]:
        """Return a batch of `n` new games.

        Args:
            n: The number of games.
            seed: An integer from 0 to 2^64 - 1; the random numbers of game i depend only on (seed, i). None draws a
                seed from the system.
            opening: The number, or a range (low, high), of random decisions that all players have already taken; or
                (m,) states, from which each game gets the position of one. See `opening`.
            draws: For each game, the results of the draws of its set-up, as in `step`; only for the usual opening.

        Returns:
            (n,) recarray of states.

        Raises:
            TypeError: `opening` is of a wrong type.
            ValueError: `n`, `seed`, `opening` or `draws` is not allowed.
        """
        require_some(n)
        words, indices = np.full(n, seed_word(seed), np.uint64), np.arange(n, dtype=np.int64)
        if type(opening) is int and opening == 0:  # the usual call, without the microseconds that an `Opening` takes
            return self.init_each(words, indices, draws=draws)
        chosen = self.opening(opening)
        if chosen.is_usual:
            return self.init_each(words, indices, draws=draws)
        if draws is not None:
            raise ValueError("draws are those of the usual opening: give either draws or an opening")
        states = self._seeded(words, indices)
        # Not the game's own generator, so that the game's draws do not depend on the decisions of the opening.
        openings = chance.streams(states["chance"], np.zeros(n, np.int64))
        self.start_games(self.records(states), indices, openings, chosen)
        return Batch.of(self, states)

    def _seeded(self, words: npt.NDArray[np.uint64], indices: npt.NDArray[np.int64]) -> States:
        """Return n records with this game's options and a random generator for each (word, index)."""
        states = np.repeat(self._blank, len(words))
        states["chance"] = chance.streams(words, indices)
        return states

    def start_games(
        self, records: States, which: npt.NDArray[np.int64], words: npt.NDArray[np.uint64], opening: Opening
    ) -> None:
        """Start the games of `which` (k,), whose random generators are set, in place.

        The opening of game which[k] depends on words[k] only; for the usual opening, `words` is not read.

        Raises:
            ValueError: The opening is too long.
        """
        if opening.is_usual:
            self._init.call(records, which)
            return
        open_loop, positions = self.bind(kernels.open_loop), self.records(opening.positions)
        if not open_loop(records, which, words, positions, opening.shortest, opening.longest):
            raise opening.too_long

    def opening(self, given: Any) -> Opening:
        """Return an opening in the form that loops take.

        An opening in which the game or a round of a campaign ends is drawn again.

        Args:
            given: The number of random decisions of all players, 0 for the usual opening; a range (low, high) of such
                numbers, all equally likely; (m,) states to draw from, each equally likely, which keep nothing but their
                position; or an `Opening` of this game.

        Raises:
            TypeError: `given` is none of these.
            ValueError: A number is out of range, or there are no states, or one is over or belongs to another game.
        """
        if isinstance(given, Opening):
            self.view(given.positions)  # raises unless they are of this game
            return given
        if not (isinstance(given, np.ndarray | np.void) and given.dtype.names):
            return Opening(*decisions(given), self._blank[:0])
        states: States = np.atleast_1d(given)
        self.view(states)  # raises unless it is a batch of this game
        if not len(states) or (states["to_move"] == NOBODY).any():
            raise ValueError("opening must have at least one position, none of them over")
        # Someone may have changed the options in the records.
        if difference := self.difference(states):
            raise ValueError(f"opening must have positions of {self!r}: {difference}")
        positions = np.array(states, self.dtype)
        positions["ended"] = 0  # autoreset leaves the previous game's value
        return Opening(0, 0, positions)

    def init_each(
        self, words: npt.NDArray[np.uint64], indices: npt.NDArray[np.int64], *, draws: Sequence[Any] | None = None
    ) -> np.recarray[Any, Any]:
        """Return new games, where the random numbers of game i depend only on (words[i], indices[i]).

        Args:
            words: (n,) uint64, the seeds.
            indices: (n,) int64.
            draws: See `init`.

        Returns:
            (n,) recarray of states.

        Raises:
            ValueError: `words` and `indices` differ in shape, or the draws do not fit.
        """
        words, indices = np.ascontiguousarray(words, np.uint64), np.ascontiguousarray(indices, np.int64)
        if words.ndim != 1 or words.shape != indices.shape:
            raise ValueError(f"words and indices must have one shape (n,), got {words.shape} and {indices.shape}")
        states = self._seeded(words, indices)
        records, games = self.records(states), np.arange(len(states))
        if draws is None:
            self._init.call(records, games)
        else:
            begin, plain = self.plain.bind(kernels.init_loop), python_records(records)
            for i, results in enumerate(chance.read_draws(draws, len(words))):
                with self._scripted(i, results):
                    begin(plain, games[i : i + 1])
        return Batch.of(self, states)

    @staticmethod
    @contextmanager
    def _scripted(index: int, results: Sequence[chance.Result]) -> Iterator[None]:
        """Make game `index` of a batch, played in plain Python, use these results instead of drawing."""
        with prefixed(f"draws of game {index} do not fit"), chance.scripted(results):
            yield

    # Checks that states belong to this game.

    def view(self, states: States) -> States:
        """Return the kernels' view of states, after checking that all belong to this game with its options.

        The view is an array on the same memory, with the dtype that kernels take (see `core.record.kernel_dtype`). If
        the states are not contiguous, it is a view of a copy.

        Raises:
            TypeError: `states` is not an array.
            ValueError: Its dtype or shape is wrong, or a state belongs to another game or has other options.
        """
        view = self._view(states)
        if self._foreign.call(view, self._rules) >= 0:
            raise self._refusal(view)
        return view

    def _view(self, states: States) -> States:
        """Do the same as `view` for loops that check the field `rules` themselves.

        The view of the last batch is stored, because callers often pass the same batch again.
        """
        # Read once, because another thread may replace it.
        last = self._last_view
        if last is not None and last[0]() is states is not None:
            _, view, dtype = last
            # The owner of the array may have changed its shape or dtype in place, but cannot have changed its size.
            if _ndim(states) == 1 and _dtype(states) is dtype:
                return view
        work = self._checked(states)
        view = self.records(work)
        if work is states:
            self._last_view = weakref.ref(states, self._forget), view, _dtype(states)
        return view

    def _forget(self, dropped: Any) -> None:
        """Drop the stored view when its states are gone, so that their memory is freed."""
        if self._last_view is not None and self._last_view[0] is dropped:
            self._last_view = None

    def records(self, states: States) -> States:
        """Return the kernels' view of contiguous states without checks."""
        view = np.asarray(states).view(self._kernel_dtype)
        return python_records(view) if numba.config.DISABLE_JIT else view

    def _checked(self, states: States) -> States:
        """`states` or a contiguous copy; TypeError or ValueError unless it is a batch of the game's dtype."""
        states = as_batch(states)
        if not isinstance(states, np.ndarray):
            raise TypeError(f"states must be an array of {self.name}'s dtype, got {type(states).__name__}")
        if states.dtype != self.dtype:
            raise ValueError(f"states must have the dtype of {self!r}, {self.dtype}; got {states.dtype}")
        if states.ndim != 1:
            raise ValueError(f"states must have shape (n,), got {states.shape}")
        return states if states.flags.c_contiguous else states.copy()

    def difference(self, states: States) -> str:
        """Describe the first of `states` (n,) that belongs to another game or has other options; "" if none does."""
        states = as_batch(states)
        index = first(states["rules"] != self._rules)
        other = _HEADERS.get(int(states["rules"][index])) if index >= 0 else None
        if other:
            return f"state {index} belongs to {other}, not to {self.header}"
        # Someone changed the options in the state, or another process made the state.
        for name in (*self._all_options, "rules"):
            if name in (self.dtype.names or ()):
                index = first((states[name] != self._blank[name]).reshape(len(states), -1).any(axis=1))
                if index >= 0:
                    return f"state {index}: {name} differs from that of {self!r}"
        return ""

    def _refusal(self, states: States) -> ValueError:
        return ValueError(f"{self.name}: {self.difference(states)}")

    # Playing.

    def legal(self, states: States) -> npt.NDArray[np.bool_]:
        """Return the legal actions of each game as an action mask.

        Returns:
            (n, num_actions) bool; all False for a game that is over.
        """
        view = self._view(states)
        out = np.empty((len(view), self.num_actions), _BOOL)
        if self._legal.call(view, self._rules, out) >= 0:
            raise self._refusal(view)
        return out

    def legal_bits(self, states: States) -> npt.NDArray[np.uint64]:
        """Return the legal actions of each game as a bit mask.

        Returns:
            (n, ceil(num_actions / 64)) uint64; action a is bit a % 64 of word a // 64.
        """
        view = self._view(states)
        out = np.empty((len(view), -(-self.num_actions // 64)), _UINT64)
        if self._legal_bits.call(view, self._rules, out) >= 0:
            raise self._refusal(view)
        return out

    def sample(self, states: States, seed: int | None = None, *, threads: int = 1) -> npt.NDArray[np.int64]:
        """Draw a legal action for each game, uniformly.

        Args:
            states: (n,) states.
            seed: As in `init`; the draw for game i depends only on (seed, i).
            threads: See `step`.

        Returns:
            (n,) int64; -1 for a game that is over.
        """
        view = self._view(states)
        word = seed_word(seed)
        out = np.empty(len(view), _INT64)
        if threads == 1:
            foreign = self._sample.call(view, self._rules, word, 0, out)
        else:
            foreign = max(
                in_shards(
                    threads,
                    len(view),
                    lambda shard: self._sample.call(view[shard], self._rules, word, shard.start, out[shard]),
                )
            )
        if foreign >= 0:
            raise self._refusal(view)
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
        """Play one action in every game, in place, and return the rewards. An error listed below changes no state.

        Args:
            states: (n,) states.
            actions: (n,) integers; -1 for a game that is over.
            autoreset: Whether a game that ends starts again at once. Its random generator continues, and its field
                `ended` stays set until the next step.
            draws: For each game, the results of its draws in this step, in order, as integers or as recorded
                [what, sides, result], including those of the set-up of a new game. They replace the generator.
            final: (n,) states of the same dtype that share no memory with `states`; row i receives the last state of
                game i if the game ends in this step.
            threads: Number of threads, each for a part of the batch. A batch of fewer than 131,072 games uses one. The
                results do not depend on it.

        Returns:
            (n, num_players) float32, the rewards of this step.

        Raises:
            IllegalAction: An action is not legal.
            TypeError: `states` is not an array, or `actions` are not integers.
            ValueError: An array has the wrong dtype or shape or is read-only, a state belongs to another game, or there
                are too few or too many draws, or one is out of range.
        """
        view = self._view(states)
        if isinstance(states, np.void):
            states = as_batch(states)
        flags = _flags(states)
        if not flags.writeable:
            raise read_only("states", "step changes them in place")
        n = len(view)
        chosen = self._actions(actions, n)
        last = self._none if final is None else self._final(final, states)
        rewards = np.zeros((n, self.num_players), _FLOAT32)
        if draws is None and threads == 1:
            # Training loops come here. Calling `_play` would slow down small batches.
            index = self._step.call(view, self._rules, chosen, rewards, bool(autoreset), last, True, True)
            if index >= 0:
                raise self._illegal_action(view, chosen, index)
        elif draws is None:
            self._play(view, chosen, rewards, bool(autoreset), last, threads)
        else:
            self._play_scripted(view, chosen, rewards, bool(autoreset), last, threads, chance.read_draws(draws, n))
        if not flags.c_contiguous:
            states[...] = np.asarray(view).view(self.dtype)
        return rewards

    def _final(self, final: States, states: States) -> States:
        final = as_batch(final)
        if self._checked(final) is not final or len(final) != len(states):
            raise ValueError(f"final must be a contiguous array of shape ({len(states)},), got {final.shape}")
        if not _flags(final).writeable:
            raise read_only("final", "step writes ended games into it")
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
        if chosen.dtype == np.uint64:  # Large values must not wrap around to -1.
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
        def run(checks: bool, plays: bool) -> None:
            def work(shard: slice) -> int:
                index: int = self._step.call(
                    records[shard], self._rules, chosen[shard], rewards[shard], autoreset, last[shard], checks, plays
                )
                return index if index < 0 else shard.start + index

            for index in in_shards(threads, len(records), work):
                if index >= 0:
                    raise self._illegal_action(records, chosen, index)

        if threads == 1:
            run(checks=True, plays=True)
        else:
            run(checks=True, plays=False)
            run(checks=False, plays=True)

    def _play_scripted(
        self,
        records: States,
        chosen: npt.NDArray[np.int64],
        rewards: npt.NDArray[np.float32],
        autoreset: bool,
        last: States,
        threads: int,
        results: Sequence[Sequence[chance.Result]],
    ) -> None:
        played, ended = records.copy(), last.copy()
        self._play(played, chosen, rewards, autoreset, ended, threads)
        step = self.plain.bind(kernels.step_loop)
        for i, row in enumerate(results):
            # Play a game again in plain Python, with the given results, if it draws or has any.
            if row or played["chance"][i] != records["chance"][i]:
                game = slice(i, i + 1)
                played[game], rewards[game], ended[game] = records[game], 0, last[game]
                with self._scripted(i, row):
                    step(python_records(played[game]), chosen[game], rewards[game], autoreset, ended[game])
        records[:], last[:] = played, ended

    def _illegal_action(self, records: States, chosen: npt.NDArray[np.int64], index: int) -> ValueError:
        """Return the error for state `index`, which belongs to another game or has an illegal action."""
        if records["rules"][index] != self._rules:
            return self._refusal(records)
        state = np.asarray(records[index : index + 1]).view(self.dtype)
        return IllegalAction(int(index), int(chosen[index]), np.flatnonzero(self.legal(state)[0]).tolist())

    def play_random(self, states: States, decisions: int, seed: int | None = None) -> int:
        """Play uniformly random decisions in every game, in the kernel, in place. A game that ends starts again.

        An interrupted call leaves the games as they are at that moment.

        Args:
            states: (n,) states of games in play.
            decisions: Number of decisions in each game, below 2^63.
            seed: As in `init`.

        Returns:
            The number of games that ended.

        Raises:
            TypeError: `states` is not an array.
            ValueError: `decisions` or `seed` is not allowed, `states` do not fit or are read-only, or a game is over or
                has no legal action.
        """
        most = require_integer("decisions", decisions, 0, MOST_DECISIONS)
        states = as_batch(states)
        work = self._checked(states)
        if not _flags(states).writeable:
            raise read_only("states", "play_random changes them in place")
        if (work["to_move"] == NOBODY).any():
            raise ValueError("play_random needs games in play, but a game is over")
        # A record without a legal action, such as zeros, could make the kernel search forever.
        if not self.legal(work).any(axis=1).all():
            raise ValueError("play_random needs a legal action in each game, but a state has none: check explains why")
        games, word = 0, seed_word(seed)
        pace = Pace("decisions", len(work) * most, RANDOM_BLOCK)
        for start in range(0, len(work), RANDOM_BLOCK):
            part = self.records(work[start : start + RANDOM_BLOCK])
            for done, until in pace.slices(0, most, len(part)):
                games += self._play_random.call(part, word, start, done, until)
        if work is not states:
            states[...] = work
        return int(games)

    # Copies for search.

    def copies(
        self, states: States, n: int, seed: int | None = None, players: npt.ArrayLike | None = None
    ) -> np.recarray[Any, Any]:
        """Return `n` copies of each state, each with a random generator of its own, as `reseed` sets it.

        Args:
            states: (m,) states.
            n: Number of copies of each state.
            seed: As in `reseed`.
            players: As in `reseed`; one integer or (m,).

        Returns:
            (m * n,) recarray; the copies of a state are adjacent.

        Raises:
            ValueError: `n`, `seed`, `players` or `states` is not allowed.
        """
        view = self.view(states)
        require_some(n)
        copies = Batch.of(self, np.repeat(np.asarray(view).view(self.dtype), n))
        observers = self._observers(players, len(view))
        self.reseed(copies, seed, np.repeat(observers, n) if len(observers) else None)
        return copies

    def reseed(self, states: States, seed: int | None = None, players: npt.ArrayLike | None = None) -> None:
        """Replace the random generator of every game, in place, so that future draws change.

        Args:
            states: (n,) states.
            seed: As in `init`; the generator of game i depends only on (seed, i).
            players: One integer or (n,): the player whose view of the game is kept. Information that is hidden from
                this player is removed; play draws it again when it matters. By default hidden information stays.

        Raises:
            ValueError: `states` are read-only or do not belong to this game, or `seed` or `players` is not allowed.
        """
        view = self.view(states)
        observers = self._observers(players, len(view))
        batch = as_batch(states)
        flags = _flags(batch)
        if not flags.writeable:
            raise read_only("states", "reseed changes them in place")
        self.bind(kernels.reseed_loop)(view, seed_word(seed), observers)
        if not flags.c_contiguous:
            batch[...] = np.asarray(view).view(self.dtype)

    # Observations.

    def observe(self, states: States, players: npt.ArrayLike | None = None) -> npt.NDArray[Any]:
        """Return the observation of one player in each game.

        Args:
            states: (n,) states.
            players: The observing player, one integer or (n,). By default the player to move, and player 0 in a game
                that is over.

        Returns:
            (n, D) array of `observation_dtype`; `observation_fields` describes the D columns.

        Raises:
            ValueError: `players` is not allowed, or `states` do not belong to this game.
        """
        view = self._view(states)
        # A call of `_observers` would be slow compared with an observation of one game, under a microsecond.
        observers = _NO_OBSERVERS if players is None else self._observers(players, len(view))
        out = np.empty((len(view), self._num_columns), self.observation_dtype)
        if self._observe.call(view, self._rules, observers, out, self.layout) >= 0:
            raise self._refusal(view)
        return out

    def observe_into(
        self,
        records: States,
        players: npt.NDArray[np.int64],
        observations: npt.NDArray[Any],
        masks: npt.NDArray[np.int8],
    ) -> None:
        """Write the observations of `players` (n,) into (n, D), and the legal actions into (n, A) int8."""
        self._observe.call(records, self._rules, players, observations, self.layout)
        self._legal.call(records, self._rules, masks.view(_BOOL))

    def afterstates(self, states: States, draws: int | None = None, seed: Seed = None) -> Afterstates:
        """Return what every legal action leads to, seen by the player to move. The states do not change.

        Chance and hidden information are drawn again, so the results show no more than the player to move may know.
        Outcome k of an action in state i is that of `step` with copy `i * draws + k` of
        `copies(states, draws, seed, players)`, where `players` are the players to move; all actions of a state have
        the same copies. Without `draws` there is one copy of each state.

        Args:
            states: (n,) states.
            draws: Number K of outcomes of each action, which makes an axis of its own; None for one outcome without
                that axis. More than one is of use only if `has_chance` or `has_secrets`.
            seed: As in `init`; or (n,) integers, so that the outcomes of state i depend only on seed[i].

        Returns:
            Observations, rewards, whether the game ended, whether the same player decides next, and the legal actions.

        Raises:
            ValueError: `draws`, `seed` or `states` is not allowed.
        """
        view = self._view(states)
        if draws is not None:
            require_some(draws, "draws")
        words = seed_words(len(view), seed)
        shape = (len(view), self.num_actions, *(() if draws is None else (int(draws),)))
        observations = np.zeros((*shape, self._num_columns), self.observation_dtype)
        rewards, ended, same_player = np.zeros(shape, _FLOAT32), np.zeros(shape, _BOOL), np.zeros(shape, _BOOL)
        rows = observations.reshape(-1, self._num_columns)
        flat = (rewards.reshape(-1), ended.reshape(-1), same_player.reshape(-1))
        scratch = self.records(np.zeros(1, self.dtype))
        # Few programs need this loop, so it is not among the kernels that are compiled in advance.
        loop = self.bind(kernels.afterstates_loop)
        if loop(view, self._rules, words, scratch, rows, self.layout, *flat) >= 0:
            raise self._refusal(view)
        return Afterstates(observations, rewards, ended, same_player, self.legal(states))

    def _observers(self, players: npt.ArrayLike | None, n: int) -> npt.NDArray[np.int64]:
        """The observing player of each of n games, (n,); (0,) for None."""
        if players is None:
            return _NO_OBSERVERS
        observers = np.asarray(players)
        if observers.dtype.kind not in "iu" or observers.shape not in ((), (n,)):
            raise ValueError(f"players must be one integer or integers of shape ({n},), got {players!r}")
        observers = np.ascontiguousarray(np.broadcast_to(observers, (n,)), np.int64)
        if observers.size and (observers.min() < 0 or observers.max() >= self.num_players):
            raise ValueError(f"players must lie in 0..{self.num_players - 1}, got {players!r}")
        return observers
