"""The rules: a turn turns one to three cups mouth down, none is turned back, and who turns the last one wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cups.observation import DOWN, UP, Row, place

from referee.games.contract import Act, Citation, Progress, RequestError, RuleId, Rules, Ruling, Seat, Violation
from referee.values.belief import Prior
from referee.values.board import Field
from referee.values.choices import Choice, Choices, Edition
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.kit import Kit
from referee.values.players import Player, PlayerName
from referee.values.words import say, say_n

NAME, CUPS, MOST = "last-cup", 6, 3
PLAYERS = (PlayerName("red"), PlayerName("blue"))
SIDES = ("south", "north")
COUNT, BACK, SETUP = RuleId("cups.count"), RuleId("cups.back"), RuleId("cups.setup")
KIT = Kit(kind="cups", columns=CUPS, rows=1, stone=say("cup"), stones=say("cups"), block="none", tallest=1)


ALL_UP = Row(UP * CUPS)


@dataclass(frozen=True, slots=True)
class Position:
    """row: as it stands. to_move: whose turn it is. turn: its number. out: who has given up."""

    row: Row = ALL_UP
    to_move: PlayerName = PLAYERS[0]
    turn: int = 1
    out: frozenset[PlayerName] = frozenset()

    @property
    def observed(self) -> Row:
        """Return the row on the table."""
        return self.row

    @property
    def winners(self) -> tuple[PlayerName, ...]:
        """Return who turned the last cup, or did not give up."""
        if self.out:
            return tuple(player for player in PLAYERS if player not in self.out)
        return () if UP in self.row.text else (_other(self.to_move),)

    @property
    def finished(self) -> bool:
        """Return whether somebody has won."""
        return bool(self.winners)

    def to_json(self) -> dict[str, object]:
        """Return the position as formats write it."""
        said = {"game": NAME, "row": self.row.text, "to_move": self.to_move.word, "turn": self.turn}
        return said | ({"out": sorted(player.word for player in self.out)} if self.out else {})


class LastCup(Rules[Position, Row, Prior]):
    """The rules engine."""

    name = NAME
    title = "Last Cup"
    kit = KIT

    def player(self, word: object) -> PlayerName:
        """Return the player a word names. Raises RequestError."""
        found = next((player for player in PLAYERS if player.word == word), None)
        if found is None:
            raise RequestError("players", f"{str(word)[:40]!r} does not play this: use red or blue")
        return found

    def position(self, data: object) -> Position:
        """Validate a position's JSON form."""
        if not isinstance(data, Mapping) or set(data) - {"game", "row", "to_move", "turn", "out"}:
            raise RequestError("position", "position must be an object with row, to_move and turn")
        if data.get("game", NAME) != NAME:
            raise RequestError("game", f"{str(data['game'])[:40]!r} is another game: use {NAME}")
        if "row" not in data:
            raise RequestError("row", f"position has no row: {UP * CUPS} is the first one")
        turn = data.get("turn", 1)
        if type(turn) is not int or turn < 1:
            raise RequestError("turn", "turn is a number from 1")
        gone = data.get("out", [])
        if not isinstance(gone, list):
            raise RequestError("out", "out is a list of players")
        out = frozenset(self.player(word) for word in gone)
        to_move = self.player(data.get("to_move", PLAYERS[0].word))
        return Position(self.observation(data["row"]), to_move, turn, out)

    def observation(self, text: object) -> Row:
        """Return a row from its text. Raises RequestError."""
        try:
            return Row.parse(text, CUPS)
        except ValueError as error:
            raise RequestError("row", str(error)) from error

    def form(self, position: Position) -> Form | None:
        """Return no form: everything is seen, so nothing is declared."""
        return None

    def check(
        self, position: Position, observed: Row, frames: Sequence[Row] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        """Rule on the turn that led from the position to the observed row."""
        if position.finished:
            raise RequestError("finished", "the game is over: begin another")
        turned, back = _turned(position.row, observed, UP), _turned(position.row, observed, DOWN)
        violations = tuple(_broken(turned, back))
        acts = tuple(Act("turn", (cup,), text=f"-{cup.name}") for cup in turned)
        turn = {"player": position.to_move.word, "turned": len(turned)}
        if violations:
            return Ruling(False, violations, (), acts, turn, None)
        after = replace(position, row=observed, to_move=_other(position.to_move), turn=position.turn + 1)
        return Ruling(True, (), (), acts, turn, after, after.winners, after.finished)

    # Before and beside the turns

    def choices(self) -> Choices:
        """Return the choices: two players, opposite each other."""
        places = tuple(Choice(side, say(side.capitalize()), say("A side of the table.")) for side in SIDES)
        only = Choice("plain", say("The game"), say("Six cups."))
        return Choices(NAME, self.title, places, PLAYERS, (Edition(only, ((2, ((),)),)),), (), ())

    def new_game(self, choice: Mapping[str, object]) -> Position:
        """Return the position before the first turn; red begins."""
        return Position()

    def infer_setup(self, said: Mapping[str, object], observed: Row) -> Position:
        """Return the position a game is set up from."""
        return Position()

    def setup_differences(self, position: Position, observed: Row) -> tuple[Violation, ...]:
        """Return every cup that stands otherwise than agreed."""
        wrong = [_field(n) for n, sign in enumerate(observed.text) if sign != position.row.text[n]]
        return tuple(Violation(SETUP, (cup,), say("{at} stands the other way.", at=cup)) for cup in wrong)

    def start_from_setup(self, position: Position, observed: Row) -> Position:
        """Return the position in which the game begins, with the row as it stands."""
        return replace(position, row=observed)

    def accepted(self, position: Position, observed: Row, declared: Declared = NOTHING_DECLARED) -> Position:
        """Return the position after a turn that both players let stand."""
        return replace(position, row=observed, to_move=_other(position.to_move), turn=position.turn + 1)

    def passed(self, position: Position) -> Position:
        """Return the position after a turn in which nothing happened."""
        return self.accepted(position, position.row)

    def corrected(self, position: Position, changes: Mapping[str, object]) -> Position:
        """Return the position with some keys changed by hand."""
        return self.position(position.to_json() | dict(changes))

    def resigned(self, position: Position, out: frozenset[Player]) -> Position:
        """Return the position once somebody has given up."""
        return replace(position, out=frozenset(self.player(player.word) for player in out))

    # For the page

    def seats(self, position: Position) -> tuple[Seat, ...]:
        """Return the players in playing order."""
        return tuple(Seat(player, (side,), ()) for player, side in zip(PLAYERS, SIDES, strict=True))

    def prior_after(self, position: Position) -> Prior:
        """Return nothing that this kind's reader would use."""
        return Prior(frozenset(), 0)

    def initial_prior(self, said: Mapping[str, object], shape: tuple[int, int]) -> Prior:
        """Return nothing that this kind's reader would use."""
        return Prior(frozenset(), 0)

    def citation(self, position: Position, rule: RuleId) -> Citation:
        """Return where a rule is written: the sheet is one line."""
        return Citation(self.title, "The turn")

    def progress(self, position: Position, seen: Sequence[Row]) -> tuple[Progress, ...]:
        """Return how many cups have been turned by now."""
        turned = len(_turned(position.row, seen[-1], UP)) if seen else 0
        return (Progress("turned", say("turned"), turned, MOST),) if seen else ()


def _other(player: PlayerName) -> PlayerName:
    return PLAYERS[1 - PLAYERS.index(player)]


def _field(number: int) -> Field:
    return Field.from_name(place(number))


def _turned(before: Row, after: Row, stood: str) -> list[Field]:
    """Return the cups that stood one way and now stand the other."""
    pairs = enumerate(zip(before.text, after.text, strict=True))
    return [_field(number) for number, (one, other) in pairs if one == stood and other != stood]


def _broken(turned: list[Field], back: list[Field]) -> Iterator[Violation]:
    if back:
        yield Violation(BACK, tuple(back), say("A cup that was turned stays as it is."))
    if not turned:
        yield Violation(COUNT, (), say("At least one cup is turned."))
    if len(turned) > MOST:
        words = say_n("At most {n} cup is turned.", "At most {n} cups are turned.", MOST)
        yield Violation(COUNT, tuple(turned), words)


GAME = LastCup()
