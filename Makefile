# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
MINUTES ?= 5
SEED ?= 0
# Some images keep no bytecode: every process that a test or a campaign starts would compile nutgraf anew.
unexport PYTHONDONTWRITEBYTECODE
OLDEST ?= .venv-oldest
OLDEST_TRANSFORMERS = $(shell sed -n 's/.*"transformers>=\([0-9.]*\),.*/\1/p' pyproject.toml)

.PHONY: help demo test check check-oldest bench docs lock site fuzz xss kill batch-kills options folders browser postgres service clean

help:
	@echo "make demo    install into $(VENV) and summarize the documents in examples/"
	@echo "make test    install what the tests need and run them"
	@echo "make check   linter, formatter, types, and who may import whom"
	@echo "make check-oldest  what works on models of transformers, with the oldest version of it that is supported, in $(OLDEST)"
	@echo "make bench   what it costs, beside the peers (they go into an environment of their own; QUICK=1: ten minutes)"
	@echo "make kill    kill commands wherever they write, and look what is left (EVERY=1 SEED=0 JOBS=2 SUBJECTS=…)"
	@echo "make batch-kills  kill nutgraf batch and its workers 200 times among 100,000 documents (DOCUMENTS=… KILLS=… SEED=0 FOLDER=…)"
	@echo "make docs    write the pages of commands, presets, options and reference anew"
	@echo "make lock    pin the packages of the image anew (deploy/locks), at the versions in $(VENV)"
	@echo "make site    build the documentation into build/site; broken links and warnings are errors"
	@echo "make fuzz    commands on mutated inputs and on huge ones, and how time grows with awkward ones (MINUTES=5 SEED=0)"
	@echo "make xss     open reports full of injected scripts in Chromium, which must run none of them"
	@echo "make browser the page of nutgraf serve in Chromium, by mouse and keyboard (skipped where there is none)"
	@echo "make options odd values for every option of every command (COUNT=1600, SEED=1)"
	@echo "make folders models, corpora and foreign weights with one thing damaged (COUNT=335, SEED=1)"
	@echo "make service requests generated from the service's description, valid and invalid, and bodies of odd shapes (COUNT=5000 SHAPES=400 SEED=0)"
	@echo "make postgres  the store of judgements on a PostgreSQL server of its own (skipped where initdb is missing)"

demo: $(BIN)/nutgraf
	@echo; echo "── examples/island.txt in 100 words"; echo
	@$(BIN)/nutgraf summarize examples/island.txt --words 100
	@echo; echo "── two articles as one input, the bridge keeper highlighted, in 80 words; the page is demo.html"; echo
	@$(BIN)/nutgraf summarize examples/island.txt examples/bridge.md --words 80 --highlight "bridge keeper" --report demo.html
	@echo; echo "── key phrases of examples/dark-town.html"; echo
	@$(BIN)/nutgraf phrases examples/dark-town.html --top 8
	@echo; echo "Next: $(BIN)/nutgraf --help"

test: $(VENV)/.dev
	$(BIN)/python -m pytest --numprocesses logical --dist loadfile

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-oldest: $(OLDEST)/.installed
	$(OLDEST)/bin/python -m pytest tests/steering tests/systems/test_pretrained.py tests/training/test_fine_tuning.py tests/conversion/test_convert.py

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/run.py $(if $(DATA),--data $(DATA)) $(if $(QUICK),--quick)

kill: $(VENV)/.dev
	$(BIN)/python tests/hostile/kill.py --report build/campaigns/kill.json $(if $(JOBS),--jobs $(JOBS)) \
		$(if $(EVERY),--every $(EVERY)) $(if $(SEED),--seed $(SEED)) $(if $(SUBJECTS),--subjects $(SUBJECTS)) $(if $(FOLDER),--folder $(FOLDER))

batch-kills: $(VENV)/.dev
	$(BIN)/python tests/hostile/batch_kills.py --report build/campaigns/batch_kills.json --seed $(SEED) \
		$(if $(DOCUMENTS),--documents $(DOCUMENTS)) $(if $(KILLS),--kills $(KILLS)) $(if $(FOLDER),--folder $(FOLDER))

docs: $(VENV)/.dev
	$(BIN)/python docs/write_commands.py
	$(BIN)/python docs/write_reference.py

lock: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python deploy/lock.py

site: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "the documentation is in build/site; open build/site/index.html"

fuzz: $(VENV)/.dev
	$(BIN)/python tests/hostile/fuzz.py --minutes $(MINUTES) --seed $(SEED) --json build/campaigns/fuzz.json
	$(BIN)/python -m pytest tests/hostile -m campaign
	$(BIN)/python tests/hostile/scaling.py --json build/campaigns/scaling.json

xss: $(VENV)/.dev
	$(BIN)/python tests/hostile/xss.py --report build/campaigns/xss.json

options: $(VENV)/.dev
	$(BIN)/python tests/hostile/options.py --seed $(or $(SEED),1) --count $(or $(COUNT),1600) --report build/campaigns/options.json

folders: $(VENV)/.dev
	$(BIN)/python tests/hostile/folders.py --seed $(or $(SEED),1) --count $(or $(COUNT),335) --report build/campaigns/folders.json

service: $(VENV)/.dev
	$(BIN)/python tests/service/generated.py --count $(or $(COUNT),5000) --shapes $(or $(SHAPES),400) --seed $(SEED) --json build/campaigns/service.json

browser: $(VENV)/.dev
	$(BIN)/python -m pytest tests/browser -rs -m "campaign or not campaign"

postgres: $(VENV)/.dev
	$(BIN)/python -m pytest tests/judging/test_judging_postgresql.py -rs

clean:
	rm -rf $(VENV) $(OLDEST) build dist demo.html .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(BIN)/nutgraf: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(BIN)/nutgraf pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $@

$(VENV)/.docs: $(BIN)/nutgraf pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	@touch $@

$(OLDEST)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[neural,pretrained]" \
		"transformers==$(OLDEST_TRANSFORMERS).*" pytest hypothesis
	@touch $@
