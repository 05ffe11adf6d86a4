# mcrave: set-up, play, tests. `make help` lists the targets.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# What `make play` starts: GAME=<name>, and any further options in ARGS.
GAME ?=
ARGS ?=

PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input

export PIP_ROOT_USER_ACTION := ignore
# Debian keeps gnugo in /usr/games, which is not on the PATH of root.
export PATH := $(PATH):/usr/games

APT_INSTALL := DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play test lint format bench lock clean engines

help: ## Show this list
	@echo "Usage: make <target> [GAME=<name>] [ARGS=\"...\"] [PYTHON=python3]"
	@echo
	@sed -n 's/^\([a-z][a-z]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
	  while IFS='|' read -r name text; do printf '  %-8s %s\n' "$$name" "$$text"; done

# ----------------------------------------------------------------- targets

play: $(VENV)/play.stamp ## Play on a page in the browser: make play GAME=<name>
	@$(BIN)/mcrave play $(if $(GAME),--game "$(GAME)") $(ARGS)

test: $(VENV)/dev.stamp engines ## Lint, type check, and run all tests
	@$(MAKE) --no-print-directory lint
	NUMBA_OPT=1 $(BIN)/pytest -n 2 --dist loadgroup $(ARGS)

lint: $(VENV)/dev.stamp ## Run ruff, mypy and import-linter
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev.stamp ## Format the code and apply ruff's safe fixes
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/dev.stamp ## Measure playouts and searches per second
	@$(BIN)/python benchmarks/playouts.py
	@$(BIN)/python benchmarks/search.py

lock: $(BIN)/pip ## Resolve the locked requirements anew
	@echo "Locking requirements/dev.lock and requirements/play.lock"
	@mkdir -p requirements
	@$(PIP) uv
	@$(UV_COMPILE) --extra dev --extra web --extra peers --extra cluster --extra tune -o requirements/dev.lock
	@$(UV_COMPILE) --extra web -c requirements/dev.lock -o requirements/play.lock

clean: ## Remove the environment, caches and build results
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

UV_COMPILE = $(BIN)/uv pip compile pyproject.toml -q --upgrade --universal --python-version 3.11 \
  --no-header --no-annotate --no-emit-index-url --no-emit-find-links

# ------------------------------------------------------------------ set-up
# A stamp is newer than everything that its environment was made from, so
# that a second run does no work.

$(VENV)/play.stamp: pyproject.toml requirements/play.lock | $(BIN)/pip
	@echo "Installing mcrave into $(VENV)"
	@$(PIP) -r requirements/play.lock
	@$(PIP) --no-deps -e .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml requirements/dev.lock | $(BIN)/pip
	@echo "Installing mcrave and its development tools into $(VENV)"
	@$(PIP) -r requirements/dev.lock
	@$(PIP) --no-deps -e .
	@touch $@

# Debian splits the module that puts pip into an environment (ensurepip) off
# into python3-venv; root gets it here, others are told.
$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || \
	  { echo "mcrave needs Python 3.11 or newer, and $(PYTHON) was not found."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "mcrave needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1); name another with PYTHON=..."; exit 1; }
	@if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing python3-venv"; \
	  { apt-get update -qq && $(APT_INSTALL) python3-venv; } >/dev/null || true; \
	fi
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) cannot make virtual environments; install the package python3-venv (sudo apt-get install python3-venv)."; exit 1; }
	@echo "Making the environment $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)

# The tests play against GNU Go and drive a browser. Nothing fails here: a test
# that lacks its engine skips itself, or fails where CI=true.
engines:
	@missing=""; \
	command -v gnugo >/dev/null || missing="$$missing gnugo"; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	if [ -z "$$missing" ]; then \
	  :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing$$missing"; \
	  { apt-get update -qq && $(APT_INSTALL) $$missing; } >/dev/null || \
	    echo "Could not install$$missing; the tests that need them cannot run."; \
	else \
	  echo "Not installed:$$missing; some tests need them (sudo apt-get install$$missing)."; \
	fi
