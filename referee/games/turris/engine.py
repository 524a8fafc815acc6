"""Answer as the game what the referee asks: positions, rulings, set-up, players and what the reader may expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.answers import Explained
from referee.games.contract import (
    Act,
    Citation,
    Counter,
    Explains,
    Observation,
    Progress,
    RequestError,
    RuleId,
    Rules,
    Ruling,
    Seat,
    TellsWhy,
    TurnsOn,
    Violation,
)
from referee.games.turris import beginning, by_hand, complaints, declaring
from referee.games.turris.bars import BARS_EACH, COLOURS, BarColour
from referee.games.turris.breaches import violations_of
from referee.games.turris.cells import field_of
from referee.games.turris.completions import PartialTower, parse_reading, reading_of
from referee.games.turris.declaring import DeclaredAct
from referee.games.turris.explained import EXPLAINED
from referee.games.turris.following import acts_of, following
from referee.games.turris.kit import KIT
from referee.games.turris.paragraphs import SHEET, paragraph
from referee.games.turris.parsing import parse_colour, parse_position
from referee.games.turris.placing import fills_centre
from referee.games.turris.position import GAME_NAME, TurrisPosition
from referee.games.turris.ruleset import in_order
from referee.games.turris.scoring import PICTURES, ROOF, scores_of, total
from referee.games.turris.verdict import TurnVerdict, judge
from referee.kinds.tower.observation import TowerPrior
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.words import Words, say, say_n

_PICTURES: Mapping[str, Words] = {
    "south": say("front"),
    "east": say("right"),
    "north": say("back"),
    "west": say("left"),
    "roof": say("roof"),
}


class Turris(
    Rules[TurrisPosition, Observation, TowerPrior],
    TurnsOn[TurrisPosition],
    TellsWhy[TurrisPosition],
    Explains[TurrisPosition],
):
    """The rules engine."""

    name = GAME_NAME
    title = beginning.TITLE
    kit = KIT

    def player(self, word: object) -> BarColour:
        """Return the player a word names."""
        return parse_colour(word, "players")

    position = staticmethod(parse_position)

    def observation(self, text: object) -> PartialTower:
        """Parse what was read of a tower."""
        return parse_reading(text)

    def form(self, position: TurrisPosition) -> Form:
        """Return the form for the bars of the turn, to be declared where what is seen leaves several."""
        return declaring.form()

    def check(
        self,
        position: TurrisPosition,
        observed: Observation,
        frames: Sequence[Observation] = (),
        declared: Declared = NOTHING_DECLARED,
    ) -> Ruling:
        """Rule on the turn that led from the position to the tower observed.

        Towers seen during the turn add nothing: the one at its end and the rules tell its acts.
        """
        if position.finished:
            raise RequestError("finished", complaints.finished())
        return ruling_of(position, judge(position, reading_of(observed), declaring.parse_declared(declared)))

    def seats(self, position: TurrisPosition) -> tuple[Seat, ...]:
        """Return the players in playing order: bars left, and at the end what every side and the roof give."""
        scores = scores_of(position.tower, position.rules.recessed)
        return tuple(
            Seat(
                colour=player,
                places=tuple(side for side, who in position.seats.items() if who is player),
                counters=_counters(position, player, {score.picture: score.points for score in scores[player]}),
                goal=say_n("{n} square now", "{n} squares now", total(scores[player])),
            )
            for player in COLOURS
        )

    def prior_after(self, position: TurrisPosition) -> TowerPrior:
        """Return what the reader may expect to see after a turn from this position."""
        return TowerPrior(position.tower.text)

    def initial_prior(self, said: Mapping[str, object], shape: tuple[int, int]) -> TowerPrior:
        """Return what the reader may expect where no position is known."""
        return TowerPrior()

    def setup_differences(self, position: TurrisPosition, observed: Observation) -> tuple[Violation, ...]:
        """Return what stands on the base, which is empty at the start."""
        return by_hand.differences(observed)

    def infer_setup(self, said: Mapping[str, object], observed: Observation) -> TurrisPosition:
        """Return the position a game is set up from."""
        return beginning.infer_setup(said)

    start_from_setup = staticmethod(by_hand.start_from_setup)

    def accepted(
        self, position: TurrisPosition, observed: Observation, declared: Declared = NOTHING_DECLARED
    ) -> TurrisPosition:
        """Return the position after a turn that all players let stand."""
        return by_hand.accepted(position, observed)

    corrected = staticmethod(by_hand.corrected)
    resigned = staticmethod(by_hand.resigned)
    passed = staticmethod(by_hand.passed)
    choices = staticmethod(beginning.choices)
    new_game = staticmethod(beginning.new_game)

    def citation(self, position: TurrisPosition, rule: RuleId) -> Citation:
        """Return where a rule is written in the sheet."""
        return Citation(SHEET, paragraph(rule))

    def turns_on(self, position: TurrisPosition, ruling: Ruling) -> bool:
        """Return whether the last act earned a bonus.

        That is a bar laid into the centre, the first of the turn or in a chain.
        """
        after = ruling.next
        if not ruling.acts or not isinstance(after, TurrisPosition):
            return False
        last = declaring.parse_act(ruling.acts[-1].text)
        chained = len(ruling.acts) == 1 or position.rules.chain
        return last.lay and chained and fills_centre(position.rules, after.tower, last.place)

    def explained(self, position: TurrisPosition) -> Explained:
        """Return the game for who does not know it."""
        return EXPLAINED

    def why_over(self, position: TurrisPosition) -> Words | None:
        """Say how many squares count for each player, the most first."""
        scores = scores_of(position.tower, position.rules.recessed)
        ranked = sorted(((total(each), who) for who, each in scores.items()), key=lambda item: -item[0])
        squares = tuple(say("{who} {n}", who=who, n=n) for n, who in ranked)
        return say("Squares that count: {squares}.", squares=squares)

    def progress(self, position: TurrisPosition, seen: Sequence[Observation]) -> tuple[Progress, ...]:
        """Return how many bars the tower has more than before, by its filled squares."""
        if not seen:
            return ()
        more = max(0, len(reading_of(seen[-1]).letters) - position.tower.filled.bit_count())
        return (Progress("laid", say("laid"), (more + 1) // 2),)


def ruling_of(position: TurrisPosition, verdict: TurnVerdict) -> Ruling:
    """Return a verdict as other rooms get it."""
    scene, state = verdict.scene, verdict.state
    acts = acts_of(scene, state) if scene is not None and state is not None else ()
    player = scene.player if scene is not None else position.to_move
    after = following(scene.position, acts, scene) if verdict.legal and scene is not None else None
    return Ruling(
        legal=verdict.legal,
        violations=violations_of(position, verdict),
        alternatives=tuple(in_order(broken) for broken in verdict.sets[1:]),
        acts=tuple(map(act_of, acts)),
        turn=_turn_json(player, acts) if verdict.complete else None,
        next=after,
        winners=after.winners if after is not None else (),
        finished=after.finished if after is not None else False,
        complete=verdict.complete,
        doubtful=frozenset(in_order(verdict.doubtful)),
    )


def act_of(act: DeclaredAct) -> Act:
    """Return an act as the page draws it: a bar built onto the tower, or taken from it."""
    return Act("build" if act.lay else "take", tuple(map(field_of, act.place.cells)), text=act.text)


def _turn_json(player: BarColour, acts: tuple[DeclaredAct, ...]) -> dict[str, object]:
    return {"player": player.word, "acts": [act.to_json() for act in acts], "bonus": len(acts) > 1}


def _counters(position: TurrisPosition, player: BarColour, points: Mapping[str, int]) -> tuple[Counter, ...]:
    found = [Counter("left", say("bars left"), position.left[player], BARS_EACH)]
    if position.finished:
        on_face = 3 * position.tower.levels
        found += [Counter(name, _PICTURES[name], points[name], 9 if name == ROOF else on_face) for name in PICTURES]
    return tuple(found)


GAME = Turris()
