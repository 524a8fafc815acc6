"""Judge the turn as one player's: rules broken at sight, and what is searched with which rules lifted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from referee.games.torres import ruleset
from referee.games.torres.colours import KnightColour
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.search.acts import TurnSearch
from referee.games.torres.search.blocks import BlockGraph, BlockSearch
from referee.games.torres.search.effort import SearchEffort
from referee.games.torres.search.reach import Reach
from referee.games.torres.search.task import Plan, TorresScene, TurnTask

_BLOCK_RULES: ruleset.Lifted = frozenset(
    {
        ruleset.BUILD_SUPPLY,
        ruleset.BUILD_HEIGHT,
        ruleset.BUILD_NEW,
        ruleset.BUILD_JOIN,
        ruleset.BUILD_OCCUPIED,
        ruleset.BLOCKS_FIXED,
        *(ruleset.CARD_RULE[kind] for kind in ruleset.BLOCK_KINDS),
    }
)


@dataclass(frozen=True, slots=True)
class Found:
    """A task that some sequence of acts fulfils, and that sequence."""

    task: TurnTask
    plan: Plan


@dataclass
class Suspect:
    """Judges the turn as one player's. effort: shared by all searches of a ruling."""

    position: TorresPosition
    scene: TorresScene
    player: KnightColour
    declared: Declared
    effort: SearchEffort
    _graphs: dict[object, BlockGraph] = field(default_factory=dict)
    _reaches: dict[object, Reach] = field(default_factory=dict)

    @property
    def order(self) -> ruleset.Lifted:
        """Return ``turn.order`` unless it is the player's turn."""
        return frozenset() if self.player == self.position.to_move else frozenset({ruleset.TURN_ORDER})

    @cached_property
    def forced(self) -> ruleset.Lifted:
        """Return the rules that the boards or the declaration alone show broken."""
        foreign = self.scene.foreign(self.player)
        task = self.task(frozenset(), ())
        found = set(self.order) | self._forced_cards()
        if task.vanished or task.appeared:
            found.add(ruleset.KNIGHT_SUPPLY)
        if foreign.knights.gone or foreign.knights.come:
            found.add(ruleset.KNIGHT_OWN)
        if foreign.king.gone or foreign.king.come:
            found.add(ruleset.KING_STILL)
        if self.scene.fallen > 1:
            found.add(ruleset.BLOCKS_FIXED)
        return frozenset(found)

    def _forced_cards(self) -> ruleset.Lifted:
        declared, hand = self.declared, self.position.cards[self.player]
        found = set()
        if declared.bought > self.position.rules.most_bought:
            found.add(ruleset.CARD_BUY)
        if declared.card is not None:
            if hand.held + declared.bought == 0 or self.position.played_out(self.player, declared.card):
                found.add(ruleset.CARD_HELD)
            if hand.held == 0 and declared.bought:
                found.add(ruleset.CARD_FRESH)
        return frozenset(found)

    def _can_hold(self, kind: str, cards: int, lifted: ruleset.Lifted) -> bool:
        """Return whether a kind can be played undeclared. cards: how many are played in all."""
        held, bought = self.position.cards[self.player].held, self.declared.bought
        if ruleset.CARD_HELD not in lifted and (self.position.played_out(self.player, kind) or held + bought < cards):
            return False
        return held >= cards or not bought or ruleset.CARD_FRESH in lifted

    def task(self, lifted: ruleset.Lifted, cards: tuple[str, ...]) -> TurnTask:
        """Return a task for the player."""
        stacks = self.position.stacks[self.player]
        own = self.player == self.position.to_move
        return TurnTask(
            scene=self.scene,
            player=self.player,
            lifted=lifted,
            cards=cards,
            declared=self.declared.card,
            limit=(self.declared.stack if own else None) or max(stacks, default=0),
            total=sum(stacks),
            spent=self.declared.spent,
        )

    def tasks(self, lifted: ruleset.Lifted) -> Iterator[TurnTask]:
        """Yield all tasks one of which must be fulfilled, with just some rules lifted, to explain the turn."""
        declared = self.declared.card
        known = () if declared is None else (declared,)
        if ruleset.CARD_DECLARED not in lifted:
            yield self.task(lifted, known)
            return
        both = ruleset.CARD_ONE in lifted and declared is not None
        for kind in ruleset.KINDS:
            if kind != declared and self._can_hold(kind, 1 + both, lifted):
                yield self.task(lifted, (*known, kind) if both else (kind,))

    def search(self, task: TurnTask) -> TurnSearch | None:
        """Return the search for a task; ``None`` where blocks can't have come to lie so."""
        graph = self._graph(task)
        if graph.start < 0:
            return None
        cards = tuple(kind for kind in task.cards if kind not in ruleset.BLOCK_KINDS)
        key = (id(graph), cards, task.room, task.lifted - _BLOCK_RULES)
        reach = self._reaches.get(key)
        if reach is None:
            reach = self._reaches[key] = Reach(task, *graph.range())
        return TurnSearch(task, graph, reach, self.effort)

    def _graph(self, task: TurnTask) -> BlockGraph:
        kinds = frozenset(task.cards) & ruleset.BLOCK_KINDS
        key = (task.lifted & _BLOCK_RULES, kinds)
        graph = self._graphs.get(key)
        if graph is None:
            graph = self._graphs[key] = BlockSearch(task, self.effort).graph()
        return graph

    def legal(self) -> Plan | None:
        """Return a cheapest legal sequence of acts; ``None`` where there is none, or none was found."""
        if self.forced:
            return None
        (task,) = self.tasks(frozenset())
        search = self.search(task)
        return search.cheapest() if search is not None else None

    def explain(self, lifted: ruleset.Lifted) -> Found | None:
        """Return a task that can be fulfilled with just some rules lifted, and how."""
        for task in self.tasks(lifted):
            found = self.try_task(task)
            if found is not None:
                return found
        return None

    def try_task(self, task: TurnTask) -> Found | None:
        """Return how a task can be fulfilled."""
        search = self.search(task)
        plan = search.some() if search is not None else None
        return None if plan is None else Found(task, plan)
