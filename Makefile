# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Some images keep no bytecode: every process that a test or a campaign starts would compile nutgraf anew.
unexport PYTHONDONTWRITEBYTECODE
OLDEST ?= .venv-oldest
OLDEST_TRANSFORMERS = $(shell sed -n 's/.*"transformers>=\([0-9.]*\),.*/\1/p' pyproject.toml)

.PHONY: help demo test check check-oldest bench docs lock site campaign clean

help:
	@echo "make demo    install into $(VENV) and summarize the documents in examples/"
	@echo "make test    install what the tests need and run them"
	@echo "make check   linter, formatter, types, and who may import whom"
	@echo "make check-oldest  what works on models of transformers, with the oldest version of it that is supported, in $(OLDEST)"
	@echo "make bench   what it costs, beside the peers (they go into an environment of their own; QUICK=1: ten minutes)"
	@echo "make docs    write the pages of commands, presets, options and reference anew"
	@echo "make lock    pin the packages of the image anew (deploy/locks), at the versions in $(VENV)"
	@echo "make site    build the documentation into build/site; broken links and warnings are errors"
	@echo "make campaign  a long campaign against damage, kills and attacks (NAME=fuzz; without a name, lists them)"

demo: $(BIN)/nutgraf
	@echo; echo "── examples/island.txt in 100 words"; echo
	@$(BIN)/nutgraf summarize examples/island.txt --words 100
	@echo; echo "── two articles as one input, the bridge keeper highlighted, in 100 words; the page is demo.html"; echo
	@$(BIN)/nutgraf summarize examples/island.txt examples/bridge.md --words 100 --highlight "bridge keeper" --report demo.html
	@echo; echo "── key phrases of examples/dark-town.html"; echo
	@$(BIN)/nutgraf phrases examples/dark-town.html --top 8
	@echo; echo "Next: $(BIN)/nutgraf --help"
	@echo "Networks that have read (41 MB and more, no PyTorch): $(BIN)/python -m pip install './models/minilm'"

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

docs: $(VENV)/.dev
	$(BIN)/python docs/write_commands.py
	$(BIN)/python docs/write_reference.py

lock: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python deploy/lock.py

site: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "the documentation is in build/site; open build/site/index.html"

campaign: $(VENV)/.dev
	@$(BIN)/python tests/hostile/campaign.py $(NAME)

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
