"""The conversation, in time that the tests make: what is told once, what is repeated, what is lost."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.buttonbox.link import FRESH_S, LOST_S, BoxLink, Connected, ForeignDevice, Lamp, News, Pressed, Silent
from referee.buttonbox.protocol import Decoder, Message, encode

HELLO = Message(1, "HELLO", ("1", "17", "4"))


def said(link: BoxLink, now_s: float) -> list[Message]:
    """Return what the referee sends now."""
    return Decoder().feed(link.due(now_s)[0])


def heard(link: BoxLink, now_s: float, *messages: Message) -> list[News]:
    return link.receive(b"".join(map(encode, messages)), now_s)


def connected(now_s: float = 0.0) -> BoxLink:
    link = BoxLink(now_s)
    assert heard(link, now_s, HELLO) == [Connected(4)]
    for message in said(link, now_s):
        heard(link, now_s, Message(2, "ACK", (str(message.seq),)))
    return link


def press(seq: int, button: int = 2, age_ms: int = 0, boot: int = 17) -> Message:
    return Message(seq, "PRESS", (str(boot), str(button), str(age_ms)))


def test_it_asks_until_a_box_answers_and_tells_it_the_lamp() -> None:
    link = BoxLink(0.0, Lamp.AMBER)
    asked = [message.kind for step in range(30) for message in said(link, step / 10)]
    assert asked.count("HELLO") == 3
    assert asked.count("BEAT") == 2
    assert heard(link, 3.0, HELLO) == [Connected(4)]
    assert [(m.kind, m.arguments) for m in said(link, 3.0) if m.kind == "LAMP"] == [("LAMP", ("amber",))]
    assert heard(link, 3.1, HELLO) == []
    assert "HELLO" not in [message.kind for message in said(link, 4.5)]


def test_a_press_is_told_once_and_acknowledged_always() -> None:
    link = connected()
    assert heard(link, 1.0, press(9)) == [Pressed(2, 0.0)]
    assert heard(link, 1.2, press(9, age_ms=200), press(10, button=1)) == [Pressed(1, 0.0)]
    assert [m.arguments for m in said(link, 1.2) if m.kind == "ACK"] == [("9",), ("9",), ("10",)]
    # After its restart the box counts anew: the same number is another press.
    assert heard(link, 1.4, press(9, boot=18)) == [Pressed(2, 0.0)]


@pytest.mark.parametrize("message", [press(9, age_ms=5001), press(9, button=0), press(9, button=100)])
def test_a_press_that_counts_no_more_is_acknowledged_only(message: Message) -> None:
    link = connected()
    assert heard(link, 1.0, message) == []
    assert [m.kind for m in said(link, 1.0)].count("ACK") == 1


def test_a_flood_of_presses_is_held_back() -> None:
    link = connected()
    news = [item for seq in range(1000) for item in heard(link, 1 + seq / 1000, press(seq))]
    assert len(news) == 5
    assert len(link.due(2.0)[0]) < 5000
    assert heard(link, 4.0, press(2000)) == [Pressed(2, 0.0)]


def test_commands_are_repeated_until_they_are_acknowledged() -> None:
    link = connected()
    link.lamp(Lamp.RED, 1.0)
    link.buzz(0.3, 1.0)
    lamp, buzz = (m for m in said(link, 1.0) if m.kind != "BEAT")
    assert (lamp.arguments, buzz.arguments) == (("red",), ("300",))
    heard(link, 1.1, Message(5, "ACK", (str(lamp.seq),)))
    assert said(link, 1.2) == []
    assert said(link, 1.3) == [buzz]
    link.lamp(Lamp.GREEN, 1.3)
    link.lamp(Lamp.OFF, 1.3)
    sent = said(link, 1.6)
    assert [m.arguments for m in sent if m.kind == "LAMP"][-1] == ("off",)
    assert [m.arguments for m in said(link, 1.9) if m.kind == "LAMP"] == [("off",)]


def test_buzzing_into_the_void_is_forgotten() -> None:
    link = BoxLink(0.0)
    link.buzz(1.0, 0.0)
    heard(link, 0.1, HELLO)
    assert "BUZZ" not in [m.kind for m in said(link, 0.2)]
    for _ in range(100):
        link.buzz(1.0, 0.3)
    assert [m.kind for m in said(link, 0.3)].count("BUZZ") <= 8


def test_a_silent_box_is_lost_whatever_noise_comes() -> None:
    link = connected()
    for step in range(34):
        link.receive(b"@1 BEAT 17*0000\n" + bytes(range(256)), step / 10)
        assert link.due(step / 10)[1] == []
    assert link.due(LOST_S + 0.1)[1] == [Silent()]
    assert link.spoiled >= 34


def test_our_own_words_coming_back_are_no_box() -> None:
    link = BoxLink(0.0)
    found: list[News] = []
    for step in range(50):
        out, news = link.due(step / 10)
        found += [*news, *link.receive(out, step / 10)]
    assert set(found) == {Silent()}


def test_another_version_is_told_once_and_not_used() -> None:
    link = BoxLink(0.0)
    other = Message(1, "HELLO", ("2", "17", "4"))
    assert heard(link, 0.0, other, other) == [ForeignDevice(2)]
    assert heard(link, 0.1, press(9)) == []
    assert "HELLO" not in [m.kind for m in said(link, 2.0)]


def test_a_box_that_was_restarted_is_greeted_anew() -> None:
    link = connected()
    heard(link, 1.0, Message(3, "BEAT", ("18",)))
    assert "HELLO" in [m.kind for m in said(link, 1.1)]
    assert heard(link, 1.2, Message(4, "HELLO", ("1", "18", "4"))) == [Connected(4)]
    assert [m.arguments for m in said(link, 1.2) if m.kind == "LAMP"] == [("off",)]


@given(
    st.binary(max_size=400), st.lists(st.sampled_from([HELLO, press(1), press(2, 99), Message(5, "ACK", ("70000",))]))
)
def test_nothing_that_comes_breaks_it(noise: bytes, messages: list[Message]) -> None:
    link = BoxLink(0.0)
    link.receive(noise, 0.0)
    heard(link, 0.0, *messages)
    link.due(1.0)


@given(st.integers(0, 2**32), st.lists(st.floats(0.3, 3.0), max_size=6), st.floats(0.0, 0.7))
def test_over_a_line_that_loses_lines_every_fresh_press_is_told_once(
    seed: int, pauses_s: list[float], loss: float
) -> None:
    """A box as the manual describes it, and a line that drops lines both ways."""
    chance = random.Random(seed)
    link, now_s, told = BoxLink(0.0), 0.0, 0
    due_s = [5.0 + sum(pauses_s[: index + 1]) for index in range(len(pauses_s))]
    waiting: dict[int, float] = {}
    end_s = 15.0 + sum(pauses_s)
    step = 0
    while now_s < end_s:
        step += 1
        now_s = step / 20
        from_box = [Message(step, "BEAT", ("17",))] if step % 20 == 0 else []
        for seq, at_s in enumerate(due_s, start=100):
            if now_s - 0.05 < at_s <= now_s:
                waiting[seq] = now_s
        if step % 4 == 0:
            from_box += [press(seq, age_ms=round((now_s - at) * 1000)) for seq, at in waiting.items()]
        for message in from_box:
            if chance.random() >= loss:
                told += sum(isinstance(item, Pressed) for item in heard(link, now_s, message))
        out, news = link.due(now_s)
        if news:  # the line is opened anew, and the box repeats what was not heard
            link = BoxLink(now_s)
            return
        for message in Decoder().feed(out):
            if chance.random() >= loss:
                if message.kind == "HELLO":
                    heard(link, now_s, HELLO)
                if message.kind == "ACK":
                    waiting.pop(int(message.arguments[0]), None)
        waiting = {seq: at for seq, at in waiting.items() if now_s - at <= FRESH_S}
    assert told == len(pauses_s)
