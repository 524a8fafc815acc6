"""Answer as the game what the referee asks: positions, rulings, set-up, players and what the reader may expect."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.answers import Explained
from referee.games.contract import (
    Citation,
    Counter,
    Explains,
    GoalStep,
    InfersSetup,
    RequestError,
    RuleId,
    Rules,
    Ruling,
    Seat,
    StoneTrack,
    TellsLegal,
    TellsWhy,
    Violation,
    WeighsTurns,
)
from referee.games.terra_turrium.colours import Colour, parse_board
from referee.games.terra_turrium.geometry import FIELDS, TERRITORIES, bits
from referee.games.terra_turrium.kit import KIT
from referee.games.terra_turrium.outcome import following, towers
from referee.games.terra_turrium.position import beginning
from referee.games.terra_turrium.position import progress as underway
from referee.games.terra_turrium.position.inferred_setup import infer_setup
from referee.games.terra_turrium.position.initial_prior import initial_prior
from referee.games.terra_turrium.position.other_seats import other_seats
from referee.games.terra_turrium.position.parsing import GAME_NAME, check_colours, parse_position
from referee.games.terra_turrium.position.position import TerraPosition, flag_masks, grids
from referee.games.terra_turrium.position.setup import differences
from referee.games.terra_turrium.ruleset import ATTACKS, FLAGS_EACH, TURN_PHASE
from referee.games.terra_turrium.search import by_hand as hands
from referee.games.terra_turrium.search.breaches import Explanation, Scene
from referee.games.terra_turrium.search.frames import StillBoard
from referee.games.terra_turrium.search.phases import OutOfPhase, watched
from referee.games.terra_turrium.search.walk import BudgetSpentError
from referee.games.terra_turrium.text import messages
from referee.games.terra_turrium.text.explained import explained
from referee.games.terra_turrium.text.report import acts_of, turn_json
from referee.games.terra_turrium.verdict import illegal, legal
from referee.games.terra_turrium.weighing.turns import weigh
from referee.values.belief import Prior
from referee.values.board import Board, BoardError
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.words import Words, board_words


class TerraTurrium(
    Rules[TerraPosition, Board, Prior],
    WeighsTurns[TerraPosition],
    TellsLegal[TerraPosition, Board],
    InfersSetup[TerraPosition, Board],
    TellsWhy[TerraPosition],
    Explains[TerraPosition],
):
    """The rules engine."""

    name = GAME_NAME
    title = "Terra Turrium"
    kit = KIT

    def player(self, word: object) -> Colour:
        """Return the player a word names. Raises RequestError for any other."""
        try:
            return Colour.from_word(word)
        except BoardError as error:
            raise RequestError("players", board_words(error)) from None

    def form(self, position: TerraPosition) -> Form | None:
        """Return ``None``: everything a player does is seen, nothing is declared."""
        return None

    position = staticmethod(parse_position)
    infer_setup = staticmethod(infer_setup)
    setup_differences = staticmethod(differences)

    def observation(self, text: object) -> Board:
        """Parse board text. Raises RequestError, naming the row."""
        try:
            return parse_board(text)
        except BoardError as error:
            raise RequestError("board", board_words(error)) from error

    def check(
        self,
        position: TerraPosition,
        observed: Board,
        frames: Sequence[Board] = (),
        declared: Declared = NOTHING_DECLARED,
    ) -> Ruling:
        """Rule on the turn that led from the position to the observed board.

        Boards seen during the turn choose the explanation and can show that the phases were not kept (phases.py).
        """
        _check_asked(position, declared)
        if any(frame.heights.shape != position.board.heights.shape for frame in frames):
            raise RequestError("board", "frames: the board has ten rows of ten fields")
        scene = _scene(position, observed)
        player = position.to_move
        try:
            explanation = legal(position, scene)
        except BudgetSpentError:
            return illegal(position, scene, cut_short=True)
        if explanation is None:
            return illegal(position, scene)
        if frames:
            found = watched(scene, explanation, [StillBoard.of(frame) for frame in frames])
            if isinstance(found, OutOfPhase):
                return _too_early(position, explanation, found)
            explanation = found
        after = following(position, scene, explanation, observed)
        return Ruling(
            legal=True,
            violations=(),
            alternatives=(),
            acts=acts_of(explanation),
            turn=turn_json(explanation, player),
            next=after,
            winners=after.winners,
            finished=after.finished,
        )

    weigh = staticmethod(weigh)

    def is_legal(self, position: TerraPosition, observed: Board, declared: Declared) -> bool:
        """Return whether the turn is legal, without a search for the rules that it broke."""
        _check_asked(position, declared)
        try:
            return legal(position, _scene(position, observed)) is not None
        except BudgetSpentError:
            return False

    def seats(self, position: TerraPosition) -> tuple[Seat, ...]:
        """Return the players in playing order with their counters, for the page."""
        return tuple(_seat(position, player) for player in position.players)

    def prior_after(self, position: TerraPosition) -> Prior:
        """Return what the reader may expect to see after a turn from this position."""
        tracks = []
        for player in position.players:
            made = position.attacks[player]
            place = made + 1 if made < ATTACKS else 0
            tracks.append((TERRITORIES[position.seats.index(player)], place))
        return Prior(
            colours=frozenset(position.players),
            flags_each=FLAGS_EACH,
            previous=position.board,
            outside=frozenset(FIELDS[i] for i in bits(position.rules.outside)),
            tracks=tuple(tracks),
        )

    initial_prior = staticmethod(initial_prior)
    start_from_setup = staticmethod(hands.start_from_setup)
    other_setup = staticmethod(other_seats)

    def accepted(
        self, position: TerraPosition, observed: Board, declared: Declared = NOTHING_DECLARED
    ) -> TerraPosition:
        """Return the position after a turn that all players let stand."""
        return hands.accepted(position, observed)

    corrected = staticmethod(hands.corrected)
    resigned = staticmethod(hands.resigned)
    passed = staticmethod(hands.passed)
    choices = staticmethod(beginning.choices)
    new_game = staticmethod(beginning.new_game)

    def citation(self, position: TerraPosition, rule: RuleId) -> Citation:
        """Return where a rule is written in the sheet of the position's edition."""
        return beginning.citation(position.rules, rule)

    def explained(self, position: TerraPosition) -> Explained:
        """Return the game for who does not know it."""
        return explained(position.rules)

    def why_over(self, position: TerraPosition) -> Words | None:
        """Return what has won the game."""
        return messages.goal_reached(position.rules) if position.winners else None

    progress = staticmethod(underway.progress)


def _check_asked(position: TerraPosition, declared: Declared) -> None:
    """Raise RequestError for a turn on which there is no ruling."""
    if position.finished:
        raise RequestError("finished", messages.FINISHED)
    if declared:
        raise RequestError("declared", "declared: everything is seen in this game: leave declared out")


def _scene(position: TerraPosition, observed: Board) -> Scene:
    if observed.heights.shape != position.board.heights.shape:
        raise RequestError("board", "observed: the board has ten rows of ten fields")
    heights, _ = position.grids
    after, flags_after = grids(observed)
    masks = flag_masks(flags_after)
    check_colours(masks, position.players, "observed")
    return Scene(position.rules, heights, after, position.flag_masks, masks)


def _too_early(position: TerraPosition, explanation: Explanation, found: OutOfPhase) -> Ruling:
    """Rule on a turn whose phases were not kept; the explanation is of its end only, and doesn't show the order."""
    player = position.to_move
    words = messages.out_of_phase(player, found.flags, found.early, found.late, position.rules)
    fields = tuple(FIELDS[i] for i in dict.fromkeys((*found.early, *found.late)))
    return Ruling(
        legal=False,
        violations=(Violation(TURN_PHASE, fields, words),),
        alternatives=(),
        acts=acts_of(explanation),
        turn=turn_json(explanation, player),
        next=None,
        winners=position.winners,
    )


def _seat(position: TerraPosition, player: Colour) -> Seat:
    heights, _ = position.grids
    stand = towers(heights, position.flag_masks[player])
    goal = position.rules.goal
    return Seat(
        colour=player,
        places=tuple(t for t, c in zip(TERRITORIES, position.seats, strict=True) if c == player),
        counters=_counters(position, player),
        goal=messages.goal_words([h for h in goal if h in stand], goal),
        steps=tuple(GoalStep(str(h), h in stand) for h in goal),
    )


def _counters(position: TerraPosition, player: Colour) -> tuple[Counter, ...]:
    rules, made = position.rules, position.attacks[player]
    counters = [
        Counter(
            "attacks", messages.ATTACKS_MADE, made, ATTACKS, StoneTrack(ATTACKS, made + 1 if made < ATTACKS else 0)
        ),
        Counter("in_hand", messages.IN_HAND, position.in_hand[player], FLAGS_EACH),
    ]
    if rules.reserves:
        counters.append(Counter("reserve", messages.IN_RESERVE, position.reserve[player], rules.cubes))
    if rules.opening is not None and position.captures_open:
        counters.append(Counter("captures_left", messages.CAPTURES_LEFT, position.captures_left[player], rules.quota))
    return tuple(counters)


GAME = TerraTurrium()
