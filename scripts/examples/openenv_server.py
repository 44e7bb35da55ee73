"""OpenEnv: a server with a game as an environment; the server plays the opponent.

    python scripts/examples/openenv_server.py --game kalah --opponent minimax:2 --port 8000

Needs ``pip install ".[openenv]"``. A client sends ``{"answer": "Action: 3"}`` to each prompt:

    from openenv.core import GenericEnvClient

    with GenericEnvClient(base_url="http://localhost:8000").sync() as env:
        result = env.reset(seed=1)
        while not result.done:
            result = env.step({"answer": model(result.observation["prompt"])})
        print(result.reward)
"""

import argparse
from functools import partial

import numpy as np
import uvicorn
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from mancala_envs.agents import Agent
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.text_play import AnswerError, TextGame


class Answer(Action):
    """The answer to a prompt."""

    answer: str = Field(description="prose that names one legal action, best as a line `Action: NUMBER`")


class Prompt(Observation):
    """The position as the player to move sees it."""

    prompt: str = Field(description="rules, board, state and legal actions; empty when the game is over")
    refusal: str = Field("", description="why the last answer was not played; empty if it was")
    legal: list[int] = Field([], description="the legal actions")


class Standing(State):
    """The position, without what the client may not know."""

    position: str = ""


class GameEnvironment(Environment):
    """A game against an agent of the library. The client's seat is drawn from the seed."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, name="kalah", opponent="random", retries=2):
        super().__init__()
        self.game = make_game(name)
        self.talk, self.opponent, self.retries = TextGame(self.game), Agent(self.game, opponent).act, retries
        self._steps = self._refused = 0
        self._start(None, None)

    def reset(self, seed=None, episode_id=None):
        """Begin a game and return the first prompt."""
        self._start(seed, episode_id)
        return self._play_on()

    def step(self, action, timeout_s=None):
        """Play the client's answer and the opponent's replies, and return the next prompt.

        A refused answer is asked for again with the reason; after `retries` more the game is lost.
        """
        if self._over():
            return self._play_on()
        self._steps += 1
        try:
            chosen = self.talk.parse_action(self._state, action.answer)
        except AnswerError as error:
            self._refused += 1
            if self._refused > self.retries:
                self._forfeited, self._reward = True, -1.0
            return self._play_on(str(error))
        self._refused = 0
        self._move(chosen)
        return self._play_on()

    @property
    def state(self):
        """The number of answers so far and the position."""
        known = self.game.text(self._state, self._seat)
        return Standing(episode_id=self._episode, step_count=self._steps, position=known)

    def _start(self, seed, episode_id):
        self._chance = np.random.default_rng(seed)
        self._state = self.game.init(1, int(self._chance.integers(2**63)))
        self._seat = int(self._chance.integers(self.game.num_deciding))
        self._episode, self._forfeited, self._reward = episode_id, False, 0.0
        self._lines: list[str] = []
        self._steps = self._refused = 0

    def _over(self):
        return self._forfeited or self._state["to_move"][0] < 0

    def _move(self, action):
        before = self._state.copy()
        self._reward += float(self.game.step(self._state, [action])[0, self._seat])
        self._lines.append(self.talk.describe(before, action, self._state))

    def _play_on(self, refusal=""):
        """Let the opponent play until the client must decide or the game is over."""
        while not self._over() and self._state["to_move"][0] != self._seat:
            self._move(int(self.opponent(self._state, int(self._chance.integers(2**63)))[0]))
        if self._over():
            return Prompt(prompt="", refusal=refusal, done=True, reward=self._reward)
        prompt = self.talk.prompt(self._state, self._lines, refusal)
        legal = np.flatnonzero(self.game.legal(self._state)[0]).tolist()
        return Prompt(prompt=prompt, refusal=refusal, legal=legal, done=False, reward=0.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=REGISTRY, default="kalah")
    parser.add_argument("--opponent", default="random", help="agent that plays the other seats (default %(default)s)")
    parser.add_argument("--retries", type=int, default=2, help="repeated questions before a game is lost")
    parser.add_argument("--clients", type=int, default=8, help="games at once (default %(default)s)")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    args = parser.parse_args()
    environment = partial(GameEnvironment, args.game, args.opponent, args.retries)
    app = create_app(environment, Answer, Prompt, env_name="mancala", max_concurrent_envs=args.clients)
    uvicorn.run(app, host=args.host, port=args.port)


if __name__ == "__main__":
    main()
