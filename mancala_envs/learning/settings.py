"""The settings of a training run. Importing this needs no training library."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

from mancala_envs.agents import expert_for
from mancala_envs.core.arguments import require_integer, require_some
from mancala_envs.core.opening import EACH_ROUND, OPENING
from mancala_envs.game import Game
from mancala_envs.registry import make_game, read_game, title_of

CONFIG, CURVE = "config.json", "learning_curve.json"

PPO, ALPHAZERO = "ppo", "alphazero"
MODELS = {PPO: "model.zip", ALPHAZERO: "model.pt"}
"""The file of the model for each method of training: MaskablePPO, or self-play by search."""

VALUES = "values.network"
"""The file of the value network for minimax, beside the model of MaskablePPO over afterstates."""

AFTERSTATES, POSITION = OBSERVED = ("afterstates", "position")
"""The network judges what each legal action leads to, or the position before it."""
LARGEST = 2**17
"""Bytes of the largest observation of afterstates with which they are the default. A rollout has thousands of them."""

AFTER_RANDOM = f"after {OPENING} random decisions"
OPENINGS = {AFTER_RANDOM: (OPENING, 0), "usual opening": (0, 0)}
CAMPAIGN_OPENINGS = {AFTER_RANDOM: (OPENING, 0), f"and {EACH_ROUND} in each later round": (OPENING, EACH_ROUND)}
"""The openings of the evaluation, each played from every seat: numbers of random decisions in the first round, and in
each later round of a campaign. From the usual opening, agents without randomness would repeat one campaign."""

OPPONENTS = ("random", "greedy")
STRONG = ("minimax:2", "minimax:4", "mcts:400")
"""Further opponents of the final evaluation. They search, so they play at most STRONG_GAMES games from each seat."""
MEASURED = OPPONENTS + STRONG[:2]
"""The opponents of the learning curve."""
STRONG_GAMES = 100


@dataclass
class Settings:
    """The settings of a training run.

    Raises:
        ValueError: if a setting or a value of a game option is not allowed.
        TypeError: if the game does not have one of the options.
    """

    game: Game | str
    """The game, as `make_game` takes it."""
    method: str = PPO
    """One of MODELS."""
    campaign: bool = False
    """Whether an episode is a campaign of several rounds."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game."""
    shaping: float = 0.0
    """Weight of `ChangeOfWorth` in campaigns; 0 turns it off."""
    curriculum: bool = False
    """Whether training starts with the last rounds of campaigns."""
    expert: bool = False
    """Whether the policy also plays against the expert, and learns from its values from the start."""
    minutes: float = 4.5
    """Wall-clock time of training."""
    steps: int | None = None
    """Maximum number of the learner's decisions; training ends at whichever limit comes first."""
    envs: int = 0
    """Number of games played in parallel; 0 for the default, 2048 with afterstates, 256 with positions and by each
    actor of AlphaZero, and as before in a run that is resumed."""
    observe: str = ""
    """One of OBSERVED. Default: afterstates, except for observations of more than LARGEST bytes.
    AlphaZero always takes afterstates."""
    simulations: int = 32
    """Simulations of a full search in the self-play of AlphaZero; most searches have a quarter."""
    actors: int = 0
    """Number of AlphaZero's actors, which play at the same time; 0 for one for each core, or on a cluster of Ray for
    each of its cores."""
    ray: str | None = None
    """Address of a Ray cluster on which AlphaZero's actors play, "auto", or "local" to start one."""
    seed: int = 0
    """Seed of the games and the network."""
    games: int = 400
    """Games of the final evaluation for each seat and opponent."""
    out: Path = None  # type: ignore[assignment]  # `__post_init__` sets it.
    """The run's folder. Default: that of `resume`, or the first of runs/GAME, runs/GAME_2, ... that holds no run."""
    resume: Path | None = None
    """Folder of a run whose model is trained further."""
    tensorboard: Path | None = None
    """Folder for TensorBoard logs."""
    name: str = field(init=False)
    """Name of the game."""

    def __post_init__(self) -> None:
        self.name, self.campaign, self.options = read_game(self.game, self.campaign, **self.options)
        if self.method not in MODELS:
            raise ValueError(f"method must be one of {', '.join(MODELS)}, got {self.method!r}")
        if self.method == ALPHAZERO:
            self._check_alphazero()
        elif self.ray or self.actors or self.simulations != Settings.simulations:
            raise ValueError(f"only {ALPHAZERO} has actors, on this machine or on Ray, and simulations")
        for name, value in (("curriculum", self.curriculum), ("shaping", self.shaping)):
            if value and not (self.campaign and self.method == PPO):
                raise ValueError(f"{name} needs {PPO} and campaign")
        for name in ("envs", "actors", "seed"):
            require_integer(name, getattr(self, name), 0, 2**32 - 1)
        require_some(self.games, "games")
        if self.steps is not None:
            require_some(self.steps, "steps")
        if not 0 < self.minutes < inf:
            raise ValueError(f"minutes must be above 0, got {self.minutes}")
        game = self.make_game()
        self.header = game.header
        if self.method == ALPHAZERO:
            self.observe = AFTERSTATES
        elif not self.observe:
            size = game.num_actions * len(game.observation_fields) * game.observation_dtype.itemsize
            self.observe = POSITION if size > LARGEST else AFTERSTATES
        if self.observe not in OBSERVED:
            raise ValueError(f"observe must be one of {', '.join(OBSERVED)}, got {self.observe!r}")
        if self.expert:
            self._check_expert()
        if not self.resume:
            self.envs = self.envs or (2048 if self.method == PPO and self.observe == AFTERSTATES else 256)
        if self.out is None:
            self.out = self.resume or next(self._free_folders())
        if self.out != self.resume and _holds_run(self.out):
            raise ValueError(f"{self.out} already holds a run: resume it, or choose another folder")

    def _check_alphazero(self) -> None:
        """Raise ValueError for settings that AlphaZero does not have."""
        if self.observe == POSITION:
            raise ValueError(f"{ALPHAZERO} observes {AFTERSTATES}, not the {POSITION}")
        if self.simulations < 2:
            raise ValueError(f"simulations must be at least 2, got {self.simulations}")

    def _check_expert(self) -> None:
        """Raise ValueError if the policy cannot learn from an expert."""
        if not self.has_values:
            raise ValueError(f"expert needs {PPO} over {AFTERSTATES}")
        if "round_reward" in self.options:
            raise ValueError("expert needs a game without round_reward, of which its network knows nothing")
        if not expert_for(make_game(**self.evaluated_game)).has_weights:
            raise ValueError(f"the expert of {self.of_game} is a plain search, without values")

    def make_game(self) -> Game:
        """Make the game with its options."""
        return make_game(self.name, self.campaign, **self.options)

    def _free_folders(self) -> Iterator[Path]:
        """Yield runs/GAME (or runs/GAME_campaign), then the same numbered from 2, skipping folders with a run."""
        name = self.name + "_campaign" * self.campaign
        for number in count(1):
            folder = Path("runs") / (name if number == 1 else f"{name}_{number}")
            if not _holds_run(folder):
                yield folder

    @property
    def model_file(self) -> str:
        """Name of the model's file in the run's folder."""
        return MODELS[self.method]

    @property
    def config(self) -> dict[str, Any]:
        """The settings to save with the run."""
        of_task = ("campaign", "options", "shaping", "curriculum", "expert")
        of_run = ("minutes", "steps", "envs", "observe", "seed")
        of_method = ("simulations", "actors") if self.method == ALPHAZERO else ()
        named = {name: getattr(self, name) for name in ("method", *of_task, *of_run, *of_method)}
        return {"plays": self.header, "game": self.name} | named

    @property
    def evaluated_game(self) -> dict[str, Any]:
        """Arguments of `evaluate` for the game, without round rewards, because only the final result counts."""
        options = {name: value for name, value in self.options.items() if name != "round_reward"}
        return {"game": self.name, "campaign": self.campaign, **options}

    @property
    def evaluation_games(self) -> dict[str, int]:
        """Number of games of the final evaluation, by opponent."""
        seats = self.make_game().num_deciding
        few = min(self.games, STRONG_GAMES)
        return dict.fromkeys(OPPONENTS, seats * self.games) | dict.fromkeys(STRONG, seats * few)

    @property
    def openings(self) -> dict[str, tuple[int, int]]:
        """The openings of the evaluation by name, see OPENINGS."""
        return CAMPAIGN_OPENINGS if self.campaign else OPENINGS

    @property
    def has_values(self) -> bool:
        """Whether a value network for minimax is learnt beside the policy."""
        return self.method == PPO and self.observe == AFTERSTATES

    @property
    def ways(self) -> str:
        """In what ways the final evaluation plays, if there is more than one."""
        return " without and with search" if self.method == ALPHAZERO or self.has_values else ""

    @property
    def plan(self) -> str:
        """A description of the training and the evaluation to come."""
        limit = f", at most {self.steps:,} decisions" if self.steps else ""
        games = ", ".join(f"{games} against {opponent}" for opponent, games in self.evaluation_games.items())
        return (
            f"{self.header}: {self.minutes:g} minutes of training{limit}, then evaluation games from each of "
            f"{len(self.openings)} kinds of openings{self.ways}: {games}"
        )

    @property
    def of_game(self) -> str:
        """The title of the game and its options."""
        return title_of(self.name, self.campaign, **self.options)

    @property
    def title(self) -> str:
        """Title of the learning curve: game, options, algorithm and seed."""
        game = self.of_game
        if self.method == ALPHAZERO:
            return f"{game}: AlphaZero, network alone, {self.simulations} simulations, seed {self.seed}"
        alone = ", policy alone" if self.has_values else ""
        return f"{game}: MaskablePPO, {self.observe}{alone}, seed {self.seed}"


def _holds_run(folder: Path) -> bool:
    """Return whether a folder holds the model of a run."""
    return any((folder / file).exists() for file in MODELS.values())
