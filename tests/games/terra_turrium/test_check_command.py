"""``referee check``: lines in, lines out, in order, whatever the lines are."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from referee.cli import main
from referee.cli.check import answer
from referee.cli.failures import DEBUG
from referee.cli.jsonlines import MAX_LINE, parse_object, run_lines
from referee.games.contract import RequestError
from referee.games.terra_turrium.engine import GAME
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.positions import after, position
from tests.games.terra_turrium.spoil import scrambled
from tests.games.terra_turrium.tables import EVERY_TABLE

GOOD = {"id": "good", "position": position(), "observed": position()["board"]}
ILLEGAL = GOOD | {"id": ["illegal"], "observed": after(position()["board"], "-E8")}

NO_REQUESTS: dict[str, bytes] = {
    "not json": b"not json",
    "empty": b"",
    "a list": b"[1, 2]",
    "null": b"null",
    "a number": b"5",
    "no UTF-8": b"\xff\xfe\x00{}",
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"a":' * 50_000,
    "not a number": b'{"id": NaN}',
    "too large a number": b'{"id": 1e999}',
    "a very long number": b'{"id": ' + b"9" * 5_000 + b"}",
    "two objects": b"{} {}",
}


def send(*lines: bytes) -> tuple[list[dict[str, Any]], int]:
    result = CliRunner().invoke(main, ["check"], input=b"".join(line + b"\n" for line in lines))
    return [json.loads(line) for line in result.stdout.splitlines()], result.exit_code


def dump(request: Mapping[str, object]) -> bytes:
    return json.dumps(request).encode()


@pytest.mark.parametrize(
    ("requests", "status"), [([GOOD], 0), ([GOOD, ILLEGAL], 1), ([GOOD, {}, ILLEGAL], 2), ([], 0)]
)
def test_exit_status_and_order(requests: list[dict[str, object]], status: int) -> None:
    answers, code = send(*map(dump, requests))
    assert code == status
    assert [a["id"] for a in answers] == [request.get("id") for request in requests]


@pytest.mark.parametrize("case", NO_REQUESTS)
def test_lines_that_are_no_object(case: str) -> None:
    answers, code = send(NO_REQUESTS[case], dump(GOOD))
    assert code == 2
    assert answers[0]["id"] is None
    assert answers[0]["error"]["code"] == "json"
    assert answers[0]["error"]["message"]
    assert answers[1]["legal"] is True


@pytest.mark.parametrize(
    "changes",
    [
        {"position": None},
        {"position": []},
        {"position": {}},
        {"observed": 5},
        {"observed": ""},
        {"observed": "1111111111"},
        {"frames": "x"},
        {"frames": ["x"]},
        {"extra": 1},
        {"position": position(finished=True)},
    ],
)
def test_requests_that_can_t_be_judged(changes: dict[str, object]) -> None:
    with pytest.raises(RequestError) as caught:
        answer(GOOD | changes)
    assert caught.value.code
    assert str(caught.value)
    answers, code = send(dump(GOOD | changes))
    assert (answers[0]["id"], code) == ("good", 2)


@pytest.mark.parametrize("key", ["position", "observed"])
def test_missing_keys(key: str) -> None:
    with pytest.raises(RequestError, match=key):
        answer({k: v for k, v in GOOD.items() if k != key})


def test_frames_are_read_and_the_answer_is_the_same() -> None:
    assert answer(GOOD | {"frames": [GOOD["observed"]]}) == answer(GOOD)


def test_files_and_their_folders(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "requests.jsonl").write_bytes(dump(GOOD | {"id": name}))
    seen = []

    def handle(request: dict[str, object], base: Path) -> dict[str, object]:
        seen.append(base)
        return {"echo": request["id"]}

    out = io.StringIO()
    files = [tmp_path / "b" / "requests.jsonl", tmp_path / "a" / "requests.jsonl"]
    assert run_lines(files, handle, out=out) == 0
    assert seen == [tmp_path / "b", tmp_path / "a"]
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [
        {"id": "b", "echo": "b"},
        {"id": "a", "echo": "a"},
    ]
    assert CliRunner().invoke(main, ["check", *map(str, files)]).exit_code == 0


def test_a_missing_file_is_an_error() -> None:
    assert CliRunner().invoke(main, ["check", "no-such-file"]).exit_code == 2


@pytest.mark.long
def test_a_line_without_end_is_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_bytes(b"[" + b" " * (2 * MAX_LINE + 5) + b"]\n" + dump(GOOD))
    result = CliRunner().invoke(main, ["check", str(file)])
    first, second = map(json.loads, result.stdout.splitlines())
    assert "longer" in first["error"]["message"]
    assert second["legal"] is True


def failing(request: dict[str, object], _base: Path) -> dict[str, object]:
    return {"value": 1 / int(str(request["id"]))}


@pytest.mark.parametrize("debug", ["", "1"])
def test_a_failure_spoils_one_answer_only(
    debug: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(DEBUG, debug)
    file = tmp_path / "requests.jsonl"
    file.write_bytes(b'{"id": 0}\n{"id": 1}\n')
    out = io.StringIO()
    assert run_lines([file], failing, out=out) == 2
    first, second = map(json.loads, out.getvalue().splitlines())
    assert first["error"]["code"] == "internal"
    assert second == {"id": 1, "value": 1.0}
    told = capsys.readouterr().err
    assert ("Traceback" in told) == bool(debug)
    assert debug or (told == "" and "ZeroDivisionError: division by zero" in first["error"]["message"])


def test_a_command_that_fails_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DEBUG, raising=False)
    monkeypatch.setattr("referee.cli.check.run_lines", lambda *_, **__: 1 / 0)
    result = CliRunner().invoke(main, ["check"])
    assert result.exit_code == 2
    assert result.stderr.startswith("referee check: the referee failed on this (ZeroDivisionError")
    assert result.stderr.count("\n") == 1


def test_an_error_without_id_names_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(dump(GOOD) + b"\n\n{\n" + b'{"id": 1, "id": 2}\n' + dump(GOOD | {"id": "x", "extra": 1}))
    result = CliRunner().invoke(main, ["check", str(file)])
    told = [json.loads(line).get("error", {}).get("message", "") for line in result.stdout.splitlines()]
    assert told[0] == ""
    assert told[1] == f"{file}, line 2: the line is empty: send one {{...}} a line"
    assert told[2].startswith(f"{file}, line 3: the line is not JSON: ")
    assert told[3] == f"{file}, line 4: the line is not JSON: the key 'id' stands twice in one object"
    assert told[4].startswith("unknown key 'extra'")
    odd = CliRunner().invoke(main, ["check"], input='{"id": "\t"}\n')
    assert "not JSON: Invalid control character at character 9: " in json.loads(odd.stdout)["error"]["message"]
    piped = CliRunner().invoke(main, ["check"], input="5\n")
    assert "standard input, line 1: " in json.loads(piped.stdout)["error"]["message"]


def test_a_file_that_breaks_off_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    for path in (good, bad):
        path.write_bytes(dump(GOOD) + b"\n")
    opened = Path.open

    def broken(path: Path, *args: Any, **named: Any) -> Any:
        if path == bad:
            raise OSError(errno.EIO, "Input/output error")
        return opened(path, *args, **named)

    monkeypatch.setattr(Path, "open", broken)
    result = CliRunner().invoke(main, ["check", str(bad), str(good)])
    assert result.exit_code == 2
    assert result.stderr == f"referee: {bad} can't be read: Input/output error\n"
    assert len(result.stdout.splitlines()) == 1


@pytest.mark.long
def test_each_answer_comes_before_the_next_line_is_read() -> None:
    command = [sys.executable, "-c", "from referee.cli import main; main()", "check"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(dump(GOOD | {"id": number}) + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.long
def test_answers_are_the_same_from_run_to_run() -> None:
    """Sets of words come in another order with each hash seed; no answer may depend on it."""
    rnd = random.Random("stable")
    lines = []
    for name in ("pro", "team", "Burgenland", "French three, no returns", "two"):
        start = GAME.position(position(**EVERY_TABLE[name]))
        for share in (0.02, 0.1):
            turn = Turn(rnd, start)
            board = turn.play()
            request = {
                "position": start.to_json(),
                "observed": board.text,
                "frames": [f.text for f in turn.seen[::2]],
            }
            lines += [dump(request), dump(request | {"observed": scrambled(rnd, board, share).text})]
    command = [sys.executable, "-c", "from referee.cli import main; main()", "check"]
    answers = {
        subprocess.run(
            command,
            input=b"\n".join(lines),
            env=os.environ | {"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            check=False,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert answers.pop().count(b"\n") == len(lines)


@given(st.binary(max_size=60))
def test_any_bytes_are_refused_or_an_object(line: bytes) -> None:
    with suppress(RequestError):
        assert isinstance(parse_object(line), dict)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["red", "pro", "A1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    key=st.sampled_from([*position(), "variants", "options", "in_hand", "teams", "holding", "winners"]), value=JSON
)
def test_any_value_of_any_key_is_answered(key: str, value: object) -> None:
    with suppress(RequestError):
        assert isinstance(answer(GOOD | {"position": position() | {key: value}})["legal"], bool)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"observed": "11/1x"}, "observed: der Brett-Text hat 2 durch '/' getrennte Reihen, nicht 10"),
        ({"position": position() | {"board": "!" + position()["board"]}}, "board: Reihe 10: '!' ist weder eine Höhe"),
    ],
)
def test_what_is_wrong_with_a_board_is_told_in_the_language_asked_for(changes: dict[str, Any], said: str) -> None:
    result = CliRunner().invoke(main, ["check", "--language", "de"], input=json.dumps(GOOD | changes) + "\n")
    assert json.loads(result.stdout)["error"]["message"].startswith(said)
