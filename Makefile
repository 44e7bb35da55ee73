# Needs make and Python 3.11 to 3.14 with venv and pip. Everything is installed into .venv.
PYTHON ?= python3
# A pip constraints file; `make train CONSTRAINTS=` uses none.
CONSTRAINTS ?= constraints.txt
GAME ?= qelat
# Options of scripts/train.py: make train GAME=kalah TRAIN="--minutes 10". Without options it trains single rounds; for
# Qelat the default is campaigns, and `make train TRAIN=` trains single rounds.
TRAIN ?= $(if $(filter qelat,$(GAME)),--campaign --option columns=4 --option max_rounds=20)
# The games of `make check`, `make mutate` and `make experts`, by default all: make check GAMES="kalah qelat".
GAMES ?=
# Options of scripts/maintenance/experts.py: make experts GAMES="kalah 'qelat(campaign=True)'" EXPERTS="--minutes 5 --install".
EXPERTS ?=
# Options of tests/mutate.py: make mutate MUTATE="--sample 0 --seed 1 --jobs 4". It also takes paths of modules, such as
# make mutate GAMES="kalah mancala_envs/envs/match.py wrappers/*.py".
MUTATE ?=
# Test files or options of pytest: make test TESTS="tests/games/test_qelat.py -x".
TESTS ?=

VENV := .venv
LINT := .venv/lint
DOCS := .venv/docs
# Tests start many processes, which shall not compile the same modules again.
export PYTHONDONTWRITEBYTECODE :=
# Python compiles the modules that it imports; pip would compile all, which takes longer than the rest of an installation.
INSTALL = -m pip install -q --no-compile --disable-pip-version-check $(if $(strip $(CONSTRAINTS)),-c $(CONSTRAINTS))
ASKED := pyproject.toml $(wildcard $(CONSTRAINTS))

.PHONY: train test slow proof check lint docs speed study experts leaderboard mutate clean

train: $(VENV)/.train
	$(VENV)/bin/python scripts/train.py $(GAME) $(TRAIN)

# PyTorch gets one thread per process, because the processes of pytest already use all cores.
PYTEST = OMP_NUM_THREADS=1 $(VENV)/bin/python -m pytest -q -n auto

test: $(VENV)/.test
	$(PYTEST) -m "not slow and not proof" $(TESTS)

LIBRARIES := $(VENV)/.libraries $(addprefix $(VENV)/,$(addsuffix /.ready,rllib agilerl video jax))

# pytest exits with 5 if no test is selected.
slow: $(LIBRARIES)
	$(PYTEST) -m "slow and not proof" $(TESTS) || [ $$? -eq 5 ]

# Proves values of docs/solved.md again, by the library and by other programs.
proof: $(VENV)/.test
	$(PYTEST) -m proof $(TESTS)

check: $(LIBRARIES)
	$(VENV)/bin/python scripts/maintenance/check.py $(GAMES) \
		--python rllib=$(VENV)/rllib/bin/python --python agilerl=$(VENV)/agilerl/bin/python

# Mutation tests of rules and of other modules: shows the changes that no test detects.
mutate: $(VENV)/.test
	$(VENV)/bin/python tests/mutate.py $(GAMES) $(MUTATE)

speed: $(VENV)/.train
	$(VENV)/bin/python scripts/speed.py

# Measurements of all games and options for the docs. Existing results in results.json are kept.
study: $(VENV)/.train
	$(VENV)/bin/python scripts/maintenance/analyse.py --out docs/study

# Results of the benchmark: those that docs/benchmark lacks, then the leaderboard. Seed 3 trains baselines once more.
leaderboard: $(VENV)/.train
	for agent in random greedy minimax:2 minimax:4 mcts:400 expert; do \
		$(VENV)/bin/python scripts/benchmark.py $$agent --out docs/benchmark/$$(echo $$agent | tr : -).json || exit; \
	done
	for learner in ppo ppo-afterstates alphazero dqn; do \
		$(VENV)/bin/python scripts/benchmark.py --train $$learner --decisions 200000 --seeds 0 1 2 3 \
			--out docs/benchmark/$$learner.json || exit; \
	done
	$(VENV)/bin/python docs/leaderboard.py

# Networks of the opponent `expert`. Games that runs/experts holds already are not trained again.
experts: $(VENV)/.train
	$(VENV)/bin/python scripts/maintenance/experts.py $(GAMES) $(EXPERTS)

# mypy checks an ordinary installation in a separate folder, scripts included, as users get it. Then it checks a user's
# program without the settings of this project, and the examples, which have no annotations.
lint: $(LINT)/.lint
	$(LINT)/bin/ruff check .
	$(LINT)/bin/ruff format --check .
	rm -rf $(LINT)/package
	$(LINT)/bin/python $(INSTALL) --no-deps --target $(LINT)/package .
	rm -rf build
	cd $(LINT) && MYPYPATH=package bin/mypy --config-file ../../pyproject.toml -p mancala_envs
	cd $(LINT) && MYPYPATH=package bin/mypy --config-file= --strict --follow-imports=silent ../../tests/project/user.py
	cd $(LINT) && MYPYPATH=package bin/mypy --config-file= --check-untyped-defs --ignore-missing-imports \
		--follow-imports=silent ../../scripts/examples/*.py

# Output in docs/_build. Warnings, such as broken links, are errors.
docs: $(DOCS)/.docs
	rm -rf docs/_build
	$(DOCS)/bin/python -m sphinx -n -W -q docs docs/_build

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.train: $(VENV)/bin/python $(ASKED)
	$(VENV)/bin/python $(INSTALL) -e ".[train,render]"
	touch $@

$(VENV)/.test: $(VENV)/bin/python $(ASKED)
	$(VENV)/bin/python $(INSTALL) -e ".[test,train,render]"
	touch $@

# Libraries of the examples and test suites that can share an environment.
$(VENV)/.libraries: $(VENV)/.test
	$(VENV)/bin/python $(INSTALL) -e ".[tianshou,torchrl]"
	touch $@

# Libraries that pin versions of their dependencies, and JAX, each in its own environment with pytest.
$(VENV)/rllib/.ready: WITH := ,render
$(VENV)/%/.ready: $(ASKED)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(INSTALL) -e ".[$*$(WITH)]" pytest
	touch $@

# Contains the dependencies of the package, whose types mypy needs, but not the package itself.
$(LINT)/.lint: $(ASKED)
	$(PYTHON) -m venv $(LINT)
	$(LINT)/bin/python $(INSTALL) ".[lint]"
	$(LINT)/bin/python -m pip uninstall -q -y mancala_envs
	rm -rf build
	touch $@

$(DOCS)/.docs: $(ASKED)
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python $(INSTALL) -e ".[docs]"
	touch $@

clean:
	rm -rf $(VENV) build docs/_build docs/games docs/modules docs/programs.md dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
