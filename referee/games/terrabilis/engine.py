"""Answer as the game what the referee asks: positions, rulings, set-up, players and what the reader may expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.games.answers import Explained
from referee.games.contract import (
    Banking,
    Citation,
    Counter,
    DoubtsFirst,
    Explains,
    GoalStep,
    HasCopies,
    HasDetails,
    LiesOnMat,
    Offer,
    OwnActs,
    Progress,
    RequestError,
    RuleId,
    Rules,
    Ruling,
    Seat,
    TellsWhy,
)
from referee.games.terrabilis import judgement
from referee.games.terrabilis.banker import own
from referee.games.terrabilis.banker.asking import Audience
from referee.games.terrabilis.banker.reminders import standing, why_over
from referee.games.terrabilis.banker.underway import under_way
from referee.games.terrabilis.banker.view import accounts_view, bookings_view, lacking_words, ledger_view
from referee.games.terrabilis.banker.ways import ways_view
from referee.games.terrabilis.copy import editing
from referee.games.terrabilis.copy.files import example
from referee.games.terrabilis.copy.sheet import sheet_view
from referee.games.terrabilis.declared.seen import LedgerSeen, country_named, parse_seen
from referee.games.terrabilis.kit import KIT
from referee.games.terrabilis.mat import MAT_PARTS, of_this_game
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position import beginning, by_hand
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.position.reading import parse_whole_position
from referee.games.terrabilis.ruleset import GAME_NAME, MOST_LOANS
from referee.games.terrabilis.text.citations import citation
from referee.games.terrabilis.text.copywords import ACCOUNT_NAMES
from referee.games.terrabilis.text.explained import explained
from referee.games.terrabilis.text.form import FORM
from referee.games.terrabilis.verdict import judge
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.matparts import MatPart
from referee.values.players import NO_NAMES, Names
from referee.values.words import Words, say


@dataclass(frozen=True, slots=True)
class LedgerPrior:
    """What the reader may expect of a ledger game. previous: as it was before the turn. spaces: of the track."""

    players: tuple[Country, ...]
    spaces: int | None
    previous: LedgerSeen | None = None


class Terrabilis(
    Rules[TerrabilisPosition, LedgerSeen, LedgerPrior],
    HasDetails,
    DoubtsFirst[TerrabilisPosition, LedgerSeen],
    LiesOnMat[TerrabilisPosition, LedgerSeen],
    HasCopies[TerrabilisPosition],
    Banking[TerrabilisPosition, LedgerSeen],
    OwnActs[TerrabilisPosition],
    TellsWhy[TerrabilisPosition],
    Explains[TerrabilisPosition],
):
    """The rules engine."""

    name = GAME_NAME
    title = beginning.TITLE
    kit = KIT

    player = staticmethod(country_named)

    def form(self, position: TerrabilisPosition) -> Form | None:
        """Return what may be declared of the turn: every act, in turn notation."""
        return FORM

    position = staticmethod(parse_whole_position)
    observation = staticmethod(parse_seen)
    infer_setup = staticmethod(beginning.infer_setup)
    setup_differences = staticmethod(beginning.differences)

    def check(
        self,
        position: TerrabilisPosition,
        observed: LedgerSeen,
        frames: Sequence[LedgerSeen] = (),
        declared: Declared = NOTHING_DECLARED,
    ) -> Ruling:
        """Rule on a turn by what was declared and what was seen after it; what was seen during it says nothing."""
        case = judgement.case_of(position, observed, declared)
        return judgement.ruling(case, judge(case))

    def lacking(self, position: TerrabilisPosition, declared: Declared) -> tuple[Words, ...]:
        """Say what is still to be done in a turn before it may end; nothing where an act could not be made at all."""
        return lacking_words(under_way(judgement.case_of(position, _BLIND, declared)))

    def insisted(
        self, position: TerrabilisPosition, observed: LedgerSeen, declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        """Rule on a turn of which the players say that all was done as declared."""
        case = judgement.case_of(position, observed, declared)
        return judgement.ruling(case, judge(case, insisted=True), insisted=True)

    def seats(self, position: TerrabilisPosition) -> tuple[Seat, ...]:
        """Return the players in playing order with their counters, for the page."""
        return tuple(_seat(position, player) for player in position.players)

    def prior_after(self, position: TerrabilisPosition) -> LedgerPrior:
        """Return what the reader may expect to see after a turn from this position."""
        return LedgerPrior(position.remaining, len(position.data.track), position.observed)

    def initial_prior(self, said: Mapping[str, object], shape: tuple[int, int]) -> LedgerPrior:
        """Return what the reader may expect where no position is known: anybody may play."""
        return LedgerPrior(tuple(Country), None)

    def start_from_setup(self, position: TerrabilisPosition, observed: LedgerSeen) -> TerrabilisPosition:
        """Return the position with which a game begins: the ledger knows it, whatever is seen."""
        return position

    def accepted(
        self, position: TerrabilisPosition, observed: LedgerSeen, declared: Declared = NOTHING_DECLARED
    ) -> TerrabilisPosition:
        """Return the position after a turn that all players let stand; book the entries of what was declared."""
        return judgement.accepted(position, observed, declared)

    corrected = staticmethod(by_hand.corrected)
    resigned = staticmethod(by_hand.resigned)
    passed = staticmethod(by_hand.passed)
    choices = staticmethod(beginning.choices)
    new_game = staticmethod(beginning.new_game)

    def citation(self, position: TerrabilisPosition, rule: RuleId) -> Citation:
        """Return where a rule is written in the French sheet."""
        return citation(rule)

    def explained(self, position: TerrabilisPosition) -> Explained:
        """Return the game for who does not know it."""
        return explained(position.target)

    why_over = staticmethod(why_over)

    def progress(self, position: TerrabilisPosition, seen: Sequence[LedgerSeen]) -> tuple[Progress, ...]:
        """Return nothing: how far a turn has come is declared, not seen."""
        return ()

    laid_out = staticmethod(of_this_game)

    def mat_parts(self) -> tuple[MatPart, ...]:
        """Return what of the mat is shown to the cameras once."""
        return MAT_PARTS

    def ledger(
        self,
        position: TerrabilisPosition,
        declared: Declared,
        language: str = "en",
        seen: LedgerSeen | None = None,
        names: Names = NO_NAMES,
    ) -> dict[str, object]:
        """Return what the page of the banker shows of the turn under way, JSON-able. seen: what lies there now."""
        audience = Audience(language, names)
        idle: dict[str, object] = {"lap": position.lap, "accounts": accounts_view(position, audience), "options": []}
        if position.finished:
            return idle
        try:
            dice = None if seen is None else seen.dice
            return ledger_view(judgement.case_of(position, _BLIND, declared), audience, dice)
        except RequestError as error:
            anew = {"id": "anew", "kind": "undo", "group": "", "amounts": [], "declared": {}}
            words = audience.told(say("Declare this turn anew"))
            return idle | {"blocked": audience.told(error.words), "options": [anew | {"name": words}], "groups": []}

    def bookings(self, turn: Mapping[str, object], language: str = "en") -> list[dict[str, object]]:
        """Return the changes of accounts that a ruled turn brought, for their history."""
        return bookings_view(turn, Audience(language, NO_NAMES))

    def ways(
        self,
        position: TerrabilisPosition,
        declared: Declared,
        offers: Sequence[Offer],
        language: str = "en",
        names: Names = NO_NAMES,
    ) -> list[dict[str, object]]:
        """Return the changed declarations with which all agrees, and counts to be left out, as buttons."""
        kept = {key: said for key, said in declared.items() if key != judgement.ACTS}
        return ways_view(judgement.case_of(position, _BLIND, declared), kept, offers, Audience(language, names))

    def details(self, answer: Mapping[str, object]) -> judgement.LedgerDetails | None:
        """Read the title that a ruling on a win told."""
        title = answer.get("title")
        return judgement.LedgerDetails(None if title is None else str(title)) if "title" in answer else None

    def new_copy(self, name: str) -> dict[str, object]:
        """Return the data of a copy of which nothing was entered yet."""
        return editing.normal(editing.blank(name))[0]

    def checked_copy(self, data: object) -> tuple[str, dict[str, object]]:
        """Return the name and the data of a copy as a file keeps them. Raises RequestError, naming the key."""
        normal, copy = editing.normal(data)
        return copy.name, normal

    def copy_view(self, data: Mapping[str, object], language: str = "en") -> dict[str, object]:
        """Return the data of a copy as the page's form shows them."""
        return sheet_view(dict(data), language)

    def changed_copy(
        self, data: Mapping[str, object], part: str, row: str, values: Mapping[str, object] | None
    ) -> tuple[dict[str, object], str]:
        """Return the data with one row changed, and the row's id. Raises RequestError, saying what to do."""
        return editing.with_row(dict(data), part, row, values)

    def invented_copy(self, position: TerrabilisPosition) -> Words | None:
        """Return a warning where the copy is the invented one that comes along."""
        return _INVENTED if position.data == example() else None

    declarers = staticmethod(own.declarers)


_BLIND = LedgerSeen(None, {}, {}, {})
_INVENTED = say("The cards are invented, not those of your copy.")
_CARDS = say("infrastructures")
_LOANS = say("open loans")
_ALLIANCE = say("Alliance")
_NO_LOAN = say("no loan")


def _seat(position: TerrabilisPosition, player: Country) -> Seat:
    line, state = position.ledger[player], standing(position, player)
    counters = [
        Counter(name, words, value, max(1, *(getattr(other, name) for other in position.ledger.values())))
        for (name, words), value in zip(
            ACCOUNT_NAMES.items(), (line.money, line.energy, line.green, line.yellow), strict=True
        )
    ]
    counters.append(Counter("installed", _CARDS, len(line.installed), position.target))
    counters.append(Counter("loans", _LOANS, len(line.open_loans), MOST_LOANS))
    return Seat(
        colour=player,
        places=(beginning.seat_place(position, player),),
        counters=tuple(counters),
        goal=None if line.out else _goal(state.missing),
        steps=(
            GoalStep(f"{state.cards}/{state.target}", state.cards >= state.target),
            GoalStep(_ALLIANCE, state.member),
            GoalStep(_NO_LOAN, not state.open_loans),
        ),
    )


def _goal(missing: tuple[Words, ...]) -> Words:
    return say("Missing: {parts}", parts=missing) if missing else say("All there is to a win")


GAME = Terrabilis()
"""The engine, which has no state."""
