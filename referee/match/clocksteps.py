"""The steps of the game clock, and of orders, from one state of a table to the next."""

from __future__ import annotations

from dataclasses import replace

from referee.match.events import ArbiterOrdered, ClockLaidAside, ClockMoved, TimeGiven, TimeTaken
from referee.match.state import Ordered, TableError, TableState

TIME_PENALTY = "time_penalty"
MOST_ORDERED = 100
"""Orders of arbiters that a state keeps; the journal has all."""


def clock_moved(state: TableState, moved: TableState, event: ClockMoved) -> TableState:
    """Take the clock as it is noted. Raises TableError."""
    if state.clock is None or event.clock.control != state.clock.control:
        raise TableError("this game is played without that clock")
    return replace(moved, clock=event.clock)


def time_given(state: TableState, moved: TableState, event: TimeGiven) -> TableState:
    """Give a player more time. Raises TableError."""
    if state.clock is None or state.clock.aside:
        raise TableError("no clock runs in this game")
    return replace(moved, clock=state.clock.given(event.player, event.ms))


def time_taken(state: TableState, moved: TableState, event: TimeTaken) -> TableState:
    """Take time from a player. Raises TableError."""
    if state.clock is None or state.clock.aside or event.player not in state.clock.left_ms:
        raise TableError("no clock counts this player's time")
    told = moved.orders.told
    if told and told[-1].act == TIME_PENALTY and not told[-1].taken_ms:
        told = (*told[:-1], replace(told[-1], player=event.player, taken_ms=event.ms))
    clock = state.clock.taken(event.player, event.ms)
    orders = replace(moved.orders, told=told, penalties=state.orders.penalties + 1)
    return replace(moved, clock=clock, orders=orders)


def ordered(state: TableState, moved: TableState, event: ArbiterOrdered) -> TableState:
    """Note an arbiter's order, each but once. Raises TableError."""
    if event.number <= state.orders.newest.get(event.desk, 0):
        raise TableError("an order that was carried out already, or is older than one that was")
    told = Ordered(event.by, event.act, event.words, event.entry, state.position.turn, state.rulings)
    newest, all_told = {**state.orders.newest, event.desk: event.number}, (*state.orders.told, told)
    return replace(moved, orders=replace(state.orders, newest=newest, told=all_told[-MOST_ORDERED:]))


def laid_aside(state: TableState, moved: TableState, event: ClockLaidAside) -> TableState:
    """Go on without the clock. Raises TableError."""
    if state.clock is None or state.clock.aside:
        raise TableError("no clock runs in this game")
    return replace(moved, clock=state.clock.laid_aside())
