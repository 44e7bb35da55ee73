"""Value networks with random weights, and what they should return, in NumPy."""

import numpy as np

from mancala_envs.agents.inference import BLOCK, SHIFT
from mancala_envs.agents.network import ValueNetwork, checksum, evaluate, rows_of


def random_network(game, seed=0, search="minimax", pairs=None):
    """Return a network for a game, whose corrections are some eighths of `worth`; it does not use the second column."""
    chance, (ends, _) = np.random.default_rng(seed), rows_of(game, pairs)
    tables = chance.integers(-20, 20, (ends[-1], BLOCK)).astype(np.int8)
    tables[ends[1] : ends[2]] = 0
    outputs = 1 if game.num_players == 2 else game.num_players
    return ValueNetwork(
        plays=game.header,
        checksum=checksum(game),
        search=search,
        scale=40.0,
        tables=tables,
        bias=chance.integers(-20, 20, BLOCK).astype(np.int16),
        output=chance.integers(-2000, 2000, (outputs, BLOCK)).astype(np.int32),
        output_bias=chance.integers(-20000, 20000, outputs).astype(np.int32),
        training={"seed": seed},
        pairs=pairs,
    )


def expected_values(game, states, network):
    """Return the evaluation (n, P) of games in play for every player, in eighths, from the observations."""
    (ends, highest), columns = rows_of(game, network.pairs), game.observe(states).astype(int)
    inputs = np.concatenate([columns, network.pairs.codes(columns)], 1) if network.pairs else columns
    rows = ends[:-1] + np.minimum(inputs, highest)
    hidden = np.maximum(network.bias + network.tables.astype(int)[rows].sum(axis=1), 0)
    outputs = (hidden @ network.output.T.astype(int) + network.output_bias) >> SHIFT
    movers, players = states["to_move"].astype(int)[:, None], np.arange(game.num_players)
    if game.num_players == 2:
        corrections = np.where(players == movers, outputs, -outputs)
    else:
        corrections = np.take_along_axis(outputs, (players - movers) % game.num_players, axis=1)
    return evaluate(game, states) + corrections
