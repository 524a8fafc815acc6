"""The organiser's files at a real Mosquitto: TLS, passwords, and nobody writes or reads what is another's."""

from __future__ import annotations

import socket
import ssl
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.addons.hall.address import broker_address
from referee.addons.hall.command import command
from referee.addons.hall.homeassistant import picture_topic
from referee.addons.hall.messages import HallError
from referee.addons.hall.signing import id_of, public_of
from referee.addons.hall.topics import Leaf
from tests.addons.hall.broker import Listener, Mosquitto, until
from tests.addons.hall.table import SECRET, published
from tests.match.looking import At
from tests.ports import free_port

TABLE, OTHER = id_of(public_of(SECRET)), "0123456789abcdef"


def written(folder: Path, port: int, *more: str) -> dict[str, str]:
    """Write the files and return each user's address."""
    args = [
        "broker-files",
        str(folder),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--table",
        TABLE,
        "--table",
        OTHER,
    ]
    done = CliRunner().invoke(command, [*args, *more])
    assert done.exit_code == 0, done.output
    lines = (folder / "addresses.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if not line.startswith("#"))


def test_a_table_comes_in_by_tls_and_its_own_password(tmp_path: Path) -> None:
    port = free_port()
    addresses = written(tmp_path / "broker", port)
    assert all((tmp_path / "broker" / name).stat().st_mode & 0o077 == 0 for name in ("passwords", "addresses.txt"))
    authority = tmp_path / "broker" / "https" / "authority.crt"
    with Mosquitto(tmp_path, port, file=tmp_path / "broker" / "mosquitto.conf") as broker:
        at = At(tmp_path / "1.journal")
        with published(at, f"{addresses[TABLE]}?ca={authority}", tmp_path, picture=lambda: b"board"):
            desk, viewer = (broker_address(addresses[user]) for user in ("desk", "viewer"))
            context = ssl.create_default_context(cafile=str(authority))
            with Listener(broker.port, desk.user, desk.password, tls=context) as listener:
                until(lambda: len(listener.events) == at.journal.last, "every event comes")
            with Listener(broker.port, viewer.user, viewer.password, picture_topic(TABLE), context) as screen:
                until(lambda: [bytes(message.payload) for message in screen.came] == [b"board"], "its board comes")
        raw = socket.create_connection(("127.0.0.1", port))
        with pytest.raises(ssl.SSLCertVerificationError):  # who trusts the system's authorities alone
            ssl.create_default_context().wrap_socket(raw, server_hostname="127.0.0.1")


def test_nobody_writes_or_reads_what_is_anothers(tmp_path: Path) -> None:
    port = free_port()
    addresses = {user: broker_address(text) for user, text in written(tmp_path / "broker", port, "--plain").items()}

    def comes(user: str, topic: str = "referee/v1/#") -> Listener:
        return Listener(port, user, addresses[user].password, topic)

    with (
        Mosquitto(tmp_path, port, file=tmp_path / "broker" / "mosquitto.conf"),
        comes("desk") as desk,
        comes("viewer") as viewer,
        comes(TABLE) as table,
        comes(OTHER) as other,
    ):
        own = [f"referee/v1/{TABLE}/{leaf.value}" for leaf in Leaf if leaf is not Leaf.COMMAND]
        own += [f"homeassistant/device/referee-{TABLE}/config"]
        for topic in own:
            table.publish(topic, b"mine")
        assert table.refused == []
        for topic in own:
            other.publish(topic, b"forged")
        other.publish(f"referee/v1/{TABLE}/command", b"forged")
        viewer.publish(f"referee/v1/{TABLE}/command", b"forged")
        desk.publish(f"referee/v1/{TABLE}/state", b"forged")
        table.publish(f"referee/v1/{TABLE}/answer/{OTHER}", b"one topic more", retain=True)
        assert [len(one.refused) for one in (table, desk)] == [1, 1]
        assert len(other.refused) == len(own) + 1
        assert len(viewer.refused) == len(desk.refused) == 1
        desk.publish(f"referee/v1/{TABLE}/command", b"ordered")
        until(lambda: [message.payload for message in table.came] == [b"mine", b"ordered"], "it hears its desk")
        until(lambda: len(desk.came) == len(own), "the desk hears all of the table")
        assert {message.payload for message in (*desk.came, *viewer.came)} == {b"mine", b"ordered"}
        assert other.came == []
        assert [message.topic.rsplit("/", 1)[1] for message in table.came] == ["about", "command"]
        assert not any("command" in message.topic or "answer" in message.topic for message in viewer.came)


def test_a_desks_password_leaves_nothing_at_the_broker_beside_its_tables(tmp_path: Path) -> None:
    """Orders that were retained for tables that nobody knows filled it, until it could not start any more."""
    port = free_port()
    addresses = {user: broker_address(text) for user, text in written(tmp_path / "broker", port, "--plain").items()}
    large = bytes(500_000)
    with Mosquitto(tmp_path, port, file=tmp_path / "broker" / "mosquitto.conf") as broker:
        with Listener(port, "desk", addresses["desk"].password) as desk:
            for number in range(40):
                desk.publish(f"referee/v1/{number:016x}/command", large, retain=True)
            desk.publish("referee/v1/desk/state", large, retain=True)
            assert len(desk.refused) == 41
            for table in (TABLE, OTHER):
                desk.publish(f"referee/v1/{table}/command", large, retain=True)
            assert len(desk.refused) == 41
        with Listener(port, "viewer", addresses["viewer"].password) as viewer:
            viewer.publish("referee/v1/viewer/state", b"one's own", retain=True)
            assert len(viewer.refused) == 1
        broker.restart()
        with Listener(port, "desk-2", addresses["desk-2"].password) as other:
            other.publish(f"referee/v1/{TABLE}/command", b"the last")
            until(lambda: other.came, "the broker takes and gives")
            assert [message.payload for message in other.came] == [b"the last"], "and holds nothing from before"


@pytest.mark.parametrize(
    ("given", "listens"),
    [
        (["--host", "127.0.0.1"], "127.0.0.1"),
        (["--host", "hall.local"], ""),
        (["--host", "hall.local", "--bind", "127.0.0.1"], "127.0.0.1"),
        (["--host", "127.0.0.1", "--bind", "0.0.0.0"], ""),
    ],
)
def test_the_broker_listens_where_it_is_meant_to(tmp_path: Path, given: list[str], listens: str) -> None:
    port = free_port()
    done = CliRunner().invoke(command, ["broker-files", str(tmp_path / "b"), "--plain", "--port", str(port), *given])
    assert done.exit_code == 0, done.output
    assert f"at {listens} alone" in done.output if listens else "in every network" in done.output
    file = tmp_path / "b" / "mosquitto.conf"
    told = next(line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("# It listens"))
    assert (listens or "every address") in told
    with Mosquitto(tmp_path, port, file=file), socket.socket() as elsewhere:
        assert (elsewhere.connect_ex(("127.0.0.2", port)) == 0) is not bool(listens)


def test_nobody_pushes_another_out_of_its_connection_or_takes_all_there_are(tmp_path: Path) -> None:
    port = free_port()
    addresses = {user: broker_address(text) for user, text in written(tmp_path / "broker", port, "--plain").items()}
    with Mosquitto(tmp_path, port, file=tmp_path / "broker" / "mosquitto.conf"), ExitStack() as parts:
        table = parts.enter_context(Listener(port, TABLE, addresses[TABLE].password, name=f"referee-{TABLE}"))
        held = [
            parts.enter_context(Listener(port, OTHER, addresses[OTHER].password, name=name))
            for name in (f"referee-{TABLE}", TABLE, "another")
        ]
        until(lambda: sum(one.there for one in held) <= 1, "the broker lets one of them stay")
        assert table.ends == 0, "nobody has taken its place"
        table.publish(f"referee/v1/{TABLE}/state", b"mine")
        assert table.refused == []


def test_a_wrong_password_keeps_out(tmp_path: Path) -> None:
    port = free_port()
    written(tmp_path / "broker", port, "--plain")
    with Mosquitto(tmp_path, port, file=tmp_path / "broker" / "mosquitto.conf"):
        stranger = Listener(port, "desk", "guessed")
        codes: list[str] = []
        stranger.client.on_connect = lambda client, data, flags, code, properties: codes.append(str(code))
        stranger.client.loop_start()
        until(lambda: codes, "the broker answers")
        stranger.client.loop_stop()
        assert codes[0] == "Not authorized"


def test_wrong_ids_and_addresses_are_told_without_their_password(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["broker-files", str(tmp_path), "--host", "hall.local", "--table", "Table 7"])
    assert done.exit_code == 2
    assert "referee hall id" in done.output
    done = CliRunner().invoke(command, ["broker-files", str(tmp_path), "--host", "hall.local", "--bind", "eth0"])
    assert done.exit_code == 2
    assert "--bind eth0: give an address" in done.output
    for wrong in (
        "http://me:s3cret@host", "mqtt://", "mqtts://me:s3cret@host:99999", "mqtt://me:s3cret@host?ca=/x",
        "mqtts://me:s3cret@host?ca=/no/file", "mqtts://me:s3cret@host/path", "mqtt://me:s3cret@host?x=1",
    ):  # fmt: skip
        with pytest.raises(HallError) as told:
            broker_address(wrong)
        assert "s3cret" not in str(told.value)
    right = broker_address("mqtts://me:s3%2Fcret@[::1]")
    assert (right.host, right.port, right.password) == ("::1", 8883, "s3/cret")
    assert "s3" not in f"{right} {right!r}"


def test_a_code_and_the_desks_are_shown_at_the_table(tmp_path: Path) -> None:
    run = CliRunner()
    shown = run.invoke(command, ["id", "--data", str(tmp_path)]).output.strip()
    assert len(shown) == 16
    assert "10 minutes" in run.invoke(command, ["code", "--data", str(tmp_path)]).output
    assert "trusts no desk" in run.invoke(command, ["desks", "--data", str(tmp_path)]).output
    assert run.invoke(command, ["desks", "--data", str(tmp_path), "--forget", shown]).exit_code == 2
