# make selfplay ARGS="--seed 2"    passes arguments on
# make test ARGS="-k kuhn -x"

PYTHON ?= python3
ARGS ?=

.PHONY: selfplay setup test check clean

selfplay: setup
	@.venv/bin/selfplay run quickstart $(ARGS)

setup:
	@$(PYTHON) scripts/setup.py

test: setup
	.venv/bin/pytest $(ARGS)

check: setup
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

clean:
	rm -rf .venv build *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
