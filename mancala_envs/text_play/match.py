"""Matches between an agent that reads and writes text, and any opponent."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

import numpy as np

from mancala_envs.agents import Agent
from mancala_envs.core.arguments import States, require_some
from mancala_envs.evaluation.score import Score
from mancala_envs.game import Game
from mancala_envs.registry import make_game
from mancala_envs.text_play.answers import AmbiguousAnswer, AnswerError, IllegalAnswer, UnclearAnswer
from mancala_envs.text_play.prompts import SHORT, TextGame
from mancala_envs.text_play.regret import Regrets

Answerer = Callable[[str], str]
"""Maps a prompt to an answer: a language model, a person, or a scripted agent."""

Decide = Callable[[States, int], int]
"""Maps the state (1,) and a random seed to the action of the player to move."""

ON_ILLEGAL = RETRY, FORFEIT, RANDOM = "retry", "forfeit", "random"
"""Consequences of an answer that cannot be played: the question is repeated with the reason, and the game is lost if
that does not help; the game is lost at once; or a random legal action is played."""


@dataclass
class TextScore:
    """The results of an agent that plays in text.

    Attributes:
        score: Wins, draws and losses by seat; a forfeited game is lost.
        decisions: Number of decisions asked for.
        answers: Number of answers, those to repeated questions included.
        unclear: Number of answers that named no action.
        ambiguous: Number of answers that named several actions.
        illegal: Number of answers that named an illegal action.
        forfeits: Number of forfeited games.
        random_actions: Number of decisions for which a random action was played.
        prompt_characters: Total length of all prompts.
        answer_characters: Total length of all answers.
        regrets: Exact regret of every decision for which it was asked and proven, in the order of play.
    """

    score: Score = field(default_factory=lambda: Score(0, 0, 0))
    decisions: int = 0
    answers: int = 0
    unclear: int = 0
    ambiguous: int = 0
    illegal: int = 0
    forfeits: int = 0
    random_actions: int = 0
    prompt_characters: int = 0
    answer_characters: int = 0
    regrets: list[int] = field(default_factory=list)

    @property
    def refused(self) -> int:
        """Number of answers that could not be played."""
        return self.unclear + self.ambiguous + self.illegal

    @property
    def refusal_rate(self) -> float:
        """Share of answers that could not be played; 0 without answers."""
        return self.refused / self.answers if self.answers else 0.0

    @property
    def mean_regret(self) -> float | None:
        """Mean of `regrets`; None if there are none."""
        return sum(self.regrets) / len(self.regrets) if self.regrets else None

    def __str__(self) -> str:
        lines = [
            str(self.score),
            f"answers: {self.answers}, of which {self.refusal_rate:.1%} could not be played "
            f"({self.unclear} unclear, {self.ambiguous} ambiguous, {self.illegal} illegal)",
            f"forfeited games: {self.forfeits}; random actions: {self.random_actions}",
            f"characters: {self.prompt_characters:,} in prompts, {self.answer_characters:,} in answers",
        ]
        if self.regrets:
            lines.append(f"exact regret: {self.mean_regret:.3f} on average over {len(self.regrets)} decisions")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the results as a dict for a JSON file."""
        counts = {name: value for name, value in self.__dict__.items() if name not in ("score", "regrets")}
        return {**self.score.as_dict(), **counts, "refusal_rate": self.refusal_rate, "regrets": self.regrets}


def play_text(agent: Answerer, game: Game | str, opponent: str | Answerer = "random", **arguments: Any) -> TextScore:
    """Let an agent play in text, from every seat in turn, and return its results.

    >>> play_text(Scripted("kalah", "greedy"), "kalah", "random", games=20)

    For the arguments see `text_games`.
    """
    *_, result = text_games(agent, game, opponent, **arguments)
    return result


def text_games(
    agent: Answerer,
    game: Game | str,
    opponent: str | Answerer = "random",
    games: int = 20,
    *,
    opening: Any = 0,
    on_illegal: str = RETRY,
    retries: int = 2,
    rules: str = SHORT,
    list_actions: bool = True,
    history: int | None = None,
    regret: bool = False,
    seed: int = 0,
    watch: Callable[[str], object] = lambda line: None,
) -> Iterator[TextScore]:
    """Let an agent play in text, and yield its results so far after every game.

    Args:
        agent: The agent, a function from prompts to answers.
        game: The game, as `make_game` takes it.
        opponent: The name of an agent, such as `"minimax:4"`, the path of a saved model, or another function from
            prompts to answers. It plays all other seats.
        games: Number of games.
        opening: Number, or range (low, high), of random decisions before a game, or positions, see `Game.opening`.
            Every opening is played once from each seat.
        on_illegal: The consequence of an answer that cannot be played, one of ON_ILLEGAL.
        retries: With `"retry"`, how many times a question is repeated before the game is lost.
        rules: See `TextGame`.
        list_actions: See `TextGame`.
        history: Number of earlier decisions that a prompt quotes; by default all of the game.
        regret: Whether to prove the regret of every decision of `agent`; only for small games of two players.
        seed: Seed of the games and of the opponent.
        watch: Called with a line of text for each decision, refused answer and result.

    Raises:
        ValueError: An argument is not allowed, or `regret` is asked for and the game cannot be solved.
    """
    require_some(games, "games")
    require_some(retries, "retries", least=0)
    if history is not None:
        require_some(history, "history", least=0)
    if on_illegal not in ON_ILLEGAL:
        raise ValueError(f"on_illegal must be one of {', '.join(map(repr, ON_ILLEGAL))}, got {on_illegal!r}")
    made, lines = make_game(game), list[str]()

    def in_text(answerer: Answerer, result: TextScore, regrets: Regrets | None = None) -> _TextPlayer:
        talk = TextGame(made, rules, list_actions)
        return _TextPlayer(talk, answerer, result, on_illegal, retries, history, lines, watch, regrets)

    result = TextScore()
    learner = in_text(agent, result, Regrets(made) if regret else None)
    other = _named(made, opponent) if isinstance(opponent, str) else in_text(opponent, TextScore()).decide
    chance = np.random.default_rng(seed)
    seats = made.num_deciding
    starts = made.init(-(-games // seats), int(chance.integers(2**63)), opening=opening)

    def played() -> Iterator[TextScore]:
        points: list[list[float]] = [[] for _ in starts]
        for number in range(games):
            start, seat = divmod(number, seats)
            watch(f"game {number + 1} of {games}, agent in seat {seat}")
            lines.clear()
            reward = _play(starts[start : start + 1].copy(), learner, other, seat, chance)
            won, drawn, lost = (int(np.sign(reward) == sign) for sign in (1, 0, -1))
            points[start].append(won + drawn / 2)
            score = result.score + Score(won, drawn, lost, {seat: Score(won, drawn, lost)})
            result.score = replace(score, by_opening=tuple(map(fmean, filter(None, points))))
            watch(f"result: {'win' if won else 'draw' if drawn else 'loss'}")
            yield result

    return played()


class _Forfeit(Exception):
    """The player to move loses the game by their answers."""


def _play(state: States, agent: "_TextPlayer", other: Decide, seat: int, chance: np.random.Generator) -> float:
    """Play a game to its end and return the reward of the agent in `seat`: -1 if it forfeits, 1 if another does."""
    reward = 0.0
    while (mover := int(state["to_move"][0])) >= 0:
        decide = agent.decide if mover == seat else other
        try:
            action = decide(state, int(chance.integers(2**63)))
        except _Forfeit:
            return -1.0 if mover == seat else 1.0
        before = state.copy()
        reward += float(agent.talk.game.step(state, [action])[0, seat])
        agent.lines.append(agent.talk.describe(before, action, state))
        agent.watch(agent.lines[-1])
    return reward


def _named(game: Game, agent: str) -> Decide:
    """Return the function that decides for an agent of the library."""
    choose = Agent(game, agent).act
    return lambda state, seed: int(choose(state, seed)[0])


@dataclass
class _TextPlayer:
    """A player that is asked in text."""

    talk: TextGame
    answerer: Answerer
    result: TextScore
    on_illegal: str
    retries: int
    history: int | None
    lines: list[str]
    watch: Callable[[str], object]
    regrets: Regrets | None

    def decide(self, state: States, seed: int) -> int:
        """Ask until an answer can be played, and return its action."""
        self.result.decisions += 1
        action = self._answered(state)
        if action is None:
            if self.on_illegal != RANDOM:
                self.result.forfeits += 1
                raise _Forfeit
            self.result.random_actions += 1
            return int(self.talk.game.sample(state, seed)[0])
        if self.regrets and (regret := self.regrets.of(state, action)) is not None:
            self.result.regrets.append(regret)
        return action

    def _answered(self, state: States) -> int | None:
        """Return the action of the first answer that can be played; None if there is none."""
        result, refusal = self.result, ""
        begin = 0 if self.history is None else max(0, len(self.lines) - self.history)
        for _ in range(1 + (self.retries if self.on_illegal == RETRY else 0)):
            prompt = self.talk.prompt(state, self.lines[begin:], refusal)
            answer = self.answerer(prompt)
            result.answers += 1
            result.prompt_characters += len(prompt)
            result.answer_characters += len(answer)
            try:
                return self.talk.parse_action(state, answer)
            except AnswerError as error:
                result.unclear += isinstance(error, UnclearAnswer)
                result.ambiguous += isinstance(error, AmbiguousAnswer)
                result.illegal += isinstance(error, IllegalAnswer)
                refusal = str(error)
                self.watch(f"refused: {refusal}")
        return None
