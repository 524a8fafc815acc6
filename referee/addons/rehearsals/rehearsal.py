"""Hold what a rehearsal found as a frozen value that goes to JSON and back, with the words in which it is stated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Self

from referee.addons.rehearsals.share import Share, Shares, predicted, rehearsed
from referee.addons.rehearsals.tally import Counts, Ease, Eyes, Group, LookTally
from referee.addons.rehearsals.validity import RENEWABLE, Conditions, Lapse, ends_on, lapses, too_old
from referee.values.words import Words, decimal, say, say_n, verbatim

FEWEST_LOOKS = 6
"""With fewer looks an interval says nothing that helps: the rehearsal is not stated."""
DARK_PAPER = 90.0
"""Paper in the shade below this brightness (of 255) calls for a lamp, as the certificate's exposure does."""
_WORTH = 0.005
"""Share of the fields that a change must bring for it to be advised."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a rehearsal found.

    made_at, renewed_at: local date and time, ISO 8601; the second empty until a check renews it. seed: of its tasks.
    skipped: tasks left out. groups: the looks by eyes, those with the most first. conditions: under which it holds.
    """

    made_at: str
    renewed_at: str
    seed: int
    skipped: int
    groups: tuple[Group, ...]
    conditions: Conditions

    @property
    def ends_on(self) -> date:
        """Return the day on which it lapses by age."""
        return ends_on(_day(self.renewed_at or self.made_at))

    def lapses(self, now: Conditions | None, today: date) -> tuple[Lapse, ...]:
        """Return why it no longer holds. now: as measured, ``None`` where nothing is seen."""
        changed = () if now is None else lapses(self.conditions, now)
        return (*changed, *too_old(_day(self.renewed_at or self.made_at), today))

    def renewed(self, told: Sequence[Mapping[Eyes, LookTally]], now: Conditions, at: str) -> Self | None:
        """Return the rehearsal as a short check renews it; ``None`` where the check does not bear it out.

        told: each look's tallies by the eyes that saw it; the check is compared with what the most eyes that saw all
        its looks rehearsed. It is borne out when no lapse speaks of another table, and no fewer fields are told right
        than the interval has for so many looks.
        """
        if not told or any(each.reason not in RENEWABLE for each in lapses(self.conditions, now)):
            return None
        group = next((each for each in self.groups if all(each.eyes in look for look in told)), None)
        if group is None:
            return None
        looks = [look[group.eyes] for look in told]
        counts = sum((look.all for look in looks), Counts())
        if not counts.total or counts.right / counts.total < rehearsed(group, [look.parts for look in looks]).low:
            return None
        return replace(self, renewed_at=at, conditions=self.conditions.widened(now))

    def to_json(self) -> dict[str, object]:
        """Return JSON-able values."""
        return {
            "made_at": self.made_at,
            "renewed_at": self.renewed_at,
            "seed": self.seed,
            "skipped": self.skipped,
            "groups": [group.to_json() | {"shares": _shares_json(predicted(group))} for group in self.groups],
            "conditions": self.conditions.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what ``to_json`` wrote."""
        made, renewed = str(data["made_at"]), str(data["renewed_at"])
        _day(renewed or made)
        return cls(
            made, renewed, int(data["seed"]), int(data["skipped"]),
            tuple(Group.from_json(each) for each in data["groups"]),
            Conditions.from_json(data["conditions"]),
        )  # fmt: skip


def _shares_json(shares: Shares) -> dict[str, list[float]]:
    """Return the shares for programs that only want these: low, middle and high end of each."""
    named = {"right": shares.right, "wrong": shares.wrong, "open": shares.open}
    return {name: [round(each, 4) for each in (share.low, share.middle, share.high)] for name, share in named.items()}


def _day(moment: str) -> date:
    return date.fromisoformat(moment[:10])


@dataclass(frozen=True, slots=True)
class Statement:
    """The figures of one group of looks, in words. who: the eyes. looks: how many."""

    who: Words
    looks: int
    right: Words
    wrong: Words
    open: Words


def stated(rehearsal: Rehearsal) -> tuple[Statement, ...]:
    """Return the figures of a rehearsal, those of the most eyes first."""
    return tuple(_statement(group) for group in rehearsal.groups)


def _statement(group: Group) -> Statement:
    shares: Shares = predicted(group)
    return Statement(
        _who(group), len(group.looks), interval(shares.right), interval(shares.wrong), interval(shares.open)
    )  # fmt: skip


def interval(share: Share) -> Words:
    """Return a share in per cent with its interval."""
    low, middle, high = (decimal(100 * each) for each in (share.low, share.middle, share.high))
    return say("{middle} % (in a game {low} to {high} %)", middle=middle, low=low, high=high)


def _who(group: Group) -> Words:
    cameras = verbatim(" + ".join(group.cameras))
    if group.views:
        return say_n("{cameras}, {n} view a look", "{cameras}, {n} views a look", group.views, cameras=cameras)
    return cameras


def told(rehearsal: Rehearsal) -> Words:
    """Return what a rehearsal found in one sentence."""
    counts = rehearsal.groups[0].counts
    return say(
        "Of {n} fields in {looks} looks, {right} were told right, {wrong} wrong, {open} left open.",
        n=counts.total, looks=len(rehearsal.groups[0].looks), right=counts.right, wrong=counts.wrong,
        open=counts.open,
    )  # fmt: skip


def advice(rehearsal: Rehearsal) -> tuple[Words, ...]:
    """Return what would raise the share told right, that which brings most first."""
    group = rehearsal.groups[0]
    plain = group.part(Ease.PLAIN)
    if not plain.total:
        return (_another_side(group, decimal(100)),)
    found: list[tuple[float, Words]] = []
    # If every field were in plain view, all would be told as those are.
    gain = sum(
        group.usually(ease) * (plain.right / plain.total - counts.right / counts.total)
        for ease in Ease
        if (counts := group.part(ease)).total
    )
    if gain >= _WORTH:
        found.append((gain, _another_side(group, decimal(100 * gain))))
    missed = (plain.wrong + plain.open) / plain.total
    if missed >= _WORTH:
        shade = min((min(p for p in camera.darkest if p >= 0) for camera in rehearsal.conditions.cameras
                     if max(camera.darkest, default=-1.0) >= 0), default=255.0)  # fmt: skip
        share = decimal(100 * missed)
        if shade < DARK_PAPER:
            words = say(
                "A lamp more, on the side that lies in the shade: {share} % of the fields in plain view were not "
                "told right, and the paper there has a brightness of {shade} of 255.",
                share=share, shade=round(shade),
            )  # fmt: skip
        else:
            words = say(
                "A camera nearer to the board or with a larger picture: {share} % of the fields in plain view were "
                "not told right, and it is bright enough.",
                share=share,
            )  # fmt: skip
        found.append((missed, words))
    return tuple(words for _, words in sorted(found, key=lambda each: -each[0]))


def _another_side(group: Group, points: Words | str) -> Words:
    """Return which eyes more would show what is hidden, or flat from where all eyes are. points: what that costs."""
    if group.views:
        return say(
            "One side more with the phone, about 45° above the table: fields that no view shows well cost "
            "{points} %.",
            points=points,
        )
    if len(group.cameras) > 2:
        return say(
            "A phone in the hand, where the referee asks for a look: fields that no camera shows well cost "
            "{points} %.",
            points=points,
        )
    return say(
        "A camera on one side more, 55 to 65° above the table, or a phone in the hand where the referee asks for a "
        "look: fields that no camera shows well cost {points} %.",
        points=points,
    )
