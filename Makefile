# What can be typed. Everything runs in .venv, which the first command makes.
PYTHON ?= python3
BOOTSTRAP = $(PYTHON) platform/launcher/bootstrap.py
QUEUES ?= gpu
TEMPLATES = $(shell find templates -name '*.html')
# The processes of the suite; a folder of tests has them too, while one file is done before several processes have begun.
PARALLEL = -n auto --maxprocesses 4 --no-loadscope-reorder
FOLDERS = $(wildcard $(addsuffix /.,$(ARGS)))
export PORT HOST

# What `make coverage` keeps: the whole path, as processes start in other folders too.
MEASURED = COVERAGE_FILE="$(CURDIR)/.coverage/measured"

.DEFAULT_GOAL := help
.PHONY: help run worker test soak coverage lint format messages bench results lock

help: ## List these commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

run: python ## Start Restyle at http://127.0.0.1:8000 (PORT=8080 for another port); Ctrl-C stops it
	@exec $(BOOTSTRAP) run

worker: python ## Start a worker on a machine beside the site's (QUEUES=gpu); the README says what it needs
	@exec $(BOOTSTRAP) python -m launcher.worker $(QUEUES)

test: python ## Test every claim once (ARGS="tests/unit -k bleu" for a part of it)
	@exec $(BOOTSTRAP) --tests pytest $(if $(ARGS),$(if $(FOLDERS),$(PARALLEL)),$(PARALLEL)) $(ARGS)

soak: python ## Test at length what `make test` leaves out: every kill, every combination, large inputs (docs/testing.md)
	@exec $(BOOTSTRAP) --tests pytest -m soak $(if $(ARGS),$(if $(FOLDERS),$(PARALLEL)),$(PARALLEL)) $(ARGS)

coverage: python ## Test as `make test` does, in twice the time, and list the lines and branches that no test reaches
	@$(BOOTSTRAP) --tests true
	@.venv/bin/python -c "import coverage" 2>/dev/null || .venv/bin/python -m pip install --quiet "coverage>=7.10"
	@mkdir -p .coverage && rm -f .coverage/measured*
	@$(MEASURED) $(BOOTSTRAP) --tests python -m coverage run -m pytest $(if $(ARGS),$(if $(FOLDERS),$(PARALLEL)),$(PARALLEL)) $(ARGS); \
	tested=$$?; $(MEASURED) .venv/bin/python -m coverage combine --quiet && $(MEASURED) .venv/bin/python -m coverage report; \
	exit $$tested

lint: python ## Check style, types, the order of the rooms, and migrations: none missing, all safe
	@$(BOOTSTRAP) --tests true
	@$(MAKE) --no-print-directory --keep-going --jobs 3 lint-types lint-style lint-migrations

.PHONY: lint-types lint-style lint-migrations
lint-types:
	@$(BOOTSTRAP) --tests env SECRET_KEY=of-the-checks mypy
lint-style:
	@$(BOOTSTRAP) --tests ruff check .
	@$(BOOTSTRAP) --tests ruff format --check .
	@$(BOOTSTRAP) --tests djade --check --target-version 5.2 $(TEMPLATES)
	@$(BOOTSTRAP) --tests lint-imports
lint-migrations:
	@$(BOOTSTRAP) --tests python manage.py makemigrations --check --dry-run
	@$(BOOTSTRAP) --tests python manage.py check_migrations

format: python ## Put the code into its usual form
	@$(BOOTSTRAP) --tests ruff check --fix .
	@$(BOOTSTRAP) --tests ruff format .
	@$(BOOTSTRAP) --tests djade --target-version 5.2 $(TEMPLATES)

lock: python ## Write the lock files anew after a change of requirements.txt (ARGS=--upgrade for the newest, and the suite with them)
	@$(BOOTSTRAP) --tests python -m tools.lock $(ARGS)
	@$(if $(findstring --upgrade,$(ARGS)),$(MAKE) --no-print-directory test ARGS=)

messages: python ## Bring the translations in platform/config/locale up to date with what pages say
	@exec $(BOOTSTRAP) --tests python -m tools.message_catalogs

bench: python ## Measure: annotations a second, import, export, metrics
	@exec $(BOOTSTRAP) python -m tools.bench $(ARGS)

results: python ## Train models on published texts and write the tables of docs/results.md (ARGS="asset --models pbmt")
	@exec $(BOOTSTRAP) python -m tools.results $(ARGS)

.PHONY: python
python:
	@command -v $(PYTHON) >/dev/null || { echo "Restyle needs Python 3.11 or newer, and $(PYTHON) was not found: install it."; exit 1; }
