# Everything from a bare Python 3.11+: `make play` plays, `make test` tests.
PYTHON ?= python3
VENV   := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
# the same program with its engine compiled, in an environment of its own
COMPILED := .venv-compiled

# the oldest dependencies that pyproject.toml allows
LOWEST := .venv-lowest
# what makes wheels and the single file
BUNDLING := .venv-bundle

# a Windows CPython, where there is Wine to run it
WINE := $(wildcard /usr/lib/wine/wine64)

# pip says what it does: the first minute is not silent
PIP := --disable-pip-version-check --no-input
# pip is there whole: its RECORD is what an installation writes last
WHOLE := import importlib.metadata as m; assert m.distribution("pip").read_text("RECORD")
OLD := citadels needs Python 3.11 or newer, and $(PYTHON) is older; name one: make PYTHON=python3.12 $(MAKECMDGOALS)

# $(call environment,FOLDER): an environment with pip; what a run that failed has left is made anew
define environment
	@command -v $(firstword $(PYTHON)) >/dev/null || { echo "citadels needs Python 3.11 or newer, and $(PYTHON) is not here; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "$(OLD)")'
	@echo "Setting up $(1): this happens once, over the network, and takes about a minute."
	@$(BIN:$(VENV)%=$(1)%)/python -c '$(WHOLE)' 2>/dev/null || $(PYTHON) -m venv --clear $(1) \
		|| { echo "$(1) could not be made. Mend what is said above, then type again: make $(MAKECMDGOALS)"; exit 1; }
endef

.PHONY: play dev check test long pythons slice windows windows-bundle lowest bench compiled wheels bundle catalogues clean

play: $(VENV)/.installed
	$(BIN)/citadels play

# Sets up for work on the code.
dev: $(VENV)/.installed-dev

# A minute before a commit: lint, types, contracts, and the tests of what has changed.
check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.changed

test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m "not long"

# What takes minutes: network namespaces, Wine, the compiled engine, whole laptops by seed.
long: $(VENV)/.installed-dev $(if $(WINE),.windows/ready)
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile -m long

# What differs between Pythons, on every other one that is here: tests/pythons.py
SLICE := tests/cli tests/rules tests/protocol/wire

pythons: $(VENV)/.installed-dev
	$(BIN)/python -m tests.pythons

slice: $(VENV)/.installed-dev
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile $(SLICE)

# Needs uv. Types and the faster tests, with the lowest bounds of pyproject.toml.
lowest:
	uv venv --quiet --clear --seed --python $(PYTHON) $(LOWEST)
	uv pip install --quiet --python $(LOWEST) --resolution lowest-direct --editable '.[dev]'
	$(LOWEST)/bin/ruff check .
	$(LOWEST)/bin/ruff format --check .
	$(LOWEST)/bin/mypy
	$(LOWEST)/bin/lint-imports
	$(LOWEST)/bin/python -m pytest tests/rules tests/protocol tests/cli tests/screens

# The whole suite on Windows, as Wine has it; then Linux and Windows at one table.
windows: $(VENV)/.installed-dev .windows/ready
	$(BIN)/python -m tests.windows -rs
	$(BIN)/python -m pytest tests/windows

# citadels.exe, made and tried by Wine. To try the recipe, not to be handed on: tests/windows/single_file.py
windows-bundle: $(VENV)/.installed-dev .windows/ready
	$(BIN)/python -m tests.windows.single_file

bench: $(VENV)/.installed
	$(BIN)/citadels bench

# Needs a C compiler and Python's headers; takes some minutes.
compiled:
	$(call environment,$(COMPILED))
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(BIN:$(VENV)%=$(COMPILED)%)/python -m pip install $(PIP) .
	$(BIN:$(VENV)%=$(COMPILED)%)/citadels --version

# Into dist/: the source, the wheel for everybody, and the compiled one for this system and Python.
wheels: $(BUNDLING)/.installed
	$(BIN:$(VENV)%=$(BUNDLING)%)/python packaging/wheels.py

# Into dist/: the program as one file for this system, tried out by a whole match.
bundle: wheels
	$(BIN:$(VENV)%=$(BUNDLING)%)/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps --no-index --find-links dist citadels-p2p
	$(BIN:$(VENV)%=$(BUNDLING)%)/python packaging/bundle.py
	$(BIN:$(VENV)%=$(BUNDLING)%)/python packaging/try_bundle.py

catalogues: $(VENV)/.installed-dev
	$(BIN)/python -m tests.cli.catalogues

$(VENV)/.installed: pyproject.toml
	$(call environment,$(VENV))
	$(BIN)/python -m pip install $(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml
	$(call environment,$(VENV))
	$(BIN)/python -m pip install $(PIP) --editable '.[dev]'
	@touch $@

$(BUNDLING)/.installed: pyproject.toml
	$(call environment,$(BUNDLING))
	$(BIN:$(VENV)%=$(BUNDLING)%)/python -m pip install $(PIP) '.[bundle]'
	@touch $@

.windows/ready: pyproject.toml tests/windows/wine.py tests/windows/python.txt $(VENV)/.installed-dev
	$(BIN)/python -m tests.windows --build
	@touch $@

clean:
	rm -rf .windows $(VENV) $(VENV)-3.* $(COMPILED) $(LOWEST) $(BUNDLING) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
