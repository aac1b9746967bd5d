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

# a Windows CPython, where there is Wine to run it
WINE := $(wildcard /usr/lib/wine/wine64)

.PHONY: play test windows lint types contracts bench compiled catalogues clean

play: $(VENV)/.installed
	$(BIN)/citadels play

test: $(VENV)/.installed-dev $(if $(WINE),.windows/ready)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

# The whole suite on Windows, as Wine has it; then Linux and Windows at one table.
windows: $(VENV)/.installed-dev .windows/ready
	$(BIN)/python -m tests.windows -rs
	$(BIN)/python -m pytest tests/windows

bench: $(VENV)/.installed
	$(BIN)/citadels bench

# Needs a C compiler and Python's headers; takes some minutes.
compiled:
	test -d $(COMPILED) || $(PYTHON) -m venv $(COMPILED)
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 $(BIN:$(VENV)%=$(COMPILED)%)/python -m pip install --quiet --disable-pip-version-check .
	$(BIN:$(VENV)%=$(COMPILED)%)/citadels --version

catalogues: $(VENV)/.installed-dev
	$(BIN)/python -m cli.catalogues

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "citadels needs Python 3.11 or newer; name one: make PYTHON=python3.12 play")'
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "citadels needs Python 3.11 or newer; name one: make PYTHON=python3.12 test")'
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

.windows/ready: pyproject.toml tests/windows/wine.py tests/windows/python.txt $(VENV)/.installed-dev
	$(BIN)/python -m tests.windows --build
	@touch $@

clean:
	rm -rf .windows $(VENV) $(COMPILED) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
