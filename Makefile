.PHONY: site test-times record falls ledger hall real attacks docs tests quick scripts dist test-deb lock audit lowest screens browser archive run test lint coverage mutation fuzz bench kills messages play sizes turned setup setup-dev setup-hall setup-proof clean help
PORT ?= 8080
# Compiled modules are kept: every run starts hundreds of processes that would compile them anew.
unexport PYTHONDONTWRITEBYTECODE
KILLS ?= 300
MINUTES ?= 60
TURNS ?= 10000
GAME ?= terra_turrium
PHOTOS ?= ../shared/photos
SHARED ?= ../shared
PAGE ?= docs/evidence/real.md

run: setup            ## set up and ask on a page what to do: play on a real board, or only look; prints the address to open
	.venv/bin/referee run --port $(PORT)

play: setup           ## set up and lay a table in the computer to play at; prints the address to open
	.venv/bin/referee demo --play --port $(PORT)

hall: PORT = 8090
hall: setup-hall      ## set up and show a hall: a broker, six tables that play by themselves, the arbiter's desk at PORT=8090, the wall at the next
	.venv/bin/referee hall --demo 6 --port $(PORT) --spectators 127.0.0.1:$$(($(PORT) + 1))

test: setup-dev       ## set up, lint, check types and run every test, with one worker a core and one more: some wait for something
	@$(MAKE) --no-print-directory -j2 lint tests

tests:
	@# In a fresh checkout every worker would compile every test, all at once.
	@[ -d tests/__pycache__ ] || .venv/bin/python -m pytest --collect-only -qq >/dev/null
	.venv/bin/python -m pytest -n $(shell expr $$(nproc) + 1) --dist loadfile --no-loadscope-reorder

test-times: setup-dev ## run every test, one after the other, and print the processor time of each folder and of the dearest tests; TESTS=tests/web for some
	nice .venv/bin/python -m pytest -q -n 0 -p tests.times $(or $(TESTS),tests)

quick: setup-dev      ## lint, types and the tests that take under a second and start no browser or process: for every edit
	.venv/bin/ruff check .
	.venv/bin/mypy
	HYPOTHESIS_PROFILE=quick .venv/bin/python -m pytest -q -n $(shell expr $$(nproc) + 1) --dist loadfile -m "not browser and not process and not long"

dist: setup-dev       ## build wheel, sdist, .deb and container image, and try the wheel in an environment of its own
	scripts/dist
	@if command -v dpkg-deb >/dev/null; then scripts/deb; else echo "dist: no .deb: this is no Debian"; fi
	@if command -v buildah >/dev/null || command -v podman >/dev/null; then scripts/container; \
	else echo "dist: no container image: neither podman nor buildah is here"; fi

test-deb:             ## build the .deb on bare Debian 12 and 13 and install, upgrade and remove it there (root, minutes)
	scripts/test-deb

lint: setup-dev       ## lint, formatting, types, spelling and prose
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/codespell *.md docs referee vision calibration web/api web/auth web/*.py scripts/*.py benchmarks
	.venv/bin/python -m scripts.prose
	node_modules/.bin/biome lint --error-on-warnings
	node_modules/.bin/tsc -p tsconfig.json
	node_modules/.bin/tsc -p tsconfig.pure.json

coverage: setup-dev   ## lines and branches of each game its tests reach, by what it does for rulings and opponents; fails under 98 %
	for game in terra_turrium torres turris terrabilis; do .venv/bin/python -m pytest -q -n auto --dist loadfile \
	tests/games/$$game tests/games/test_conformance.py tests/kinds/grid/judging tests/opponents \
	--cov=referee/games/$$game --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=98 || exit 1; done

mutation: setup-proof ## change a rules engine in thousands of places: do the tests notice? GAME=torres for another; fails under 85 % (long)
	.venv/bin/python -m scripts.mutation --game $(GAME)

fuzz: setup-proof     ## a million broken boards, positions, turns, records and requests; 10,000 exports tampered with, 10,000 rewritten as a whole; 2,000 turns of which looks hide much; new examples for every property (long)
	.venv/bin/python -m tests.fuzz
	TAMPERING_TRIES=10000 .venv/bin/python -m pytest -q tests/archive/test_tampering.py tests/archive/test_witnessed.py
	.venv/bin/python -m tests.fuzz --guided --inputs 50000
	.venv/bin/python -m tests.fuzz.turned build/turned.jsonl --turns $(TURNS)
	.venv/bin/python -m tests.fuzz.hidden --turns 2000
	FALLS=400 HYPOTHESIS_PROFILE=thorough .venv/bin/python -m pytest -q -n auto --dist loadfile $$(grep -rl hypothesis tests --include=test_*.py)

turned: setup-dev     ## rule on random turns of every game and on the same mirrored, turned, recoloured, renamed, kept and taken back; TURNS=100000 of each (hours, resumed where it ended)
	nice -n 19 .venv/bin/python -m tests.fuzz.turned build/turned.jsonl --turns $(TURNS)

bench: setup-dev      ## measure speed and memory; writes BENCHMARKS.md
	.venv/bin/python -m benchmarks

real: setup-dev       ## read real photographs and write docs/evidence/real.md; PHOTOS=folder for your own, PAGE=file to write elsewhere
	.venv/bin/python -m benchmarks.real "$(PHOTOS)" --page "$(PAGE)"

record: setup-dev     ## referee a hundred drawn games and compare the record turn by turn; RECORD="--by erring --sight phone" (hours, resumed where it ended)
	.venv/bin/python -m benchmarks.record build/record.jsonl $(RECORD)

falls: setup-dev      ## let towers fall at the drawn table and count who is named; FALLS="--game torres --sight phone" (an hour, resumed where it ended)
	.venv/bin/python -m benchmarks.falls build/falls.jsonl $(FALLS)

ledger: setup-dev     ## referee games on tables drawn at random, a line of docs/evidence/drawn-turns.jsonl each; MINUTES=600 (resumed where it ended)
	nice -n 19 .venv/bin/python -m benchmarks.drawnturns --minutes $(MINUTES)

kills: setup-dev      ## kill a running game 300 times at random moments; KILLS=20 for fewer
	.venv/bin/python -m tests.kills --count $(KILLS)

attacks: setup-dev    ## power cuts, damaged games, strangers (also at HTTPS), a table and a desk's password of a hall gone bad, and crowds against a long game; ATTACKS=crowd for some (long)
	.venv/bin/python -m tests.attacks $(ATTACKS)

bench-memory: setup-dev ## watch memory over 20,000 frames of a camera (some minutes)
	REFEREE_BENCH_FRAMES=20000 .venv/bin/python -m benchmarks cameras

browser: setup-dev    ## play whole games in the browser, in every size, theme and language; lose a camera for a minute (long)
	ALL_SCREENS=1 REFEREE_SHARED="$(abspath $(SHARED))" .venv/bin/python -m pytest tests/web/test_whole_game.py tests/web/test_bank_games.py tests/demo/test_camera_faults.py tests/demo/test_blindness_seen.py tests/demo/test_held_phone.py tests/virtual/test_page.py tests/web/test_every_game.py tests/web/test_turned_game.py tests/web/test_watch.py tests/web/test_phones_game.py tests/web/test_tour.py tests/web/test_virtual_seats.py tests/addons/lending/test_public.py tests/virtual/test_strip.py tests/virtual/test_heard.py tests/web/test_mat.py tests/web/test_in_hand.py tests/web/test_bare_board.py tests/web/test_first_page_game.py tests/web/test_site.py

scripts: setup-dev    ## play a hundred scripted games with faults at a virtual table, check and play written games with cameras (long)
	ALL_SCRIPTS=1 .venv/bin/python -m pytest tests/virtual/test_scripts.py tests/addons/authoring -k "hundred or holds or virtual_table"

archive: setup-dev    ## kill workers of an archive's audit, pull the plug at every step of backup, delete, repair (long)
	ALL_ARCHIVE=1 .venv/bin/python -m pytest tests/addons/archives/test_archives.py tests/archive/test_shelf.py

sizes: setup          ## print the product's lines by room, the core and its add-ons apart, what the core imports of them, and the shape of a session
	@.venv/bin/python -m scripts.sizes

screens: setup-dev    ## picture every screen of the page into docs/screens
	.venv/bin/python -m scripts.screens
	.venv/bin/python -m scripts.castle_screens
	.venv/bin/python -m scripts.tower_screens
	.venv/bin/python -m scripts.bank_screens
	.venv/bin/python -m scripts.room_screens
	.venv/bin/python -m scripts.report_screens
	.venv/bin/python -m scripts.promise_screens

site: docs            ## write the recorded game and the manual as files for any web server into build/site
	.venv/bin/python -m scripts.site

docs: setup-dev       ## build the manual into web/manual, where the referee serves it under /docs
	.venv/bin/python -m scripts.reference
	NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --quiet

messages: setup-dev   ## collect the sentences of the code for the catalogues of the other languages
	.venv/bin/python -m scripts.messages

lock:                 ## write the locked versions in requirements/ anew; needs uv
	scripts/lock --upgrade

audit: setup-dev      ## look the locked versions up in an advisory database; needs a network
	scripts/audit

lowest:               ## run the tests that need no browser with the lowest versions allowed; needs uv
	scripts/lowest

setup:
	@scripts/setup

setup-hall:
	@scripts/setup hall

setup-dev:
	@scripts/setup dev

setup-proof:
	@scripts/setup dev,proof

clean:                ## remove the virtual environment and what was built
	rm -rf .venv build dist *.egg-info

help:                 ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
