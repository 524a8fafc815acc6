"""The box's lines: every message goes there and back, and no garbled line is taken for another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.buttonbox.protocol import LONGEST_LINE, Decoder, LineError, Message, checksum, encode

MANUAL = Path(__file__).parents[2] / "docs" / "reference" / "button-box-protocol.md"

words = st.text(alphabet=[chr(c) for c in range(33, 127) if chr(c) not in "*@"], min_size=1, max_size=8)
messages = st.builds(
    Message,
    st.integers(0, 65_535),
    st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=8),
    st.lists(words, max_size=3).map(tuple),
)


def test_the_examples_of_the_manual() -> None:
    assert checksum(b"123456789") == b"29B1"  # the check value of CRC-16/CCITT-FALSE
    lines = re.findall(r"`(@[^`]+\*[0-9A-F]{4})`", MANUAL.read_text(encoding="utf-8"))
    assert len(lines) >= 8
    for line in lines:
        (message,) = Decoder().feed(line.encode() + b"\n")
        assert encode(message) == line.encode() + b"\n"


@pytest.mark.long
@given(st.lists(messages, max_size=6), st.data())
def test_messages_come_through_in_pieces_of_any_size(sent: list[Message], data: st.DataObject) -> None:
    line = b"".join(map(encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(line)), max_size=8)))
    decoder, found = Decoder(), []
    for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True):
        found += decoder.feed(line[start:end])
    assert found == sent
    assert decoder.spoiled == 0


@given(st.binary(max_size=300), messages)
def test_after_any_noise_the_next_line_is_heard(noise: bytes, message: Message) -> None:
    decoder = Decoder()
    before = decoder.feed(noise)
    assert decoder.feed(encode(message)) == [message]
    assert len(before) <= noise.count(b"@")


@given(messages, st.integers(0, 200), st.integers(1, 0xFFFF))
def test_a_burst_of_wrong_bits_makes_no_other_message(message: Message, at: int, burst: int) -> None:
    line = encode(message)
    number = int.from_bytes(line, "big") ^ (burst << (at % (len(line) * 8 - 16)))
    found = Decoder().feed(number.to_bytes(len(line), "big") + b"\n")
    assert found in ([], [message])


@given(messages, messages, st.integers(0, 62))
def test_a_line_cut_in_its_middle_spoils_only_itself(first: Message, second: Message, at: int) -> None:
    line = encode(first)
    cut = line[: at % (len(line) - 1)]
    decoder = Decoder()
    assert decoder.feed(cut + encode(second)) == [second]


def test_a_flood_is_not_kept() -> None:
    decoder = Decoder()
    for _ in range(100):
        assert decoder.feed(b"@" + b"x" * 100_000) == []
    assert len(decoder._line or b"") <= LONGEST_LINE
    assert decoder.spoiled >= 99
    assert decoder.feed(b"\n" * 10 + encode(Message(1, "BEAT", ("1",)))) == [Message(1, "BEAT", ("1",))]


@pytest.mark.parametrize(
    "message",
    [
        Message(-1, "BEAT"),
        Message(65_536, "BEAT"),
        Message(1, "beat"),
        Message(1, ""),
        Message(1, "LAMP", ("a b",)),
        Message(1, "LAMP", ("a*b",)),
        Message(1, "LAMP", ("@",)),
        Message(1, "LAMP", ("grün",)),
        Message(1, "LAMP", ("",)),
        Message(1, "LAMP", ("x" * 60,)),
    ],
)
def test_what_no_line_can_hold_is_refused(message: Message) -> None:
    with pytest.raises(LineError, match="can't be sent"):
        encode(message)


@pytest.mark.parametrize(
    "line",
    [
        b"@1 BEAT 7*",
        b"@1 BEAT 7",
        b"1 BEAT 7*AAAA",
        b"@01 BEAT*%s",
        b"@70000 BEAT*%s",
        b"@1  BEAT*%s",
        b"@*%s",
        b"@1 \xff*%s",
    ],
)
def test_what_is_no_message(line: bytes) -> None:
    body = line[1:].partition(b"*")[0]
    assert Decoder().feed((line % checksum(body) if b"%s" in line else line) + b"\n") == []
