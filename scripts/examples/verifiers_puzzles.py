"""verifiers: puzzles as a taskset, with a reward from exact regret.

    PYTHONPATH=scripts/examples vf-eval verifiers_puzzles -n 20 --env.agent.harness.id null \
        --env.agent.runtime.type subprocess --model qwen3 --client.base-url http://localhost:8000/v1 \
        --client.api-key-var OPENAI_API_KEY --no-push

Needs ``pip install ".[verifiers]"``. The options of a set of puzzles are ``--env.taskset.games``,
``--env.taskset.number``, ``--env.taskset.seed`` and ``--env.taskset.rules``.
"""

import verifiers.v1 as vf
from pydantic import Field

from mancala_envs.text_play import AnswerError, TextGame, state_from_json
from mancala_envs.text_play.puzzles import puzzles

__all__ = ["PuzzleTaskset"]


class PuzzleData(vf.TaskData):
    """A puzzle: the position, its legal actions and their regrets, see `mancala_envs.text_play.puzzles.Puzzle`."""

    state: str
    actions: list[int]
    regrets: list[int]


class PuzzleTask(vf.Task[PuzzleData]):
    """A puzzle to solve in one answer."""

    def regret(self, trace):
        """Return the regret of the answer, in seeds; None if it cannot be played."""
        game, state = state_from_json(self.data.state)
        try:
            action = TextGame(game, rules="none").parse_action(state, trace.last_reply)
        except AnswerError:
            return None
        return self.data.regrets[self.data.actions.index(action)]

    @vf.reward(weight=1.0)
    async def closeness(self, trace: vf.Trace) -> float:
        """Return 1 for a best action, 0 for a worst one or none, and a linear function of the regret between."""
        regret = self.regret(trace)
        return 0.0 if regret is None else 1 - regret / max(self.data.regrets)

    @vf.metric
    async def refused(self, trace: vf.Trace) -> float:
        """Return 1 if the answer cannot be played."""
        return float(self.regret(trace) is None)

    @vf.metric
    async def best(self, trace: vf.Trace) -> float:
        """Return 1 if the answer is a best action."""
        return float(self.regret(trace) == 0)


class PuzzleConfig(vf.TasksetConfig):
    """Which puzzles to ask."""

    games: list[str] = Field(["kalah"])
    number: int = 100
    seed: int = 0
    rules: str = "short"


class PuzzleTaskset(vf.Taskset[PuzzleTask, PuzzleConfig]):
    """Puzzles of each game."""

    def load(self):
        """Yield `number` puzzles of each game."""
        for game in self.config.games:
            for puzzle in puzzles(game, self.config.number, self.config.seed, self.config.rules):
                data = PuzzleData(
                    prompt=puzzle.question, state=puzzle.state, actions=puzzle.actions, regrets=puzzle.regrets
                )
                yield PuzzleTask(data, self.config.task)
