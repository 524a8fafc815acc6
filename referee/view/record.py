"""Views of the game so far: every entry of the record, disputes, the result, and how the cameras saw it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.match.events import AnyGame, CameraNote, Resolution, Verdict, names
from referee.match.questions import question_of
from referee.match.state import Entry, EntryStatus, TableState, What
from referee.values.words import Words, WordsError, say
from referee.view.asked import pictures_view, violations_view
from referee.view.banking import bookings_view
from referee.view.banner import ViewState, banner
from referee.view.board import act_view
from referee.view.mended import mended_words
from referee.view.telling import account_of, account_view

_VERDICTS: Mapping[Verdict, Words] = {
    Verdict.LEGAL: say("legal"),
    Verdict.ILLEGAL: say("not legal"),
    Verdict.UNSURE: say("can’t tell"),
}
_FATES: Mapping[EntryStatus, Words | None] = {
    EntryStatus.OPEN: None,
    EntryStatus.STANDS: None,
    EntryStatus.ACCEPTED: say("accepted by agreement"),
    EntryStatus.TAKEN_BACK: say("taken back"),
    EntryStatus.REPLACED: say("ruled on again"),
    EntryStatus.WITHDRAWN: say("withdrawn: read wrongly"),
    EntryStatus.UNDONE: say("undone"),
    EntryStatus.FOUND_LATE: say("found late, it stands"),
}
_WHATS: Mapping[What, Words] = {
    What.TURN: say("turn"),
    What.CORRECTION: say("position corrected by hand"),
    What.PASSED: say("passed over"),
    What.RESIGNED: say("gave up"),
    What.ENDED: say("game ended by agreement"),
}
_GRADES: Mapping[str, Words] = {
    "good": say("Fit for refereeing"),
    "warning": say("Fit for refereeing, with warnings"),
    "bad": say("Not fit for refereeing"),
}
"""The verdicts of referee.certificate, which nothing here may know."""
_OUTCOMES: Mapping[Resolution, Words] = {
    Resolution.STANDS: say("the ruling stands"),
    Resolution.CHANGED: say("the turn was changed"),
    Resolution.WITHDRAWN: say("the dispute was withdrawn"),
}


class EntryViews:
    """Caches the views of entries: a record of hundreds changes in its last few lines. Safe for several threads."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, int], tuple[Entry, bool, ViewState]] = {}

    def of(self, game: AnyGame, state: TableState, language: str) -> list[ViewState]:
        """Return the whole record, the same objects for what is unchanged."""
        open_disputes = {dispute.entry for dispute in state.disputes if dispute.outcome is None}
        found = []
        for entry in state.history:
            key, disputed = (language, entry.id), entry.id in open_disputes
            made = self._made.get(key)
            if made is None or made[0] is not entry or made[1] != disputed:
                made = self._made[key] = (entry, disputed, entry_view(game, state, entry, language))
            found.append(made[2])
        return found


def entry_view(game: AnyGame, state: TableState, entry: Entry, language: str) -> ViewState:
    """Return one entry of the record."""
    ruled = entry.ruled
    ruling = ruled.ruling if ruled is not None else None
    fate = mended_words(entry) or _FATES[entry.fate]
    asked = question_of(entry, game) is not None
    broken = ruling.violations if ruling is not None and not asked else ()
    told = _VERDICTS[ruled.verdict] if ruled is not None else _WHATS[entry.what]
    if asked:  # nobody is accused before the question is answered
        told = say("asked")
    return {
        "entry": entry.id,
        "what": entry.what.value,
        "turn": entry.turn,
        "player": entry.player.word,
        "verdict": (Verdict.UNSURE if asked else ruled.verdict).value if ruled is not None else None,
        "words": told.text(language),
        "fate": entry.fate.value,
        "fate_words": fate.text(language) if fate else "",
        "counts": entry.counts,
        "time_ms": entry.time_ms,
        "by": entry.by,
        "by_hand": entry.by_hand,
        "text": " ".join(act.text for act in ruling.acts) if ruling else "",
        "acts": [act_view(act) for act in ruling.acts] if ruling else [],
        "rules": [violation.rule for violation in broken],
        "violations": violations_view(game, entry.before, broken, language, state.players),
        "account": account_view(account_of(game, entry), language),
        "before": entry.before.observed.text,
        "after": _after(entry),
        "open": names(sorted(entry.open)),
        "retold": entry.retold > 0,
        "sightless": [words.text(language) for words in entry.sightless],
        "pictures": pictures_view(entry),
        "bookings": bookings_view(game, entry, language),
        "disputed": any(d.entry == entry.id and d.outcome is None for d in state.disputes),
    }


def _after(entry: Entry) -> str:
    """Return the board text the entry led to, or the one it was ruled on."""
    if entry.after is not None:
        return str(entry.after.observed.text)
    return entry.ruled.observed if entry.ruled is not None else str(entry.before.observed.text)


def disputes_view(state: TableState, language: str) -> list[ViewState]:
    """Return all disputes, the oldest first."""
    return [
        {
            "dispute": dispute.id,
            "entry": dispute.entry,
            "by": dispute.by,
            "words": dispute.words,
            "open": dispute.outcome is None,
            "outcome": dispute.outcome.value if dispute.outcome else None,
            "outcome_words": _OUTCOMES[dispute.outcome].text(language) if dispute.outcome else "",
            "settled_by": dispute.settled_by,
            "settled_words": dispute.settled_words,
        }
        for dispute in state.disputes
    ]


def result_view(game: AnyGame, state: TableState, why: Words | None, language: str) -> ViewState | None:
    """Return how the game came out, ``None`` while it is played. why: what decided it."""
    if not (state.result or state.position.finished):
        return None
    winners = state.result.winners if state.result else state.position.winners
    said = banner(game, state, why=why).to_json(language)
    return {
        "how": state.result.how.value if state.result else "rules",
        "by": state.result.by if state.result else "",
        "winners": [colour.word for colour in winners],
        "words": f"{said['headline']}. {said['detail']}",
    }


def note_words(note: CameraNote) -> tuple[bool, Words]:
    """Return whether a camera saw the board in the newest reading, and its problem as a sentence."""
    lost = note.reprojection_px is None
    if note.problem is not None:
        return False, note.problem
    return not lost, say("can’t see the frame around the board") if lost else say("sees the board")


def camera_view(name: str, ok: bool, words: Words, language: str, held: bool = False) -> ViewState:
    """Return one camera. held: whether it is in a hand."""
    return {"name": name, "ok": ok, "words": words.text(language), "held": held}


def certificate_view(certificate: Mapping[str, object] | None, language: str) -> ViewState | None:
    """Return the newest check before play, ``None`` where there was none: its verdict and each of its checks."""
    if certificate is None:
        return None
    verdict = _GRADES.get(str(certificate.get("verdict")))
    cameras = certificate.get("cameras", [])
    return {key: str(certificate.get(key, "")) for key in ("verdict", "table", "made_at")} | {
        "verdict_words": verdict.text(language) if verdict else "",
        "checks": _checks_view(certificate.get("checks"), language),
        "cameras": [
            {"name": str(camera.get("name", "")), "checks": _checks_view(camera.get("checks"), language)}
            for camera in (cameras if isinstance(cameras, list) else [])
            if isinstance(camera, Mapping)
        ],
    }


def _checks_view(checks: object, language: str) -> list[ViewState]:
    """Return checks as a certificate's file has them; those that can't be read are left out."""
    told: list[ViewState] = []
    for check in checks if isinstance(checks, list) else []:
        try:
            words = {key: Words.from_json(check[key]).text(language) for key in ("what", "value")}
            advice = Words.from_json(check["advice"]).text(language) if check.get("advice") else ""
        except (AttributeError, KeyError, TypeError, WordsError):
            continue
        told.append({**words, "grade": str(check.get("grade")), "advice": advice})
    return told
