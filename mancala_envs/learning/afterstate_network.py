"""A PyTorch network that judges afterstates, with values for every player, as `Puct` takes it.

Needs the extra [train] or [rllib].
"""

import io
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.network import checksum, outputs_of
from mancala_envs.core.arguments import Seed, States
from mancala_envs.core.extras import needs_extra
from mancala_envs.game import Game
from mancala_envs.learning.self_play import Rows
from mancala_envs.learning.value_training import seats_from
from mancala_envs.programs.files import atomic_write
from mancala_envs.registry import make_game
from mancala_envs.wrappers.torch_layers import NEVER, SHARPNESS, CountsLinear

with needs_extra():
    import torch
    from torch import nn

WIDTHS = (128, 64)
"""The widths of the hidden layers."""

DRAWS = 2
"""Outcomes drawn of each action in games with chance or hidden information."""

MEMORY = 2**26
"""The most bytes of afterstates that are judged at once."""


class AfterstateNetwork(nn.Module):
    """Judges what every legal action leads to, seen by the player who moves: a score, and values.

    In games for two players there is one value, for the player who moves; in others one for each player. An action that
    ends the game is worth its reward to that player. The logit of an action is its score plus a constant times what it
    is worth to that player. With several outcomes of an action, its score and values are the means over them. The value
    of a position is the mean over the actions, weighted by their probabilities.

        agent = PuctAgent(Puct(game, 64, 200), network.evaluate)

    Args:
        game: The game.
        widths: The widths of the hidden layers.
    """

    def __init__(self, game: Game | str, widths: tuple[int, int] = WIDTHS) -> None:
        super().__init__()
        self.game = game = make_game(game)
        self.widths = widths
        self._draws = DRAWS if game.has_chance or game.has_secrets else None
        outputs = 1 + outputs_of(game)
        counts = CountsLinear([column.high for column in game.observation_fields], widths[0])
        self.layers = nn.Sequential(counts, nn.ReLU(), nn.Linear(*widths), nn.ReLU(), nn.Linear(widths[1], outputs))

    @property
    def at_once(self) -> int:
        """The number of states whose afterstates have at most MEMORY bytes."""
        game = self.game
        each = game.num_actions * len(game.observation_fields) * game.observation_dtype.itemsize * (self._draws or 1)
        return max(1, MEMORY // each)

    def forward(self, states: States, seed: Seed = None) -> "tuple[torch.Tensor, torch.Tensor]":
        """Return the logits (n, A) of the actions, and what each is worth (n, A, V).

        Args:
            states: (n,) states, none of them over.
            seed: Seed of the outcomes, as in `Game.afterstates`.

        Returns:
            V is 1 in games for two players and otherwise the number of players, from the player to move on.
        """
        after = self.game.afterstates(states, self._draws, seed)
        legal = torch.from_numpy(after.legal)
        ended, rewards = torch.from_numpy(after.ended)[legal], torch.from_numpy(after.rewards)[legal]
        rows = torch.from_numpy(after.observations[after.legal].astype(np.int64))
        found = self.layers(rows.flatten(0, -2)).unflatten(0, rows.shape[:-1])
        scores, values = found[..., 0], found[..., 1:].tanh()
        values = torch.cat([torch.where(ended, rewards, values[..., 0])[..., None], values[..., 1:]], -1)
        if self._draws:
            scores, values = scores.mean(1), values.mean(1)
        logits = scores.new_full(legal.shape, NEVER)
        logits[legal] = scores + SHARPNESS * values[:, 0].detach()
        worth = values.new_zeros((*legal.shape, values.shape[-1]))
        worth[legal] = values
        return logits, worth

    def evaluate(self, states: States) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return priors (m, A) and values (m, P) of states (m,), as `Puct` takes them.

        Outcomes of chance follow from the states.
        """
        game, m = self.game, len(states)
        priors = np.empty((m, game.num_actions), np.float32)
        values = np.empty((m, game.num_players), np.float32)
        for first in range(0, m, self.at_once):
            part = slice(first, first + self.at_once)
            with torch.inference_mode():
                logits, worth = self(states[part], np.asarray(states["chance"][part], np.uint64))
                shares = logits.softmax(1)
                found = (shares[..., None] * worth).sum(1).numpy()
            if game.num_players == 2:
                found = np.concatenate([found, -found], 1)
            np.put_along_axis(values[part], seats(game, states[part]), found, 1)
            priors[part] = shares.numpy()
        return priors, values

    def losses(self, rows: Rows, seed: int) -> "tuple[torch.Tensor, torch.Tensor]":
        """Return the mean losses of policies and values: cross-entropy, and the squared error of what was played."""
        logits, worth = self(rows.states, seed)
        played = worth[torch.arange(len(rows)), torch.from_numpy(rows.actions)]
        targets = np.take_along_axis(rows.values, seats(self.game, rows.states)[:, : played.shape[1]], 1)
        value_loss = (played - torch.from_numpy(targets)).square().mean()
        learnt = torch.from_numpy(rows.has_policy)
        entropies = -(torch.from_numpy(rows.policies) * logits.log_softmax(1)).sum(1)
        return entropies[learnt].sum() / learnt.sum().clamp(min=1), value_loss

    def save(self, path: str | Path, **more: Any) -> None:
        """Write the network and `more` to a file, atomically. `load` reads it without running code from it."""
        bound = {"plays": self.game.header, "checksum": checksum(self.game), "widths": self.widths}
        with atomic_write(Path(path)) as file:
            torch.save({"network": self.state_dict(), **bound, **more}, file)

    @classmethod
    def load(cls, path: str | Path, game: Game | str) -> "tuple[AfterstateNetwork, dict[str, Any]]":
        """Read a network of a game, and everything else that was saved with it.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: The file holds no network, or it was trained for another game, or for other rules or options.
        """
        game, content = make_game(game), Path(path).read_bytes()
        try:
            saved = torch.load(io.BytesIO(content), weights_only=True)
            plays, expected, widths, weights = (saved.pop(name) for name in ("plays", "checksum", "widths", "network"))
        except Exception as error:  # A file of another kind fails anywhere in PyTorch or pickle.
            raise ValueError(f"{path} holds no network of mancala_envs") from error
        if plays != game.header:
            raise ValueError(f"the network in {path} plays {plays}, not {game.header}")
        if expected != checksum(game):
            raise ValueError(
                f"the network in {path} was trained for other rules or observations of {plays}: train it again"
            )
        network = cls(game, widths)
        network.load_state_dict(weights)
        return network, saved


class PolicyAgent:
    """An agent that plays the most probable action of a network, without a search."""

    takes_seeds = True
    """See `agents.Search.act`."""

    def __init__(self, network: AfterstateNetwork) -> None:
        self.network = network

    def act(self, states: States, seed: Seed = None) -> npt.NDArray[np.int64]:
        """Return the actions (n,) int64, -1 where a game is over."""
        out = np.full(len(states), -1, np.int64)
        running = np.flatnonzero(states["to_move"] >= 0)
        if len(running):
            out[running] = self.network.evaluate(states[running])[0].argmax(1)
        return out


def seats(game: Game, states: States) -> npt.NDArray[np.int64]:
    """Return the (n, P) players from each player to move on."""
    return seats_from(np.asarray(states["to_move"], np.int64), game.num_players)
