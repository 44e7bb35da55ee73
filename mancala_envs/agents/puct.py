"""`Puct`: search led by a network, which stands outside and is asked about the positions of many games at once."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.forest import backup_loop, best_loop, forest_for, plant_loop, select_loop, visits_loop
from mancala_envs.agents.searcher import MEMORY
from mancala_envs.core.game import Game, Kernel, States, seed_word

Network: TypeAlias = Callable[[States], tuple[npt.ArrayLike, npt.ArrayLike]]
"""Records (m,) -> priors and values, as `Puct.backup` takes them."""

LONG = 1024
"""Bytes of a record that is not kept in every node: it is quicker played again."""


class Puct:
    """Searches in up to n games at once, in which a network says what to play and what a position is worth::

        search.begin(states, seed)
        while len(leaves := search.select()):
            search.backup(*network(game.observe(leaves)))
        actions = search.actions()

    Arguments:
        game: whose states it searches.
        n: how many games at most.
        simulations: for every game and search; that the network sees the root comes before.
        exploration: the weight of priors against values, c in PUCT.
        noise: (alpha, fraction), Dirichlet's noise in the priors of the root, of which it makes up that fraction, so
            that self-play tries everything; None for none.
        abreast: leaves of one game that are given out at once at most, to fill batches of few games. Simulations on
            the way are counted as lost meanwhile, so that others go elsewhere: a search of more than one is weaker.
        memory: megabytes that trees may take; full ones grow no further, but learn on about what is in them.

    Raises ValueError for numbers that are not allowed, saying what is.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        simulations: int,
        *,
        exploration: float = 1.25,
        noise: tuple[float, float] | None = None,
        abreast: int = 1,
        memory: float = MEMORY,
    ) -> None:
        for name, value in (("n", n), ("simulations", simulations), ("abreast", abreast)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise ValueError(f"{name} must be an integer of at least 1, got {value!r}")
        for name, number in (("exploration", exploration), ("memory", memory)):
            if not 0 < number < float("inf"):
                raise ValueError(f"{name} must be a positive number, got {number!r}")
        if noise is not None and not (len(noise) == 2 and 0 < noise[0] < float("inf") and 0 <= noise[1] <= 1):
            raise ValueError(
                f"noise must be None or (alpha, fraction), alpha positive, 0 <= fraction <= 1, got {noise}"
            )
        self.game, self.n, self.simulations = game, int(n), int(simulations)
        self._exploration, self._noise, self._abreast = float(exploration), noise, int(abreast)
        self._loss = 1.0 if abreast > 1 else 0.0
        # Where chance or campaigns pay on the way, or the record is long, simulations are played again from the root.
        retraced = game.has_chance or game.has_secrets or game.campaign or game.dtype.itemsize > LONG
        self._forest = forest_for(game, self.n, self.simulations, self.n * self._abreast, int(memory * 2**20), retraced)
        self._leaves: States = np.asarray(self._forest.leaves).view(game.dtype).view(np.recarray)
        self._plant, self._select = Kernel(game.bind(plant_loop)), Kernel(game.bind(select_loop))
        self._backup, self._visits = Kernel(game.bind(backup_loop)), Kernel(game.bind(visits_loop))
        self._best = Kernel(game.bind(best_loop))
        self._gamma = self._no_gamma = np.zeros((0, game.num_actions), np.float32)
        """Dirichlet's noise before it is normalised."""
        self._next, self._fresh = "begin", False
        """What must be called next; "" when the search has ended."""
        self._games = self._out = 0
        """How many games are searched, and leaves given out or, before the first `select`, to be given out."""

    def begin(self, states: States, seed: int | None = None) -> None:
        """Plant the roots, the games `states` (m,), m at most `n`; whatever went on before is forgotten.

        The search in game i depends on (seed, i) only, and on what the network says. Games that are over have no leaves
        and no visits. Raises ValueError for more games than `n` and TypeError or ValueError for no states of the game.
        """
        view, word = self.game.view(states), seed_word(seed)
        if not 1 <= len(view) <= self.n:
            raise ValueError(f"states must be 1 to n = {self.n} games, got {len(view)}")
        self._games, self._gamma = len(view), self._no_gamma
        if self._noise:
            gamma = np.random.default_rng(int(word)).gamma(self._noise[0], size=(len(view), self.game.num_actions))
            self._gamma = gamma.astype(np.float32)
        self._out = self._plant.call(view, self._forest, self.simulations, word)
        self._next = "select"
        self._fresh = True

    def select(self) -> States:
        """(m,) recarray of positions for the network to look at; none when all simulations are done.

        First those of the roots; then in every game one leaf, or as many as `abreast` at most, as long as it has
        simulations left. They may be written into, and last until the next call. Raises RuntimeError before `begin`
        and while leaves wait for `backup`.
        """
        if self._next not in ("select", ""):
            raise RuntimeError(f"select was called where {self._next} must be: begin, then select and backup in turns")
        if not self._fresh:
            loop = self._select.call
            self._out = loop(self._forest, self._games, self._abreast, self._exploration, self._loss)
        self._fresh = False
        self._next = "backup" if self._out else ""
        return self._leaves[: self._out]

    def backup(self, priors: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """What the network thinks of the (m,) leaves of the last `select`.

        Arguments:
            priors: (m, A) float32, how promising each action is; not negative. Those of illegal actions do not count,
                and the others are taken as parts of their sum; where all are zero they count as equal.
            values: (m, P) float32, what everyone will be paid from here on, from -1 to 1 where games are won or lost;
                in games of two players also (m,), for the player to move.

        Raises RuntimeError where no leaves wait, ValueError for other shapes and numbers. Nothing is changed then.
        """
        if self._next != "backup":
            raise RuntimeError("backup was called where no leaves wait: select gives them out")
        m, players = self._out, self.game.num_players
        promising, worth = np.ascontiguousarray(priors, np.float32), np.ascontiguousarray(values, np.float32)
        if promising.shape != (m, self.game.num_actions):
            raise ValueError(f"priors must have shape ({m}, {self.game.num_actions}), got {promising.shape}")
        if worth.shape == (m,) and players == 2:
            worth = worth[:, None]
        elif worth.shape != (m, players):
            or_alone = f" or ({m},)" * (players == 2)
            raise ValueError(f"values must have shape ({m}, {players}){or_alone}, got {worth.shape}")
        # Not a number compares as false.
        if not (promising.min() >= 0 and promising.max() < np.inf):
            raise ValueError("priors must be finite numbers of at least 0: give probabilities, not logits")
        if not (worth.min() > -np.inf and worth.max() < np.inf):
            raise ValueError("values must be finite numbers")
        fraction = self._noise[1] if self._noise else 0.0
        self._backup.call(self._forest, promising, worth, self._gamma, fraction, self._loss)
        self._next = "select"

    def run(self, states: States, network: Network, seed: int | None = None) -> None:
        """A whole search in the games `states`: `begin`, then `select`, `network` and `backup` until none is left."""
        self.begin(states, seed)
        while len(leaves := self.select()):
            self.backup(*network(leaves))

    # What was found.

    def visits(self) -> npt.NDArray[np.int64]:
        """(m, A) int64: how often each action was taken at the root; `simulations` together, 0 for games that are over.

        This and the methods below raise RuntimeError before the search has ended.
        """
        self._require_end()
        out = np.zeros((self._games, self.game.num_actions), np.int64)
        self._visits.call(self._forest, out)
        return out

    def values(self) -> npt.NDArray[np.float64]:
        """(m, P) float64: what everyone is paid in the mean of all simulations from the root, 0 for games over."""
        self._require_end()
        return self._forest.totals[: self._games] / self.simulations

    def actions(self, temperature: npt.ArrayLike = 0.0, seed: int | None = None) -> npt.NDArray[np.int64]:
        """(m,) int64: an action for each game, -1 where over.

        `temperature`: one number of at least 0 or (m,); 0 for the action most often taken, else actions are drawn by
        visits ** (1 / temperature), by (seed, index) only. Raises ValueError for other temperatures.
        """
        self._require_end()
        hot = np.asarray(temperature, np.float64)
        if hot.shape not in ((), (self._games,)) or not ((hot >= 0) & (hot < np.inf)).all():
            raise ValueError(f"temperature must be one number of at least 0, or ({self._games},), got {temperature!r}")
        out = np.empty(self._games, np.int64)
        self._best.call(self._forest, out)
        if hot.any():
            drawn = np.flatnonzero((out >= 0) & (hot > 0))
            visits = self.visits()[drawn]
            power = 1 / np.broadcast_to(hot, out.shape)[drawn, None]
            ladder = ((visits / visits.max(axis=1, keepdims=True)) ** power).cumsum(axis=1)
            luck = np.random.default_rng(int(seed_word(seed))).random(self._games)[drawn, None]
            out[drawn] = (ladder <= luck * ladder[:, -1:]).sum(axis=1)
        return out

    def _require_end(self) -> None:
        if self._next:
            raise RuntimeError("the search has not ended: select and backup until select gives out no leaves")


class PuctAgent:
    """An opponent, or whoever is to be evaluated, that searches with `puct` and `network` and takes the action most
    visited. `network`: records (m,) -> priors and values, as `Puct.backup` takes them."""

    def __init__(self, puct: Puct, network: Network) -> None:
        self.puct, self.network = puct, network

    def act(self, states: States, seed: int) -> npt.NDArray[np.int64]:
        """(k,) int64: what it plays in any number of games, -1 where over."""
        out = np.empty(len(states), np.int64)
        for first in range(0, len(states), self.puct.n):
            part = slice(first, first + self.puct.n)
            self.puct.run(states[part], self.network, int(seed) ^ first)
            out[part] = self.puct.actions()
        return out
