"""The engine against the rules written down a second time, on turns played and disturbed at random."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.games.contract import RequestError
from referee.games.terrabilis.answer import answer, parse_case
from referee.games.terrabilis.position.reading import parse_position
from referee.games.terrabilis.replay.whole import replay
from referee.games.terrabilis.ruleset import OPTIONS, PREFERENCE, preference
from referee.games.terrabilis.verdict import judge
from tests.games.terrabilis.play import acts_of, disturbed, game, seen_after
from tests.games.terrabilis.positions import COPY, position, the_copy
from tests.games.terrabilis.reference import BreachError, after

COLOURS = ["red", "blue", "green", "yellow"]
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def starts(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a position somewhere in a game: few counters and little money, so that things happen."""
    players = COLOURS[: draw(st.integers(2, 4))]
    lap = draw(st.integers(1, 3))
    loans = st.lists(st.builds(lambda at: {"lap": at, "repaid": None}, st.integers(max(1, lap - 1), lap)), max_size=2)
    lines = {
        who: {
            "money": draw(st.integers(0, 30)) * 1000,
            "energy": draw(st.integers(0, 12)),
            "green": draw(st.integers(1, 9)),
            "yellow": draw(st.integers(1, 9)),
            "pawn": draw(st.integers(0, len(COPY["track"]) - 1)),
            "member": draw(st.booleans()),
            "installed": draw(st.lists(st.sampled_from([c["id"] for c in COPY["infrastructures"]]), max_size=3)),
            "loans": draw(loans),
        }
        for who in players
    }
    green = draw(st.integers(0, 10))
    return position(
        lines,
        players=" ".join(players),
        lap=lap,
        target=draw(st.integers(3, 6)),
        zone={"green": green, "yellow": draw(st.integers(0, 10 - green))},
        options={name: draw(st.sampled_from(values)) for name, values in OPTIONS.items()},
    )


def both(before: dict[str, Any], acts: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    found = answer({"position": before, "copy": COPY, "declared": acts})
    try:
        wanted: dict[str, Any] | None = after(before, COPY, acts)
    except BreachError:
        wanted = None
    return found, wanted


def comparable(data: dict[str, Any]) -> dict[str, Any]:
    left = {key: data[key] for key in ("turn", "lap", "zone", "lost", "discard", "finished", "winners")}
    lines = {who: line if not line["out"] else "out" for who, line in data["ledger"].items()}
    return left | {"ledger": lines, "to_move": None if data["finished"] else data["to_move"]}


@pytest.mark.long
@SLOW
@given(starts(), st.integers(0, 2**32))
def test_turns_come_out_as_in_the_reference(start: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    for case in game(parse_position(start, the_copy()), the_copy(), seed, turns=6):
        before, acts = case.position.to_json(), acts_of(case)
        found, wanted = both(before, acts)
        assert wanted is not None, (before, acts, found["violations"])
        assert found["legal"] is True, (before, acts, found["violations"])
        assert comparable(found["next"]) == comparable(wanted)
        acts = disturbed(acts, rng, before["players"])
        found, wanted = both(before, acts)
        assert (found["legal"] is True) == (wanted is not None), (before, acts, found["violations"])
        if wanted is not None:
            assert comparable(found["next"]) == comparable(wanted)


@pytest.mark.long
@SLOW
@given(starts(), st.integers(0, 2**32))
def test_accounts_add_up_and_the_zone_keeps_its_bounds(start: dict[str, Any], seed: int) -> None:
    for case in game(parse_position(start, the_copy()), the_copy(), seed, turns=8):
        before = case.position.to_json()
        found = answer({"position": before, "copy": COPY, "declared": acts_of(case), "observed": seen_after(case)})
        assert found["legal"] is True, (before, acts_of(case), found["violations"])
        entries, next_one = found["turn"]["entries"], found["next"]
        for who, line in next_one["ledger"].items():
            if not line["out"]:
                for name in ("money", "energy", "green", "yellow"):
                    booked = sum(entry.get(name, 0) for entry in entries if entry["who"] == who)
                    assert line[name] == before["ledger"][who][name] + booked >= 0, (who, name)
        for name in ("green", "yellow"):
            poured = -sum(entry.get(name, 0) for entry in entries if entry["who"])
            births = sum(entry.get(name, 0) for entry in entries if not entry["who"])
            moved = sum(next_one[key][name] - before[key][name] for key in ("zone", "lost"))
            assert moved == poured + births
        assert 0 <= sum(next_one["zone"].values()) <= 10
        again = parse_position(next_one, the_copy())
        assert again.to_json() == next_one


@pytest.mark.long
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(starts(), st.integers(0, 2**32))
def test_the_smallest_sets_are_those_of_trying_all(start: dict[str, Any], seed: int) -> None:
    """Growing sets by what a replay asked for finds what trying every set of one and two rules finds."""
    rng = random.Random(seed)
    for case in game(parse_position(start, the_copy()), the_copy(), seed, turns=2):
        seen = seen_after(case)
        if rng.random() < 0.5:
            seen["zone"]["green"] = rng.randrange(4)
        if seen["pawns"] and rng.random() < 0.3:
            seen["pawns"][rng.choice(list(seen["pawns"]))] = rng.randrange(len(COPY["track"]))
        acts = disturbed(acts_of(case), rng, [who.word for who in case.position.players])
        data = {"position": case.position.to_json(), "copy": COPY, "declared": acts, "observed": seen}
        watched = parse_case(data)
        try:
            verdict = judge(watched)
        except RequestError:
            continue
        if verdict.legal is False and len(verdict.sets[0]) <= 2:
            size = len(verdict.sets[0])
            tried = [frozenset(rules) for n in range(size + 1) for rules in combinations(PREFERENCE, n)]
            found = [rules for rules in tried if replay(watched, rules).agrees]
            assert sorted(found, key=preference) == list(verdict.sets), acts


@pytest.mark.parametrize("seed", range(6))
def test_a_game_from_the_start_goes_on_to_an_end(seed: int) -> None:
    start = parse_position(position(players="red blue green", target=3), the_copy())
    last = None
    for case in game(start, the_copy(), seed, turns=400):
        assert replay(case).agrees
        last = case
    assert last is not None
    after_last = replay(last).turn
    assert after_last.over
