"""Settings: where each value came from, and what is said of one that can't be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from referee.cli import main
from referee.service.example import example
from referee.service.masking import masked
from referee.service.settings import (
    SettingsError,
    known_keys,
    lines_of_keys,
    load_settings,
    settings_file,
    settings_model,
    variable_of,
)
from referee.values.words import LANGUAGES


def written(folder: Path, text: str) -> Path:
    path = folder / "referee.toml"
    path.write_text(text, encoding="utf-8")
    return path


FULL = """\
# a hall in Hanover
language = "de"
data_folder = "/srv/referee"

[page]
port = 9000
allowed_hosts = [
  "table1.club",
  "table2.club",
]
open_watching = false

[cameras]
cam0 = "rtsp://me:hunter2@camera/stream?token=abc"

[evidence]
keep_days = 7
"""


def test_every_value_says_where_it_came_from(tmp_path: Path) -> None:
    path = written(tmp_path, FULL)
    loaded = load_settings(path, {"REFEREE_PAGE_PORT": "9001", "REFEREE_LANGUAGE": "fr", "HOME": "/"})
    settings = loaded.settings
    assert (settings.page.port, settings.language, settings.data_folder) == (9001, "fr", Path("/srv/referee"))
    assert settings.page.allowed_hosts == ("table1.club", "table2.club")
    assert not settings.page.open_watching
    assert settings.evidence.keep_days == 7
    origins = {key: str(origin) for key, _, origin in loaded.rows()}
    assert origins["page.port"] == "environment REFEREE_PAGE_PORT"
    assert origins["data_folder"] == f"{path}:3"
    assert origins["page.allowed_hosts"] == f"{path}:7"
    assert origins["page.open_watching"] == f"{path}:11"
    assert origins["cameras.cam0"] == f"{path}:14"
    assert origins["page.host"] == "default"


def test_without_anything_the_defaults_stand(tmp_path: Path) -> None:
    loaded = load_settings(environ={"REFEREE_SETTINGS": str(written(tmp_path, ""))})
    assert loaded.settings == settings_model()()
    assert {str(origin) for _, _, origin in loaded.rows()} == {"default"}
    assert settings_file({}).name == "referee.toml"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\n[page]\nport = 80800\n", 3, "page.port must be a port number from 0 to 65535"),
        ('[page]\nport = "8080"\n', 2, "page.port must be a port number"),
        ("[page]\nport = true\n", 2, "page.port must be a port number"),
        ('[page]\nopen_watching = "yes"\n', 2, "page.open_watching must be true: "),
        ("[page]\nprot = 1\n", 2, "there is no setting 'page.prot': did you mean page.port?"),
        ("# x\nport = 1\n", 2, "there is no setting 'port': did you mean page.port?"),
        ("\n\n[pages]\nport = 1\n", 3, "there is no setting 'pages': did you mean page?"),
        ("page = 3\n", 1, "page is a section: write [page]"),
        ('[cameras]\n"Cam 0" = "x"\n', 2, "'Cam 0' is no camera's name"),
        ("[cameras]\ncam0 = 0\n", 2, "cameras.cam0 must be where the camera's pictures come from"),
        ("[cameras.cam0]\nurl = 1\n", 1, "cameras.cam0 must be where"),
        ("[evidence]\nkeep_days = nan\n", 2, "evidence.keep_days must be days"),
        ("[evidence]\nkeep_mb = 3\n", 2, "evidence.keep_mb must be megabytes"),
        ('language = "xx"\n', 1, f"language must be the page's first language: {', '.join(LANGUAGES[:-1])} or "),
        ('[page]\nallowed_hosts = ["a b"]\n', 2, "page.allowed_hosts must be further names"),
        ('[page]\nhost = "rtsp://u:pw@h"\n', 2, "page.host must be the address"),
        ('data_folder = ""\n', 1, "data_folder must be the folder"),
    ],
)
def test_errors_name_file_line_and_key(tmp_path: Path, text: str, line: int, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(path, {})
    assert str(caught.value).startswith(f"{path}, line {line}: {words}"), caught.value
    assert "pw" not in str(caught.value)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, '[page]\nport = -1\n[log]\nlevel = "loud"\n')
    with pytest.raises(SettingsError) as caught:
        load_settings(path, {"REFEREE_TURN_END_STILL": "3", "REFEREE_PAGE_PORT": "x"})
    lines = str(caught.value).splitlines()
    assert len(lines) == 4
    assert "line 2: page.port" in lines[0]
    assert "line 4: log.level must be how much is told" in lines[1]
    assert lines[2].startswith("environment, REFEREE_PAGE_PORT: page.port must be")
    assert lines[3] == "environment: REFEREE_TURN_END_STILL sets nothing: did you mean REFEREE_TURN_END_STILL_S?"


def test_a_file_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"there is no such settings file; 'referee settings --example'"):
        load_settings(tmp_path / "no.toml", {})
    with pytest.raises(SettingsError, match="no such settings file"):
        load_settings(environ={"REFEREE_SETTINGS": str(tmp_path / "no.toml")})
    with pytest.raises(SettingsError, match=r"is not TOML: .*line 2"):
        load_settings(written(tmp_path, "[page]\nport =\n"), {})
    (tmp_path / "latin.toml").write_bytes(b'language = "\xfc"')
    with pytest.raises(SettingsError, match="not UTF-8"):
        load_settings(tmp_path / "latin.toml", {})
    with pytest.raises(SettingsError, match="can't be read"):
        load_settings(tmp_path, {})


def test_the_environment_sets_everything(tmp_path: Path) -> None:
    path = written(tmp_path, '[cameras]\ncam-1 = "video:a.avi"\n')
    environ = {
        "REFEREE_SETTINGS": str(path),
        "REFEREE_DEBUG": "1",
        "REFEREE_DATA_FOLDER": "~/games",
        "REFEREE_PAGE_ALLOWED_HOSTS": "a.club, b.club",
        "REFEREE_PAGE_OPEN_WATCHING": "no",
        "REFEREE_TURN_END_STILL_S": "2.5",
        "REFEREE_CAMERAS_CAM_1": "video:b.avi",
        "REFEREE_CAMERAS_CAM0": "http://x/y.jpg",
    }
    settings = load_settings(environ=environ).settings
    assert settings.data_folder == Path.home() / "games"
    assert settings.page.allowed_hosts == ("a.club", "b.club")
    assert not settings.page.open_watching
    assert settings.turn_end.still_s == 2.5
    assert settings.cameras == {"cam-1": "video:b.avi", "cam0": "http://x/y.jpg"}
    assert len({variable_of(key) for key in known_keys()}) == len(known_keys())


def test_the_example_is_the_defaults(tmp_path: Path) -> None:
    loaded = load_settings(written(tmp_path, example()), {})
    assert loaded.settings == settings_model()()
    assert set(loaded.origins) == set(known_keys()) - {"data_folder"}


def test_the_command_shows_and_masks(tmp_path: Path) -> None:
    path = written(tmp_path, FULL)
    shown = CliRunner().invoke(main, ["settings", "--file", str(path)], env={"REFEREE_PAGE_PORT": "9001"})
    assert shown.exit_code == 0
    assert "hunter2" not in shown.output
    assert "abc" not in shown.output
    assert "rtsp://***@camera/stream?token=***" in shown.output
    assert "environment REFEREE_PAGE_PORT" in shown.output
    as_json = CliRunner().invoke(main, ["settings", "--file", str(path), "--json"])
    assert json.loads(as_json.output)["language"] == {"value": '"de"', "from": f"{path}:2"}
    wrong = CliRunner().invoke(main, ["settings", "--file", str(written(tmp_path, "x = 1"))])
    assert wrong.exit_code == 2
    assert "line 1: there is no setting 'x'" in wrong.output


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rtsp://me:pw@cam/1", "rtsp://***@cam/1"),
        ("open rtsp://me:p@w@cam/1 failed", "open rtsp://***@cam/1 failed"),
        ("http://cam/s?user=me&pwd=pw&size=2", "http://cam/s?user=***&pwd=***&size=2"),
        ("http://cam/s?size=2#x", "http://cam/s?size=2#x"),
        ("RTSP:/me:pw@cam", "RTSP:/***@cam"),
        ("mail me@home", "mail me@home"),
        ("at 12:30 look", "at 12:30 look"),
        ("socket://host:4000", "socket://host:4000"),
    ],
)
def test_masking(text: str, shown: str) -> None:
    assert masked(text) == shown


@given(st.text(alphabet="abcXYZ019!$*+,;:%-._~ü/?#@&=", min_size=3, max_size=20))
def test_no_password_survives_masking(password: str) -> None:
    secret = f"Q{password}Q"
    assert secret not in masked(f"cam0: can't open rtsp://me:{secret}@cam.local:554/s, trying again")


@pytest.mark.long
@given(
    st.lists(
        st.sampled_from(
            ["", "# note = 1", "a{i} = 1", 'b{i} = """\nx = 1\n"""', "[t{i}]", "c{i} = [\n 1,\n # z = 3\n 2]"]
        ),
        max_size=12,
    )
)
def test_lines_of_keys_are_where_they_are_written(parts: list[str]) -> None:
    text, expected, table = "", {}, ""
    for number, part in enumerate(parts):
        line = part.format(i=number)
        start = text.count("\n") + 1
        text += line + "\n"
        if line.startswith("["):
            table = f"t{number}."
            expected[f"t{number}"] = start
        elif " = " in line and not line.startswith("#"):
            expected[table + line.split(" = ")[0]] = start
    assert lines_of_keys(text) == expected
