"""Players that read prompts and write answers: scripted agents, people at the terminal, and served models."""

import json
import os
import re
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from mancala_envs.agents import Agent
from mancala_envs.game import Game
from mancala_envs.programs.files import RunError
from mancala_envs.registry import make_game

_STATE = re.compile(r"(?m)^`(.+ chance=)\?`$")


class Scripted:
    """An agent of the library that plays in text: it reads the state in the prompt and answers with an action.

    Args:
        game: The game, as `make_game` takes it, without hidden information.
        agent: The agent's name, such as `"greedy"`.
        seed: Seed of its choices.

    Raises:
        ValueError: There is no such agent, or the game has hidden information.
    """

    def __init__(self, game: Game | str, agent: str, seed: int = 0) -> None:
        game = make_game(game)
        if game.has_secrets:
            raise ValueError(f"{game.header} has hidden information, which prompts leave out")
        self._game, self._choose, self._seed = game, Agent(game, agent).act, seed

    def __call__(self, prompt: str) -> str:
        """Return an answer to the prompt of a `TextGame`."""
        found = _STATE.search(prompt)
        if not found:
            raise ValueError("the prompt has no state")
        self._seed += 1
        action = int(self._choose(self._game.parse(f"{found[1]}0"), self._seed)[0])
        return f"Action: {action}"


class Person:
    """A person at the terminal."""

    def __call__(self, prompt: str) -> str:
        """Print the prompt and return the line that the person types.

        Raises:
            RunError: The input has ended.
        """
        print(f"\n{prompt}\n")
        try:
            return input("> ")
        except EOFError:
            raise RunError("the input has ended") from None


class Endpoint:
    """A model behind an HTTP interface that is compatible with OpenAI's chat completions.

    Every prompt is a conversation of its own: it says everything that the model must know.

    Args:
        address: Base address, such as `http://localhost:8000/v1`.
        model: Name of the model.
        key: API key; by default the environment variable OPENAI_API_KEY, and none if that is not set.
        timeout: Seconds to wait for an answer.
        settings: Further fields of each request, such as `temperature`.

    Attributes:
        tokens: Number of tokens that the server has counted, in prompts and answers together; 0 if it does not count.
    """

    def __init__(
        self, address: str, model: str, key: str | None = None, timeout: float = 600, **settings: object
    ) -> None:
        if not address.startswith(("http://", "https://")):
            raise ValueError(f"address must begin with http:// or https://, got {address!r}")
        self.address, self.model, self.timeout, self.settings = address.rstrip("/"), model, timeout, settings
        self._key = os.environ.get("OPENAI_API_KEY", "") if key is None else key
        self.tokens = 0

    def __call__(self, prompt: str) -> str:
        """Return the model's answer to a prompt.

        Raises:
            RunError: The server cannot be reached, refuses the request or answers in another format.
        """
        content = {"model": self.model, "messages": [{"role": "user", "content": prompt}], **self.settings}
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(f"{self.address}/chat/completions", json.dumps(content).encode(), headers)
        try:
            with urlopen(request, timeout=self.timeout) as response:
                reply = json.load(response)
            answer = reply["choices"][0]["message"]["content"] or ""
            self.tokens += int((reply.get("usage") or {}).get("total_tokens", 0))
        except HTTPError as error:
            with error:  # It is an open response, too.
                said = error.read(300).decode(errors="replace")
            raise RunError(f"{self.address} refused the request: {error}: {said}") from None
        except (OSError, HTTPException) as error:
            raise RunError(f"{self.address} cannot be reached: {error}") from None
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise RunError(f"{self.address} answered in an unknown format: {error!r}") from None
        return str(answer)
