"""Answer as the game what the referee asks: positions, rulings, set-up, players and what the reader may expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.answers import Explained, Question
from referee.games.contract import (
    Accounts,
    AsksBefore,
    Citation,
    Counter,
    Explains,
    HasDetails,
    Progress,
    Prompts,
    RequestError,
    RuleId,
    Rules,
    Ruling,
    Seat,
    StoneTrack,
    TellsWhy,
    Violation,
)
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KING, PIECE_LETTERS, KnightColour
from referee.games.torres.judgement import judge
from referee.games.torres.kit import KIT
from referee.games.torres.outcome.details import TorresDetails
from referee.games.torres.position import beginning, by_hand
from referee.games.torres.position import progress as underway
from referee.games.torres.position.parsing import (
    check_pieces,
    colour,
    parse_board,
    parse_declared,
    parse_players,
    parse_position,
)
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import BLOCKS, GAME_NAME, KNIGHTS_EACH
from referee.games.torres.text import messages, prompts
from referee.games.torres.text.explained import EXPLAINED
from referee.games.torres.text.form import form
from referee.values.belief import Habits, Prior
from referee.values.board import Board, BoardError
from referee.values.declaring import NOTHING_DECLARED, Declared
from referee.values.words import Words, board_words

_TURNS = Habits(rises=(0.955, 0.03, 0.008, 0.002), falls=0.003, still_nats=5.0, most_fields=13)
"""A turn builds two or three blocks on 64 fields, now and then two or three on one stack; hardly one does nothing.
Six knights that all step, and one block more, are 13 fields."""
_KING_CODE = PIECE_LETTERS.index(KING) + 1


class Torres(
    Rules[TorresPosition, Board, Prior],
    HasDetails,
    AsksBefore[TorresPosition],
    Prompts[TorresPosition],
    Accounts[TorresPosition],
    TellsWhy[TorresPosition],
    Explains[TorresPosition],
):
    """The rules engine."""

    name = GAME_NAME
    title = beginning.TITLE
    kit = KIT

    def player(self, word: object) -> KnightColour:
        """Return the player a word names. Raises RequestError for any other."""
        return colour(word, "players")

    form = staticmethod(form)
    position = staticmethod(parse_position)

    def observation(self, text: object) -> Board:
        """Parse board text. Raises RequestError, naming the row."""
        return parse_board(text, "board").shared

    def infer_setup(self, said: Mapping[str, object], observed: Board) -> TorresPosition:
        """Return the position a game is set up from; who plays is seen by the knights where it is not said."""
        return beginning.infer_setup(said, _own(observed))

    def setup_differences(self, position: TorresPosition, observed: Board) -> tuple[Violation, ...]:
        """Return how an observed board differs from a set-up."""
        return by_hand.differences(position, _own(observed))

    def check(
        self,
        position: TorresPosition,
        observed: Board,
        frames: Sequence[Board] = (),
        declared: Declared = NOTHING_DECLARED,
    ) -> Ruling:
        """Rule on the turn, or the step of another stage, that led from the position to the observed board.

        Boards seen during the turn say nothing more: acts come in any order.
        """
        if position.finished:
            raise RequestError("finished", messages.FINISHED)
        board = _own(observed)
        check_pieces(board, position.players, "observed")
        return judge(position, board, parse_declared(dict(declared), position))

    def seats(self, position: TorresPosition) -> tuple[Seat, ...]:
        """Return the players in playing order with their counters, for the page."""
        return tuple(_seat(position, player) for player in position.players)

    def prior_after(self, position: TorresPosition) -> Prior:
        """Return what the reader may expect to see after a turn from this position."""
        blocks = sum(position.board.heights)
        more = max(position.stacks[position.to_move], default=0) + 1 if position.stage == "play" else 1
        return Prior(
            colours=_codes(position.players),
            flags_each=KNIGHTS_EACH,
            previous=position.observed,
            cubes=frozenset(range(blocks, min(BLOCKS, blocks + more) + 1)),
            habits=_TURNS if position.stage == "play" else None,
        )

    def initial_prior(self, said: Mapping[str, object], shape: tuple[int, int]) -> Prior:
        """Return what the reader may expect where at most the players are said."""
        players = parse_players(said["players"]) if "players" in said else tuple(KnightColour)
        return Prior(colours=_codes(players), flags_each=KNIGHTS_EACH)

    def start_from_setup(self, position: TorresPosition, observed: Board) -> TorresPosition:
        """Return the position with which a game begins whose set-up is seen."""
        return by_hand.start_from_setup(position, _own(observed))

    def accepted(
        self, position: TorresPosition, observed: Board, declared: Declared = NOTHING_DECLARED
    ) -> TorresPosition:
        """Return the position after a turn that all players let stand."""
        return by_hand.accepted(position, _own(observed), parse_declared(dict(declared), position))

    corrected = staticmethod(by_hand.corrected)
    resigned = staticmethod(by_hand.resigned)
    passed = staticmethod(by_hand.passed)
    choices = staticmethod(beginning.choices)
    new_game = staticmethod(beginning.new_game)

    def citation(self, position: TorresPosition, rule: RuleId) -> Citation:
        """Return where a rule is written in the sheet."""
        return beginning.citation(rule)

    def progress(self, position: TorresPosition, seen: Sequence[Board]) -> tuple[Progress, ...]:
        """Return how far the turn under way has come."""
        return underway.progress(position, [_own(board) for board in seen])

    prompt = staticmethod(prompts.prompt)

    def explained(self, position: TorresPosition) -> Explained:
        """Return the game for who does not know it."""
        return EXPLAINED

    def why_over(self, position: TorresPosition) -> Words | None:
        """Say the points at the end."""
        return None if position.sole_winner is not None else prompts.final_points(position)

    def question(self, position: TorresPosition, ruling: Ruling, declared: Declared) -> Question | None:
        """Ask which card explains a turn before it is called illegal."""
        return prompts.question(ruling, declared)

    def details(self, answer: Mapping[str, object]) -> TorresDetails | None:
        """Read what a ruling told beside the contract."""
        return TorresDetails.from_json(answer)

    account = staticmethod(prompts.account)


def _own(board: Board) -> TorresBoard:
    try:
        return TorresBoard.of(board)
    except BoardError as error:
        raise RequestError("board", board_words(error)) from error


def _codes(players: Sequence[KnightColour]) -> frozenset[int]:
    return frozenset({_KING_CODE, *(player.code for player in players)})


def _seat(position: TorresPosition, player: KnightColour) -> Seat:
    hand = position.cards[player]
    on_board = position.board.knights(player).bit_count()
    stacks = position.stacks[player]
    score = position.score[player]
    counters = (
        Counter("score", messages.SCORE, score, 0, StoneTrack(KIT.ring, score % KIT.ring, ring=True)),
        Counter("knights", messages.KNIGHTS_IN_HAND, KNIGHTS_EACH - on_board, KNIGHTS_EACH),
        Counter("held", messages.CARDS_HELD, hand.held, 0),
    )
    return Seat(colour=player, places=(), counters=counters, goal=messages.seat_words(stacks, hand))


GAME = Torres()
"""The engine, which has no state."""
