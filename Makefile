.PHONY: run test lint bench messages setup setup-dev clean help
PORT ?= 8080

run: setup            ## set up and referee the bundled game; prints the address to open
	.venv/bin/referee demo --port $(PORT)

test: setup-dev lint  ## set up, lint, check types and run every test
	.venv/bin/python -m pytest

lint: setup-dev       ## lint, formatting and types
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

bench: setup-dev      ## measure speed and memory; writes BENCHMARKS.md
	.venv/bin/python -m benchmarks

messages: setup-dev   ## collect the sentences of the code for the catalogues of the other languages
	.venv/bin/python -m scripts.messages

setup:
	@scripts/setup

setup-dev:
	@scripts/setup dev

clean:                ## remove the virtual environment and what was built
	rm -rf .venv build dist *.egg-info

help:                 ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
