"""The benchmark: ten tasks, one protocol, one score. The guide "Report a result" shows how to use it.

::

    env = benchmark.task("kalah").make()                            # also make_vec and make_aec
    report = benchmark.Report("mine.json", "my agent", "learners")
    report.add("kalah", seed=0, agent=policy, decisions=1_000_000)  # plays, and writes the file

`mancala-benchmark` does the same for saved agents, and trains baselines.
"""

from mancala_envs.benchmark.play import play
from mancala_envs.benchmark.report import Report
from mancala_envs.benchmark.tasks import DECISIONS, LADDER, SEEDS, TASKS, Task, task, version

__all__ = ["DECISIONS", "LADDER", "SEEDS", "TASKS", "Report", "Task", "play", "task", "version"]
