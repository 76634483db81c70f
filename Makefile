# `make paper` and `make test` are all a fresh machine needs: python3, pip and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NETWORKS ?= 1000
READY := $(VENV)/.ready

.PHONY: setup paper test lint docs bench lock clean

setup: $(READY)

# The environment is rebuilt only when what it is made from has changed. `--without-pip` and
# `pip --python` let this work where the system's Python comes without its venv package.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --require-hashes -r requirements.lock
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

paper: setup
	$(BIN)/orderedness paper table1 --replay
	$(BIN)/orderedness paper --networks $(NETWORKS) --out results

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n auto --dist loadfile

docs: setup
	$(BIN)/sphinx-build -b html -d docs/_build/doctrees -W --keep-going -q docs docs/_build/html
	@echo "Open docs/_build/html/index.html"

bench: setup
	@for script in benchmarks/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

# Writes the lock anew: every version with its hashes, for all supported Pythons, naming no host.
lock: setup
	$(BIN)/uv pip compile pyproject.toml --extra cluster --extra explore --group dev --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --quiet --upgrade -o requirements.lock

clean:
	rm -rf $(VENV) build dist docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
