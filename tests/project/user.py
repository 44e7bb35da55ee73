"""A user's program, with which `make lint` checks the public type annotations of the package."""

from collections.abc import Mapping

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs import Game, kalah_v0, make_game, qelat_v0
from mancala_envs.agents import Agent
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import Score, evaluate
from mancala_envs.render import draw_picture, draw_svg
from mancala_envs.wrappers import RecordEpisodes, SingleAgent, recordings


def bare_rules() -> npt.NDArray[np.float32]:
    game: Game = make_game("qelat", campaign=True, columns=4)
    states = game.init(64, seed=7)
    mask: npt.NDArray[np.bool_] = game.legal(states)
    actions: npt.NDArray[np.int64] = game.sample(states)
    lines: list[str] = game.explain(states[0], actions[0])
    rewards: npt.NDArray[np.float32] = game.step(states, actions, autoreset=True)
    print(mask.any(axis=1).all(), *lines, states.holes[0], states["owned"][0], game.text(states[0]), sep="\n")
    return rewards


def searches() -> Mapping[int, float]:
    game = make_game("kalah")
    states = game.init(2, seed=1)
    board = game.board(states[:1])
    print(draw_picture(board).shape, draw_svg(board)[:4], Agent(game, "greedy").act(states, seed=1).sum())
    return Agent(game, "minimax:2").analyse(states[:1]).values


def one_learner() -> float:
    env = gym.make("mancala_envs/Kalah-v0", opponent="greedy", seat="random")
    _, info = env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        total, over = total + float(reward), terminated or truncated
    direct = SoloEnv("kalah", opponent="random")
    observation, _ = direct.reset(seed=1)
    print(observation.shape, direct.game.name)
    return total


def many_games() -> float:
    envs = gym.make_vec("mancala_envs/Kalah-v0", num_envs=8, opponent="greedy")
    _, infos = envs.reset(seed=1)
    _, rewards, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    direct = MancalaVectorEnv("kalah", 4, opponent="random")
    observations, infos = direct.reset(seed=1)
    print(observations.shape, infos["action_mask"].sum())
    return float(rewards.sum())


def every_seat() -> Score:
    for env in (kalah_v0.env(), kalah_v0.raw_env(), RawEnv("kalah"), RecordEpisodes(kalah_v0.raw_env(), "games.jsonl")):
        env.reset(seed=1)
        for agent in env.agent_iter():
            _, _, terminated, truncated, info = env.last()
            over = terminated or truncated
            env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
    print([one.film().title for one in recordings("games.jsonl")])
    SingleAgent(qelat_v0.raw_env(), opponent="greedy").reset(seed=1)
    return evaluate("greedy", "kalah", "random", games=10, seed=1)


if __name__ == "__main__":
    print(bare_rules(), searches(), one_learner(), many_games(), every_seat().points)
