# Two commands do everything: `make run` and `make test`.
.DEFAULT_GOAL := help
PORT ?= 8000
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help setup run dev test test-all check lock

help: ## List the commands.
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

setup: .venv/.runtime ## Make .venv and install what running needs.

run: .venv/.runtime ## Serve on PORT (default 8000) with a Valkey of its own.
	@exec $(BIN)/decoder serve --port $(or $(PORT),8000)

dev: .venv/.runtime ## The same, started again whenever a file changes.
	@exec $(BIN)/decoder serve --port $(or $(PORT),8000) --reload

test: .venv/.development ## Everything this machine can test, within minutes.
	@$(BIN)/python -m pytest -m "not long" -n 3 --dist loadfile $(ARGS)

test-all: .venv/.development ## The longer tests too.
	@$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

check: .venv/.development ## Lint, types, layers, templates, Lua, known vulnerabilities.
	@sh tests/check.sh $(BIN)

lock: .venv/.development ## Pin what pyproject.toml asks for, with hashes.
	@sh tests/lock.sh $(BIN)

.venv/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Python 3.11 or newer is needed; \`$(PYTHON)\` is $$($(PYTHON) -V 2>&1 || echo missing)."; \
	  echo "Debian: apt-get install python3 python3-venv   macOS: brew install python"; \
	  echo "or name another one: make run PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv || { \
	  echo "Python has no venv module here. Debian: apt-get install python3-venv"; rm -rf .venv; exit 1; }
	@touch $@

.venv/.runtime: .venv/.python requirements.lock pyproject.toml
	@echo "Installing (once)…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/.development: .venv/.runtime requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@
