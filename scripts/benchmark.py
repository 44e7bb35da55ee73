"""Evaluate an agent on the tasks of the benchmark, or train a baseline, and write the result to a file.

    python scripts/benchmark.py mcts:400
    python scripts/benchmark.py my_module:make_agent --tasks kalah qelat_campaign --seeds 0
    python scripts/benchmark.py 'runs/{task}_{seed}/model.zip' --track learners --decisions 1000000 --name "My PPO"
    python scripts/benchmark.py --train ppo --decisions 200000

AGENT is a name, such as greedy or minimax:4; the path of a saved MaskablePPO model, in which {task} and {seed} are
replaced; or module:function, a function that is called with the task and the seed and returns an agent, as
`mancala_envs.agents.Agent` takes it. The module may be a file in the current folder.

In each task the agent meets a ladder of six opponents, from random play to a fixed expert, from random openings,
each played from both seats. The score of a task is the mean of the points, from 0 to 100; that of the suite is the
interquartile mean over tasks and seeds. A fast policy takes at most ten minutes on two cores.

The track `learners` is for agents that learnt from at most 1,000,000 of their decisions in a task, and that play
without search. The track `open` is for all agents. --train trains a baseline of the track `learners`.

An illegal action loses the game, and the file counts these games. If an agent raises an error or does not answer, the
program reports the task and the position, and continues with the other tasks. Ctrl-C and SIGTERM end the program early
without damaged files; the same command continues. Exit status: 1 if a task failed.
"""

import os
import sys
from pathlib import Path

from mancala_envs.benchmark.run import SECONDS, TITLES, benchmark
from mancala_envs.benchmark.tasks import DECISIONS, OPEN, SEEDS, TASKS, TRACKS
from mancala_envs.programs.arguments import duration, natural, positive, program, usage_errors


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument("agent", nargs="?", metavar="AGENT", help="a name, a saved model, or module:function")
    parser.add_argument("--train", choices=TITLES, help="train this baseline instead")
    parser.add_argument(
        "--tasks", nargs="+", choices=TASKS, default=list(TASKS), metavar="TASK", help=f"some of {', '.join(TASKS)}"
    )
    parser.add_argument("--seeds", nargs="+", type=natural, default=SEEDS, metavar="SEED", help="seeds (default 0 1 2)")
    parser.add_argument("--track", choices=TRACKS, default=OPEN, help="track of AGENT")
    parser.add_argument(
        "--decisions", type=positive, help=f"decisions that the learner learnt from or learns from, up to {DECISIONS:,}"
    )
    parser.add_argument("--name", help="name for the leaderboard")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seconds", type=duration, default=SECONDS, help="longest time for a decision, on average")
    parser.add_argument("--out", type=Path, help="file of the result (default runs/benchmark/AGENT.json)")
    args = parser.parse_args()
    with usage_errors(parser, TypeError, ValueError):
        complete = benchmark(**vars(args))
    sys.exit(not complete)


if __name__ == "__main__":
    main()
