"""What a training run is, without any training library."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, make_game

MODEL, CONFIG, CURVE = "model.zip", "config.json", "learning_curve.json"

OPPONENTS = ("random", "greedy")
STRONG = ("minimax:4", "mcts:400")
"""Opponents of the final evaluation besides, for at most STRONG_GAMES from each seat: they think."""
STRONG_GAMES = 100


@dataclass
class Settings:
    """A training run. Raises ValueError or TypeError for what is not allowed."""

    game: str
    campaign: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    shaping: float = 0.5
    """Weight of `ChangeOfWorth` in campaigns; 0: none."""
    curriculum: bool = False
    """Whether to begin with the last rounds of campaigns."""
    minutes: float = 4.5
    """Length of training."""
    steps: int | None = None
    """End after so many decisions of the learner, if that is earlier."""
    envs: int = 256
    """Games at once."""
    seed: int = 0
    """Of the games and the network."""
    games: int = 400
    """Of the final evaluation for each seat and opponent."""
    out: Path = Path()
    """The folder of the run; by default that of `resume`, or the first free one of runs/GAME, runs/GAME_2, ..."""
    resume: Path | None = None
    """Go on with the model in this folder."""
    tensorboard: Path | None = None
    """A folder for TensorBoard."""

    def __post_init__(self) -> None:
        if self.curriculum and not self.campaign:
            raise ValueError("curriculum needs campaign")
        self.header = self.make_game().header
        if self.out == Path():
            self.out = self.resume or next(self._free_folders())
        if self.out != self.resume and (self.out / MODEL).exists():
            raise ValueError(f"{self.out} holds a run already: resume it, or choose another folder")

    def make_game(self) -> Game:
        """The game with its options."""
        return make_game(self.game, self.campaign, **self.options)

    def _free_folders(self) -> Iterator[Path]:
        """runs/GAME, or runs/GAME_campaign, then numbered from 2 on: those that hold no run yet."""
        name = self.game + "_campaign" * self.campaign
        for number in count(1):
            folder = Path("runs") / (name if number == 1 else f"{name}_{number}")
            if not (folder / MODEL).exists():
                yield folder

    @property
    def config(self) -> dict[str, Any]:
        """What is written down of the run."""
        kept = ("game", "campaign", "options", "shaping", "curriculum", "minutes", "steps", "envs", "seed")
        return {"plays": self.header} | {name: getattr(self, name) for name in kept}

    @property
    def measured(self) -> dict[str, Any]:
        """What is played where the result alone counts: arguments of `evaluate`."""
        options = {name: value for name, value in self.options.items() if name != "round_reward"}
        return {"game": self.game, "campaign": self.campaign, **options}

    @property
    def meetings(self) -> dict[str, int]:
        """How many games the final evaluation plays against whom."""
        seats = self.make_game().num_deciding
        few = min(self.games, STRONG_GAMES)
        return dict.fromkeys(OPPONENTS, seats * self.games) | dict.fromkeys(STRONG, seats * few)

    @property
    def plan(self) -> str:
        """What is going to happen, in words."""
        limit = f", at most {self.steps:,} decisions" if self.steps else ""
        games = ", ".join(f"{games} against {opponent}" for opponent, games in self.meetings.items())
        return f"{self.header}: {self.minutes:g} minutes of training{limit}, then games: {games}"

    @property
    def title(self) -> str:
        """What is learnt, by whom."""
        options = [f"{name}={value}" for name, value in self.options.items()]
        what = ", ".join([REGISTRY[self.game].book.title + " campaigns" * self.campaign, *options])
        return f"{what}: MaskablePPO, seed {self.seed}"
