# Keepsake. `make run` starts everything on this machine; `make test` runs what CI runs.

PYTHON := .venv/bin/python
PORT ?= 8787
STAMP := .venv/.made-from
# Many processes read the same modules: compiled once, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE
LOCK := $(shell cat uv.lock .python-version 2>/dev/null | cksum | tr ' ' '-')

.PHONY: help setup run down doctor test deep lint

help: ## show this list
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

setup: ## make .venv with the exact packages of uv.lock
	@[ "$$(cat $(STAMP) 2>/dev/null)" = "$(LOCK)" ] || sh scripts/setup.sh
	@printf '%s' "$(LOCK)" > $(STAMP)

run: setup ## start the whole service here: http://localhost:8787 (or PORT=…)
	@$(PYTHON) manage.py up --port $(PORT)

down: setup ## stop it
	@$(PYTHON) manage.py down

doctor: setup ## check it
	@$(PYTHON) manage.py doctor

test: lint ## everything CI runs
	@$(PYTHON) -m pytest -m "not deep" --numprocesses=3 --dist=worksteal

deep: setup ## the long versions of the tests
	@$(PYTHON) -m pytest -m deep --timeout=3600; code=$$?; [ $$code -eq 5 ] || exit $$code

lint: setup ## style, types, rooms, templates, migrations
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy .
	@.venv/bin/lint-imports
	@if find templates dashboard -name '*.html' | grep -q .; then .venv/bin/djlint --lint --check --quiet templates dashboard; fi
	@$(PYTHON) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
