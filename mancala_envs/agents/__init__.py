"""Agents: by name (random, greedy or a search), any callable, a search of your own, a saved model, or a mixture."""

from mancala_envs.agents.agent import Agent, Policy, Search
from mancala_envs.agents.common import Analysis
from mancala_envs.agents.exchanges import Exchanges
from mancala_envs.agents.judges import ActionValues, Evaluator
from mancala_envs.agents.mixture import Mixture, OpponentSpec
from mancala_envs.agents.model import NetworkAgent, load_policy
from mancala_envs.agents.network import ValueNetwork, expert_for, experts, load_network
from mancala_envs.agents.puct import Puct, PuctAgent

__all__ = [
    "ActionValues",
    "Agent",
    "Analysis",
    "Evaluator",
    "Exchanges",
    "Mixture",
    "NetworkAgent",
    "OpponentSpec",
    "Policy",
    "Puct",
    "PuctAgent",
    "Search",
    "ValueNetwork",
    "expert_for",
    "experts",
    "load_network",
    "load_policy",
]
