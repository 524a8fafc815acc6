"""The rules a second time, for turns nobody watched: written straight down from the rules, with nothing in common.

``after`` plays a turn on the plain JSON of a position and returns the position after it, or raises BreachError.
"""

from __future__ import annotations

import copy as copies
from fractions import Fraction
from typing import Any

Json = dict[str, Any]
START = {"pawn": 0, "hand": 3, "installed": [], "member": False, "loans": [], "poured": 0, "out": False}
DEFAULTS = {"turn": 1, "lap": 1, "target": 12, "options": {}, "discard": [], "finished": False, "winners": []}


class BreachError(Exception):
    """Some rule is broken."""


def after(position: Json, copy: Json, acts: list[Json]) -> Json:
    return _Table(position, copy, acts).play()


def quiet(act: Json) -> bool:
    """Return whether an act changes nothing."""
    return act.get("join") is False


class _Table:
    def __init__(self, position: Json, copy: Json, acts: list[Json]) -> None:
        self.p: Json = copies.deepcopy(DEFAULTS | position)
        self.copy, self.acts = copy, acts
        self.track = copy["track"]
        self.cards = {card["id"]: card for card in copy["infrastructures"]}
        self.hazards = {card["id"]: card for card in copy["hazards"]}
        self.options = self.p["options"]
        for name in ("zone", "lost"):
            self.p[name] = {"green": 0, "yellow": 0} | self.p.get(name, {})
        given = self.p.get("ledger", {})
        self.p["ledger"] = {
            who: copies.deepcopy(START | copy["countries"][who] | given.get(who, {})) for who in self.p["players"]
        }
        self.me = self.p["to_move"]
        self.broke: set[str] = set()
        self.used_acts: set[int] = set()
        self.rolled = self.again = self.open_to_join = False
        self.space, self.done = "", {"draw": 0, "use": 0, "hazard": 0, "quiz": 0}

    def line(self, who: str) -> Json:
        return self.p["ledger"][who]

    def by(self, act: Json) -> str:
        return act.get("by", self.me)

    def round_from(self, who: str) -> list[str]:
        players = self.p["players"]
        at = players.index(who)
        return [w for w in players[at:] + players[:at] if not self.line(w)["out"]]

    def demand(self, holds: bool) -> None:
        if not holds:
            raise BreachError

    def play(self) -> Json:
        for number, act in enumerate(self.acts):
            if number in self.used_acts or quiet(act) or "choose" in act or "order" in act:
                continue
            if "roll" in act:
                if self.roll(number, act):
                    return self.end()
            elif not self.on_space(act):
                self.at_any_time(act)
            if self.over():
                self.check_cut_short(number)
                return self.end()
        self.demand(self.rolled and not self.again)
        if not self.line(self.me)["out"]:
            self.demand(self.space != "develop" or self.done["use"] == 1)
            self.demand(self.space != "hazard" or self.done["hazard"] == 1)
            self.demand(self.line(self.me)["hand"] == 3)
        self.all_used()
        return self.end()

    def all_used(self, before: int = 10**6) -> None:
        waiting = {n for n, act in enumerate(self.acts) if "choose" in act or "order" in act}
        self.demand({n for n in waiting if n < before} <= self.used_acts)

    def check_cut_short(self, number: int) -> None:
        """Check a turn that ended the game: what was declared before had to be of use.

        That does not hold where the turn was to go on.
        """
        open_space = (self.space == "develop" and not self.done["use"]) or (
            self.space == "hazard" and not self.done["hazard"]
        )
        if self.rolled and not self.again and not open_space:
            self.all_used(number)
            self.demand(self.line(self.me)["hand"] == 3 or self.line(self.me)["out"])

    def roll(self, number: int, act: Json) -> bool:
        """Move; returns whether the lap ended."""
        self.demand(self.by(act) == self.me and (not self.rolled or self.again))
        self.rolled, self.again = True, False
        place = self.line(self.me)["pawn"] + sum(act["roll"])
        if place >= len(self.track):
            self.lap([act for act in self.acts[number + 1 :] if not quiet(act)])
            return True
        self.line(self.me)["pawn"] = place
        self.space, self.done = self.track[place], dict.fromkeys(self.done, 0)
        self.loans_after(number)
        self.again = self.reach(self.space)
        self.open_to_join = self.space == "alliance" and not self.again
        return False

    def once(self, space: str, act: Json, what: str) -> None:
        """Demand that an act is made on its space, by the player whose turn it is, and for the first time."""
        self.demand(self.space == space and self.by(act) == self.me)
        self.demand(self.done[what] == 0 and (what != "use" or self.done["draw"] == 1))
        self.done[what] += 1

    def on_space(self, act: Json) -> bool:
        who = self.by(act)
        if "draw" in act:
            self.once("develop", act, "draw")
        elif "install" in act:
            self.once("develop", act, "use")
            self.install(act["install"])
        elif "discard" in act:
            self.once("develop", act, "use")
            self.p["discard"].append(act["discard"])
        elif "hazard" in act:
            self.once("hazard", act, "hazard")
            self.hazard(self.hazards[act["hazard"]])
        elif "join" in act:
            line = self.line(who)
            self.demand(self.open_to_join and not line["member"] and not line["out"])
            self.pay(who, 5000 if who == self.me else 10000)
            line["member"] = True
        elif "quiz" in act:
            self.once("quiz", act, "quiz")
            if act["right"]:
                prizes = {"normal": (2, 3000), "expert": (3, 5000)}[act["quiz"]]
                self.line(who)[act["prize"]] += prizes[act["prize"] == "money"]
        else:
            self.demand(not act.get("abandon"))
            return False
        return True

    def at_any_time(self, act: Json) -> None:
        who = self.by(act)
        line = self.line(who)
        if "loan" in act:
            self.demand(self.may_borrow(who))
            self.borrow(who)
        elif "repay" in act:
            still = [loan for loan in line["loans"] if loan.get("repaid") is None]
            self.demand(bool(still))
            still[0]["repaid"] = self.p["lap"]
            self.pay(who, 22000)
        elif "count" in act and not line["out"]:
            self.demand(all(line[name] == n for name, n in act["count"].items()))

    def may_borrow(self, who: str) -> bool:
        loans = self.line(who)["loans"]
        waits = self.options.get("loan_open") == "one" and any(loan.get("repaid") is None for loan in loans)
        return len(loans) < 2 and not waits and not self.line(who)["out"]

    def borrow(self, who: str) -> None:
        self.line(who)["loans"].append({"lap": self.p["lap"], "repaid": None})
        self.line(who)["money"] += 20000

    def loans_after(self, number: int) -> None:
        for later in range(number + 1, len(self.acts)):
            act = self.acts[later]
            if "loan" in act:
                self.at_any_time(act)
                self.used_acts.add(later)
            elif "choose" not in act and "order" not in act:
                break

    def pay(self, who: str, money: int, energy: int = 0) -> None:
        line = self.line(who)
        self.demand(line["money"] >= money and line["energy"] >= energy)
        line["money"] -= money
        line["energy"] -= energy

    def duty(self, who: str, money: int, energy: int = 0) -> None:
        line = self.line(who)
        if self.options.get("cannot_pay") != "out":
            while line["money"] < money and self.may_borrow(who):
                self.borrow(who)
        if line["money"] < money or line["energy"] < energy:
            self.broke.add(who)
        line["money"] -= min(money, line["money"])
        line["energy"] -= min(energy, line["energy"])

    def chosen(self, who: str, allowed: tuple[str, ...]) -> str:
        for number, act in enumerate(self.acts):
            if "choose" in act and self.by(act) == who and number not in self.used_acts:
                self.used_acts.add(number)
                self.demand(act["choose"] in allowed)
                return str(act["choose"])
        raise BreachError

    def pour(self, who: str, green: int, yellow: int) -> None:
        line = self.line(who)
        counters = ["green"] * min(green, line["green"]) + ["yellow"] * min(yellow, line["yellow"])
        if len(set(counters)) == 2:
            counters = self.ordered(who, counters)
        for colour in counters:
            line[colour] -= 1
            line["poured"] += 1
            self.lay(colour)

    def ordered(self, who: str, counters: list[str]) -> list[str]:
        for number, act in enumerate(self.acts):
            if "order" in act and self.by(act) == who and number not in self.used_acts:
                self.used_acts.add(number)
                order = [{"g": "green", "y": "yellow"}[letter] for letter in act["order"]]
                self.demand(sorted(order) == sorted(counters))
                return order
        return counters

    def take(self, who: str, colour: str, number: int) -> None:
        taken = min(number, self.p["zone"][colour])
        self.p["zone"][colour] -= taken
        self.line(who)[colour] += taken
        self.line(who)["poured"] -= taken

    def move_counters(self, who: str, green: int, yellow: int) -> None:
        for colour, number in (("green", green), ("yellow", yellow)):
            self.take(who, colour, max(0, number))
        self.pour(who, max(0, -green), max(0, -yellow))

    def install(self, ident: str) -> None:
        card = self.cards[ident]
        self.pay(self.me, card["price"], card["energy_cost"])
        self.line(self.me)["energy"] += 10 * (card["kind"] == "energy")
        self.move_counters(self.me, card["green"], card["yellow"])
        self.line(self.me)["installed"].append(ident)

    def hazard(self, card: Json) -> None:
        for entry in card.get("entries", []):
            for who in self.round_from(self.me):
                if entry["who"] == "all" or (entry["who"] == "self") == (who == self.me):
                    money, energy = entry.get("money", 0), entry.get("energy", 0)
                    self.line(who)["money"] += max(0, money)
                    self.line(who)["energy"] += max(0, energy)
                    self.duty(who, max(0, -money), max(0, -energy))
                    self.move_counters(who, entry.get("green", 0), entry.get("yellow", 0))

    def factor(self, space: str, who: str, money: int) -> int:
        product = Fraction(money)
        if self.line(who)["member"]:
            for modifier in self.copy["alliance"]["modifiers"]:
                product *= Fraction(str(modifier["factor"])) if modifier["space"] == space else 1
        return int(product)

    def reach(self, space: str) -> bool:
        """Carry out a space; returns whether the dice must be rolled again."""
        member = self.line(self.me)["member"]
        others = self.round_from(self.me)[1:]
        if space == "co2" and member:
            tax = sum(self.cards[ident]["co2"] for ident in self.line(self.me)["installed"])
            self.duty(self.me, self.factor("co2", self.me, tax))
        elif space == "catastrophe":
            self.pour(self.me, 1, 1)
            self.duty(self.me, self.factor(space, self.me, 3000))
            for who in others:
                colour = self.chosen(who, ("green", "yellow"))
                self.pour(who, colour == "green", colour == "yellow")
                self.duty(who, self.factor(space, who, 2000))
        elif space == "conflict" and not member:
            self.pour(self.me, 1, 2)
            self.duty(self.me, 5000)
            for who in others:
                if not self.line(who)["member"]:
                    colour = self.chosen(who, ("green", "yellow"))
                    self.pour(who, colour == "green", colour == "yellow")
        elif space == "crisis":
            way = self.chosen(self.me, ("energy", "money"))
            self.duty(
                self.me, self.factor(space, self.me, 5000) if way == "money" else 0, 3 if way == "energy" else 0
            )
        return (space in ("alliance", "conflict") and member) or (space == "co2" and not member)

    def lap(self, rest: list[Json]) -> None:
        for who in self.round_from(self.me):
            self.line(who)["pawn"] = 0
        self.demand(all({"abandon", "loan", "repay", "count", "choose", "order"} & set(act) for act in rest))
        self.abandon([(self.by(act), ident) for act in rest for ident in act.get("abandon", [])])
        counts = [act for act in rest if "count" in act]
        if self.options.get("loan_due") == "before-income":
            self.book([act for act in rest if "loan" in act or "repay" in act])
            self.incomes_and_births()
            self.book(counts)
        else:
            self.incomes_and_births()
            self.book([act for act in rest if {"loan", "repay", "count"} & set(act)])
        for who in self.round_from(self.me):
            if any(loan.get("repaid") is None and loan["lap"] < self.p["lap"] for loan in self.line(who)["loans"]):
                self.leave(who)
        self.p["lap"] += 1
        self.all_used()
        if self.options.get("out_when") != "instant":  # then a win comes before those who are out by the same act
            self.find_winner()
        if not self.over_by_loss():
            self.find_winner()

    def abandon(self, cards: list[tuple[str, str]]) -> None:
        for who, ident in cards:
            self.demand(ident in self.line(who)["installed"])
            self.line(who)["installed"].remove(ident)
            self.p["discard"].append(ident)

    def book(self, acts: list[Json]) -> None:
        for act in acts:
            self.at_any_time(act)

    def incomes_and_births(self) -> None:
        for who in self.round_from(self.me):
            for card in [self.cards[ident] for ident in self.line(who)["installed"]]:
                self.line(who)["money"] += card["income"]
                self.line(who)["energy"] += card["energy_income"] if "renewable" in card["tags"] else 0
        self.lay("yellow")
        self.lay("yellow")

    def lay(self, colour: str) -> None:
        zone = self.p["zone"]
        if zone["green"] + zone["yellow"] == 10:
            for each in ("green", "yellow"):
                self.p["lost"][each] += zone[each]
                zone[each] = 0
        zone[colour] += 1

    def leave(self, who: str) -> None:
        line = self.line(who)
        self.p["discard"] += line["installed"]
        line.update(out=True, installed=[], money=0, energy=0, green=0, yellow=0, hand=0)

    def over_by_loss(self) -> bool:
        gone = sum(line["out"] for line in self.p["ledger"].values())
        self.p["finished"] = self.p["finished"] or gone >= min(2, len(self.p["players"]) - 1)
        return bool(self.p["finished"])

    def used_up(self) -> None:
        strict = self.options.get("cannot_pay") == "out"
        gone = [
            who
            for who in self.p["players"]
            if not self.line(who)["out"]
            and (not self.line(who)["green"] or not self.line(who)["yellow"] or (strict and who in self.broke))
        ]
        for who in gone:
            self.leave(who)

    def find_winner(self) -> None:
        order = self.p["players"]
        at = order.index(self.me)
        for who in order[at + 1 :] + order[: at + 1]:
            line = self.line(who)
            free = all(loan.get("repaid") is not None for loan in line["loans"])
            if not line["out"] and line["member"] and free and len(line["installed"]) >= self.p["target"]:
                self.p.update(finished=True, winners=[who])
                return

    def over(self) -> bool:
        if self.options.get("out_when") == "instant":
            self.used_up()
            if self.over_by_loss():
                return True
        self.find_winner()
        return bool(self.p["finished"])

    def end(self) -> Json:
        if not self.p["finished"]:
            self.used_up()
            self.over_by_loss()
        if not self.p["finished"]:
            self.p["to_move"] = next(who for who in self.round_from(self.me) if who != self.me)
        self.p["turn"] += 1
        for line in self.p["ledger"].values():
            line["loans"] = [{"lap": loan["lap"], "repaid": loan.get("repaid")} for loan in line["loans"]]
        return self.p
