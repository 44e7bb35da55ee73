# Needs Python 3.11 to 3.13 (with venv and pip) and make. Everything is installed into .venv.
PYTHON ?= python3
# Versions to hold packages to; `make train CONSTRAINTS=` holds none.
CONSTRAINTS ?= constraints.txt
GAME ?= qelat
# Options of the training: make train TRAIN="--campaign --option columns=4 --minutes 10".
TRAIN ?=
# What `make check` and `make mutate` look at: all games, or some: make check GAMES="kalah qelat".
GAMES ?=
# Options of the latter: make mutate MUTATE="--sample 0 --seed 1 --jobs 4".
MUTATE ?=
# A file to use instead of the built-in choice of tests, or options: make test TESTS="tests/games/test_qelat.py -x".
TESTS ?=

VENV := .venv
LINT := .venv/lint
DOCS := .venv/docs
INSTALL = -m pip install -q --disable-pip-version-check $(if $(strip $(CONSTRAINTS)),-c $(CONSTRAINTS))
ASKED := pyproject.toml $(wildcard $(CONSTRAINTS))

.PHONY: train test slow check lint docs bench study mutate clean

train: $(VENV)/.train
	$(VENV)/bin/python scripts/train.py $(GAME) $(TRAIN)

# One thread each for PyTorch: side by side several would wait for each other most of the time.
PYTEST = OMP_NUM_THREADS=1 $(VENV)/bin/python -m pytest -q -n auto

test: $(VENV)/.test
	$(PYTEST) -m "not slow" $(TESTS)

LIBRARIES := $(VENV)/.libraries $(VENV)/rllib/.ready $(VENV)/agilerl/.ready $(VENV)/video/.ready

# pytest says 5 where no test is slow. Speed is compared when nothing else runs.
slow: $(LIBRARIES)
	$(PYTEST) -m slow $(TESTS) || [ $$? -eq 5 ]
	$(VENV)/bin/python scripts/benchmark.py --check

check: $(LIBRARIES)
	$(VENV)/bin/python scripts/check.py $(GAMES) \
		--python rllib=$(VENV)/rllib/bin/python --python agilerl=$(VENV)/agilerl/bin/python

# Changes rules in one small way after the other, and tells which of the changes tests notice.
mutate: $(VENV)/.test
	$(VENV)/bin/python tests/mutate.py $(GAMES) $(MUTATE)

bench: $(VENV)/.train
	$(VENV)/bin/python scripts/benchmark.py

# What each game is like and what its options make of it, for the docs; without its results.json all is played anew.
study: $(VENV)/.train
	$(VENV)/bin/python scripts/analyse.py --out docs/study

# Types are checked as users have them: against an ordinary installation, scripts included, in a folder of its own; then
# those of a user's program, who knows nothing of our settings, and of the examples, which are written without.
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

# Into docs/_build; a warning, such as of a link that leads nowhere, is an error.
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

# The libraries of the examples and suites that fit the others ...
$(VENV)/.libraries: $(VENV)/.test
	$(VENV)/bin/python $(INSTALL) -e ".[tianshou,torchrl]"
	touch $@

# ... and those that pin versions of their own, each in an environment of its own, with what our tests need there.
$(VENV)/rllib/.ready: WITH := ,render
$(VENV)/%/.ready: $(ASKED)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(INSTALL) -e ".[$*$(WITH)]" pytest
	touch $@

# With the package's dependencies, whose types are needed, but not the package.
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
	rm -rf $(VENV) build docs/_build docs/games docs/programs.md dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
