"""Who can reach the page, who may know the code, and one referee a data folder."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.daemon import GameJournal
from referee.daemon.hosting import Hosting
from referee.service import server
from referee.service.masking import masked
from referee.service.pairing import pairing_told
from referee.service.server import machine_address
from referee.service.settings import Page
from referee.storage.inuse import InUse, running_at
from referee.storage.journal import JournalError
from tests.auth.house import House
from tests.demo.command import Demo
from tests.demo.table import Table
from web.auth.pairing import Code

CODE = Code("042917", "AbCdEfGhIjKlMnOpQrStUv", 2e9)


def test_a_second_referee_on_a_folder_is_refused_and_told_where_the_first_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table = Table(tmp_path)
    with Demo.run(*table.options) as first:
        url = first.url
        second = Demo.run(*table.options, "--new")
        assert second.wait() == 2
        assert (
            f"another referee is running on {tmp_path / 'data'} (open {url}): stop that one first" in second.said[-1]
        )
        assert running_at(tmp_path / "data") == url
        told = CliRunner().invoke(main, ["pair"])
        assert f"{url}#pair=" in told.output.replace("\n", "") or url in told.output
        assert "No referee is running" not in told.output
    assert running_at(tmp_path / "data") is None
    assert "No referee is running on this data folder" in CliRunner().invoke(main, ["pair"]).output


def test_the_mark_of_a_killed_referee_keeps_nobody_out(tmp_path: Path) -> None:
    script = "import os; from pathlib import Path; from referee.storage.inuse import InUse; "
    script += f"mark = InUse(Path({str(tmp_path)!r})); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", script], check=False)
    with InUse(tmp_path) as mark:
        mark.say("http://table:8080/")
        assert running_at(tmp_path) == "http://table:8080/"
        with pytest.raises(JournalError, match=r"another referee .* \(open http://table:8080/\)"):
            InUse(tmp_path)


def test_a_data_folder_that_can_t_be_written_is_told_with_the_setting(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(JournalError, match=r"data can't be written: .*; let the referee write .* data_folder in"):
        InUse(tmp_path / "data")


def _hosting(folder: Path, parts: ExitStack, **page: Any) -> Hosting:
    def nothing() -> GameJournal:
        raise AssertionError

    return Hosting(Page(port=0, **page), folder, nothing, lambda: nothing().state, parts)


def test_a_loopback_address_is_shown_to_no_phone(tmp_path: Path) -> None:
    with ExitStack() as parts:
        hosting = _hosting(tmp_path, parts)
        said = pairing_told(hosting.url, CODE, hosting.local)
        assert "no phone or tablet reaches" in said
        assert "--host 0.0.0.0" in said
        assert "▀" not in said, "no code to scan that leads nowhere"
        assert hosting.reached_at() == ""


def test_an_open_table_says_where_phones_find_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "machine_address", lambda: "192.0.2.77")
    with ExitStack() as parts:
        hosting = _hosting(tmp_path, parts, host="0.0.0.0")
        port = hosting.sock.getsockname()[1]
        assert hosting.reached_at() == f"192.0.2.77:{port}"
        said = pairing_told(hosting.url, CODE, hosting.local)
        assert f"http://192.0.2.77:{port}/" in said
        assert "▀" in said


def test_behind_a_web_server_its_name_is_shown(tmp_path: Path) -> None:
    with ExitStack() as parts:
        hosting = _hosting(tmp_path, parts, behind_proxy=True, allowed_hosts=["table.example"])
        assert (hosting.url, hosting.local) == ("https://table.example/", False)


def test_a_machine_without_a_way_out_still_has_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_address_towards", lambda target: None)
    assert "127.0.0.1" in server._interface_addresses()
    assert machine_address() == "localhost" or not machine_address().startswith("127.")


@pytest.mark.parametrize(("host", "told"), [("localhost", True), ("table.example", False)])
def test_the_page_says_that_no_other_device_finds_it(house: House, host: str, told: bool) -> None:
    tablet = house.pair()
    house.app.config["TRUSTED_HOSTS"] = ["localhost", "table.example"]

    def code(key: str) -> dict[str, object]:
        client = house.app.test_client()
        client.set_cookie(house.auth.name, tablet.cookie, domain=host)
        headers = {"Origin": f"http://{host}", "X-CSRF-Token": tablet.csrf, "Idempotency-Key": key}
        answer = client.post("/api/codes", json={}, headers=headers, base_url=f"http://{host}")
        assert answer.status_code == 201, answer.text
        assert isinstance(answer.json, dict)
        return answer.json

    house.app.config["REACHED_AT"] = str
    assert bool(code("key-00000001")["words"]) is told
    house.app.config["REACHED_AT"] = lambda: "192.0.2.77:8080"
    reached = "192.0.2.77:8080" if told else host
    assert str(code("key-00000002")["link"]).startswith(f"http://{reached}/#pair=")


def test_the_journal_of_the_system_hears_no_code(tmp_path: Path) -> None:
    script = (
        "from referee.service.pairing import pairing_told; from web.auth.pairing import Code; "
        f"print(pairing_told('http://192.0.2.1:8080/', Code({CODE.pin!r}, {CODE.secret!r}, 2e9), False))"
    )
    with (tmp_path / "log").open("w") as log:
        found = os.fstat(log.fileno())
        environ = os.environ | {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}
        subprocess.run([sys.executable, "-c", script], stdout=log, env=environ, check=True)
    said = (tmp_path / "log").read_text()
    assert "referee pair" in said
    assert CODE.secret not in said
    assert "042" not in said
    assert "▀" not in said


def test_links_that_pair_are_masked_in_the_log() -> None:
    assert masked(f"GET http://h:1/#pair={CODE.secret} now") == "GET http://h:1/#pair=*** now"


@pytest.mark.parametrize("url", ["foo", "ftp://table.example/", "https://", "table.example:8080"])
def test_a_code_is_for_an_address_that_a_browser_opens(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    told = CliRunner().invoke(main, ["pair", "--url", url])
    assert (told.exit_code, f"{url!r} is no address: give one such as https://table.example/" in told.stderr) == (
        2,
        True,
    )
