"""TextArena: every game as an environment of TextArena, and agents of both libraries against each other.

    python scripts/examples/textarena_match.py --game oware --agents greedy random --games 10

Needs ``pip install ".[textarena]"``. Importing this file registers ``Mancala-NAME-v0`` for every game, for
`textarena.make`. Agents of TextArena, such as `textarena.agents.OpenAIAgent`, play them like any other environment.
"""

import argparse
from collections import Counter

import numpy as np
import textarena as ta

from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.text_play import AnswerError, Scripted, TextGame


class MancalaEnv(ta.Env):
    """A game of the library in TextArena.

    The first message to each player holds the rules, and every decision has a message of its own with the board, the
    state and the legal actions. An answer is a number in squared brackets, `[3]`, or anything else that
    `TextGame.parse_action` takes. After a second answer in a row that cannot be played the player loses the game.
    """

    def __init__(self, name="kalah", **options):
        self.game = make_game(name, **options)
        self.rules, self.talk = TextGame(self.game), TextGame(self.game, rules="none")

    def reset(self, num_players, seed=None):
        """Begin a game."""
        if num_players != self.game.num_deciding:
            raise ValueError(f"{self.game.header} has {self.game.num_deciding} players, got {num_players}")
        self.state = ta.FFAMultiPlayerState(num_players=num_players, seed=seed)
        self.state.reset(player_prompt_function=self._introduce)
        self.position = self.game.init(1, int(np.random.default_rng(seed).integers(2**63)))
        self.totals = np.zeros(num_players)
        self._ask()

    def step(self, action):
        """Play an answer of the player to move."""
        mover = self.state.current_player_id
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=mover, to_id=mover)
        try:
            chosen = self.talk.parse_action(self.position, action)
        except AnswerError as error:
            if self.state.set_invalid_move(str(error)):
                self._end({seat: -1 if seat == mover else 1 for seat in range(len(self.totals))}, str(error))
            else:
                self._ask(str(error))
            return self.state.step(rotate_player=False)
        before = self.position.copy()
        self.totals += self.game.step(self.position, [chosen])[0]
        line = self.talk.describe(before, chosen, self.position)
        self.state.add_observation(line, ta.ObservationType.GAME_ACTION_DESCRIPTION)
        if self.position["to_move"][0] < 0:
            self._end(dict(enumerate(self.totals.tolist())), "the game is over")
        else:
            self._ask()
        return self.state.step(rotate_player=False)

    def get_board_str(self):
        """Return the board, for TextArena's renderer."""
        return self.talk.prompt(self.position).partition("## State")[0]

    def _introduce(self, player_id, game_state):
        return f"You play {self.game.book.title}. You are player_{player_id}.\n\n{self.rules.rules}"

    def _ask(self, refusal=""):
        mover = int(self.position["to_move"][0])
        self.state.manually_set_current_player_id(mover)
        prompt = self.talk.prompt(self.position, refusal=refusal)
        self.state.add_observation(prompt, ta.ObservationType.GAME_BOARD, to_id=mover)

    def _end(self, rewards, reason):
        self.state.set_game_outcome(rewards, reason)


WRAPPERS = [ta.wrappers.GameMessagesAndCurrentBoardObservationWrapper]
"""Each player sees the rules, the decisions so far and the last message with a board."""

for game in REGISTRY:
    ta.register(f"Mancala-{game}-v0", MancalaEnv, WRAPPERS, name=game)


class LibraryAgent(ta.Agent):
    """An agent of the library, such as `"greedy"`, as an agent of TextArena."""

    def __init__(self, game, agent, seed=0):
        self.scripted = Scripted(game, agent, seed)

    def __call__(self, observation):
        """Return an answer to what the environment shows."""
        return self.scripted(observation)


def play(env, agents, seed):
    """Play a game and return the rewards by seat."""
    env.reset(num_players=len(agents), seed=seed)
    done = False
    while not done:
        seat, observation = env.get_observation()
        done, _ = env.step(action=agents[seat](observation))
    rewards, _ = env.close()
    return rewards


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=REGISTRY, default="kalah")
    parser.add_argument("--agents", nargs="+", default=["greedy", "random"], help="one agent for each seat")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rewards: Counter[int] = Counter()
    for number in range(args.games):
        env = ta.make(f"Mancala-{args.game}-v0")
        agents = [LibraryAgent(env.game, agent, args.seed + number) for agent in args.agents]
        for seat, reward in play(env, agents, args.seed + number).items():
            rewards[seat] += reward
    for seat, agent in enumerate(args.agents):
        print(f"seat {seat}, {agent}: mean reward {rewards[seat] / args.games:+.2f}")


if __name__ == "__main__":
    main()
