"""AlphaZero from the parts of the library: self-play by search, a network on afterstates, and a search that uses it.

    python scripts/examples/alphazero.py --game qelat --minutes 10

`python scripts/train.py GAME --method alphazero` does the same with several actors, checkpoints and learning curves.
Here one process plays and learns in turn, in any game. Then the agent plays against the built-in opponents, with
search. Needs PyTorch. Ctrl-C ends training early; the network so far is saved and evaluated.
"""

from time import monotonic

from mancala_envs import make_game
from mancala_envs.agents import Puct, PuctAgent
from mancala_envs.learning import AfterstateNetwork, Learner, ReplayBuffer, SelfPlayGames
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tensorboard import curves

GAMES, DECISIONS, SIMULATIONS = 256, 32, 32
"""Games in parallel, decisions in each between updates of the network, and simulations of a full search."""
REUSE, LEARNING_RATE = 4, 1e-3
"""How often each decision is learnt from, on average, and the learning rate at the start."""
STRONG = 200
"""Simulations of a search in the evaluation."""


def train(network, minutes, seed, log):
    games = SelfPlayGames(network.game, GAMES, SIMULATIONS, seed)
    learner, buffer = Learner(network, seed), ReplayBuffer(network.game, 300_000)
    begin, seconds = monotonic(), 60 * minutes
    with Bar(total=round(seconds), unit="s", bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt} s{postfix}") as bar:
        while (left := 1 - (monotonic() - begin) / seconds) > 0:
            rows = games.play(network.evaluate, DECISIONS)
            if not len(rows):
                continue  # No game has ended yet.
            buffer.add(rows)
            losses = learner.learn(buffer, REUSE * len(rows), LEARNING_RATE * max(0.05, left))
            for name, loss in zip(("policy", "value"), losses, strict=True):
                log(f"loss/{name}", loss, buffer.written)
            bar.n = min(round(monotonic() - begin), bar.total)
            bar.set_postfix_str(f"{buffer.written:,} decisions, losses {losses[0]:.3f} and {losses[1]:.3f}")


def main():
    parser = training_program(__doc__, "alphazero", "losses", "qelat")
    parser.add_argument("--minutes", type=float, default=10, help="minutes of training")
    args = begin(parser)
    game = make_game(args.game)
    network = AfterstateNetwork(game)
    try:
        train(network, args.minutes, args.seed, curves(args.tensorboard, args.out.name))
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    network.save(args.out / "agent.pt")
    agent = PuctAgent(Puct(game, args.games, STRONG, gumbel=(16, 0.0)), network.evaluate)
    evaluate_and_write(agent, args, ("random", "greedy", f"mcts:{STRONG}"))


if __name__ == "__main__":
    main()
