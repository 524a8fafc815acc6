"""What is filled in on a page goes along with the turn, whichever door its end comes through, or is asked about."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.buttonbox.box import box_in, needs_compiler, until
from tests.web.bank import Bank
from tests.web.browser import needs_browser, open_page
from tests.web.filling import BLUE, filled_in

pytestmark = needs_browser
BUY = "[data-key=bought-more]"
SUMMARY = "#declaration summary"


@needs_compiler
def test_the_button_of_the_box_takes_along_what_was_filled_in(tmp_path: Path) -> None:
    with filled_in(tmp_path) as (table, parts), box_in(tmp_path) as box, open_page() as page:
        table.plugged(box, parts)
        table.open(page)
        page.click(BUY)
        page.click(BUY)
        table.declared(bought=2)
        box.press(BLUE)
        table.bought(2)


def test_a_second_touch_counts_before_the_page_has_heard_of_the_first(tmp_path: Path) -> None:
    with filled_in(tmp_path) as (table, _), open_page() as page:
        table.open(page)
        with table.line.unheard():
            for touches in (1, 2):
                with page.expect_response("**/api/commands/enter?*"):
                    page.click(BUY)
                expect(page.locator(SUMMARY)).to_contain_text(f"Cards bought: {touches}")
        table.declared(bought=2)


def test_two_tablets_fill_in_one_form(tmp_path: Path) -> None:
    with filled_in(tmp_path) as (table, _), open_page() as one, open_page() as other:
        table.open(one, "Window")
        table.open(other, "Door")
        one.click(BUY)
        other.click("[data-key=points-more]")
        for page in (one, other):
            expect(page.locator(SUMMARY)).to_contain_text(
                "Cards bought: 1; Action points spent on the score track: 1"
            )
        other.click("[data-act=turn_ended]")
        table.bought(1)
        assert table.loop.state.position.to_json()["score"]["blue"] == 1
        expect(one.locator(SUMMARY)).to_contain_text("nothing declared")


def test_neither_a_reload_nor_a_restart_loses_it(tmp_path: Path) -> None:
    with open_page() as page:
        with filled_in(tmp_path) as (table, _):
            table.open(page)
            page.click(BUY)
            table.declared(bought=1)
            page.reload()
            expect(page.locator(SUMMARY)).to_contain_text("Cards bought: 1")
        with filled_in(tmp_path) as (table, _):
            table.declared(bought=1)
            assert table.hosting.commands.command("turn_ended", {}, "button 1").accepted
            table.bought(1)


def test_what_comes_too_late_for_its_turn_is_told(tmp_path: Path) -> None:
    with filled_in(tmp_path) as (table, _), open_page() as page:
        table.open(page)
        held: list[Route] = []
        page.route("**/api/commands/enter?*", lambda route: held.append(route))
        page.click(BUY)
        until(lambda: (page.wait_for_timeout(10), held)[1])
        assert table.hosting.commands.command("turn_ended", {}, "button 1").accepted
        table.bought(0)
        held[0].continue_()
        expect(page.locator("#toast")).to_contain_text("“Cards bought: 1” does not count. That turn is over.")
        assert dict(table.loop.state.turn.declared) == {}  # nothing falls to the player whose turn it is now


FOLDING = """async () => {
    const { folding, html } = await import("/static/dom.js");
    const noted = [];
    const whole = folding({}, false, (now) => noted.push(now), html("summary", {}, "More"));
    document.body.append(whole);
    whole.firstChild.click();
    const atOnce = [...noted, whole.open];
    whole.firstChild.click();
    whole.remove();
    return [...atOnce, ...noted];
}"""


def test_while_the_referee_is_away_it_is_kept_and_goes_along_when_it_is_back(tmp_path: Path) -> None:
    with filled_in(tmp_path) as (table, _), open_page() as page:
        table.open(page)
        assert page.evaluate(FOLDING) == [True, True, True, False]  # noted before any redraw
        page.route("**/api/commands/enter?*", lambda route: route.abort())
        page.click(BUY)
        page.click("[data-act=turn_ended]")  # not without what was filled in
        expect(page.locator("#toast")).to_contain_text("No answer from the referee")
        assert not table.loop.state.history
        expect(page.locator(SUMMARY)).to_contain_text("Cards bought: 1")
        page.unroute("**/api/commands/enter?*")
        table.declared(bought=1)
        page.click("[data-key=declare]")  # folded away
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(" ")
        table.bought(1)


def test_a_device_of_one_player_fills_in_nothing_for_another(tmp_path: Path) -> None:
    with filled_in(tmp_path) as (table, _), open_page() as page:
        table.open(page, "Phone", "orange")
        expect(page.locator("#declaration")).to_contain_text("This device declares for Orange only.")
        expect(page.locator(BUY)).to_have_count(0)


def test_a_card_that_nobody_declared_is_asked_for_and_nobody_accused(tmp_path: Path) -> None:
    castles = "00001k000/{}/{}/10000000/00000001/0010013b0/000002b00/00010000"
    cards = {"blue": {"held": 0, "played": ["leap"]}, "red": {"held": 1, "played": []}}
    with (
        filled_in(
            tmp_path,
            seen=castles.format("03r100000", "011r10100"),
            board=castles.format("02000000", "01r100100"),
            **{"players": ["blue", "red"], "cards": cards, "turn": 4, "round": 2, "to_move": "red"},
        ) as (table, _),
        open_page() as page,
    ):
        table.open(page)
        page.click("[data-act=turn_ended]")
        expect(page.locator("[data-key=reply-leap]")).to_be_visible()
        expect(page.locator("#ruling")).to_have_attribute("data-tone", "unsure")
        expect(page.locator("#breach")).to_be_hidden()
        page.click("[data-key=deny]")
        expect(page.locator('[data-rule="card.declared"]')).to_be_visible()
        assert table.hosting.commands.command("declare", {"declared": {"card": "leap"}}, "Door").accepted
        expect(page.locator("#ruling")).to_have_attribute("data-tone", "legal")
        assert table.loop.state.position.to_json()["cards"]["red"] == {"held": 0, "played": ["leap"]}


THREE = {"seats": {"first": "red", "second": "blue", "third": "green"}}
ROLLED = "roll 1+2; draw energy; install eoliennes"


def filled_in_a_count(page: Page) -> None:
    """Begin to tell what Blue counts, and don't declare it."""
    if not page.locator('[data-key="option-blue counts"]').is_visible():
        page.click("[data-key=group-anytime]")
    page.click('[data-key="option-blue counts"]')
    page.fill(".sheet [data-key=money]", "33000")


def test_what_a_sheet_holds_is_asked_about_before_the_bankers_turn_is_ruled_on(tmp_path: Path) -> None:
    with ExitStack() as parts, open_page() as tablet, open_page() as other:
        bank = Bank(tmp_path, parts, THREE)
        bank.let_in(tablet.context, "Kitchen tablet", page=tablet)
        bank.let_in(other.context, "Door", page=other)
        tablet.click("[data-act=begin]")
        expect(tablet.locator("#play")).to_have_attribute("data-phase", "playing")
        tell = bank.hosting.commands.command
        assert tell("declare", {"declared": {"acts": ROLLED}}, "Door").accepted
        filled_in_a_count(tablet)
        expect(other.locator(".bank-draft")).to_contain_text("(Kitchen tablet)")
        other.click("[data-act=turn_ended]")
        expect(other.locator("#detail")).to_contain_text("Something is filled in on Kitchen tablet")
        tablet.reload()
        tablet.click("[data-act=not_ended]")
        expect(tablet.locator(".bank-draft")).to_contain_text("(Kitchen tablet)")
        tablet.click('[data-key="draft-blue counts"]')
        expect(tablet.locator(".sheet [data-key=money]")).to_have_value("33000")
        assert tell("declare", {"declared": {"acts": f"{ROLLED}; green borrows"}}, "Door").accepted
        tablet.click("[data-key=send-answers]")
        until(lambda: bank.state.turn.declared["acts"] == f"{ROLLED}; green borrows; blue counts money=33000")
        assert not bank.state.turn.drafts
        expect(other.locator(".bank-draft")).to_have_count(0)


def test_a_sheet_goes_and_comes_beside_what_others_declare(tmp_path: Path) -> None:
    with ExitStack() as parts, open_page() as tablet:
        bank = Bank(tmp_path, parts, THREE)
        bank.let_in(tablet.context, "Kitchen tablet", page=tablet)
        tablet.click("[data-act=begin]")
        expect(tablet.locator("#play")).to_have_attribute("data-phase", "playing")
        rolled(bank, tablet)
        closed_again(bank, tablet)
        declared_while_sent(bank, tablet)
        tablet.click("[data-act=turn_ended]")
        until(lambda: bank.state.position.to_move.word == "blue")
        rolled(bank, tablet)
        declared_unheard_before(bank, tablet)


def rolled(bank: Bank, tablet: Page) -> None:
    """Declare that dice are rolled, and wait until the tablet shows it."""
    assert bank.hosting.commands.command("declare", {"declared": {"acts": ROLLED}}, "Door").accepted
    expect(tablet.locator(".bank-said li")).to_have_count(3)


def closed_again(bank: Bank, tablet: Page) -> None:
    """Verify that a sheet that is closed leaves nothing behind."""
    filled_in_a_count(tablet)
    until(lambda: bank.state.turn.drafts)
    tablet.keyboard.press("Escape")
    until(lambda: not bank.state.turn.drafts)
    expect(tablet.locator(".sheet, .bank-draft")).to_have_count(0)


def declared_while_sent(bank: Bank, tablet: Page) -> None:
    """Verify that what somebody declares while another sends stays."""
    held: list[Route] = []
    tablet.route("**/api/commands/draft?*", lambda route: held.append(route))
    filled_in_a_count(tablet)
    send = tablet.locator("[data-key=send-answers]")
    send.evaluate("button => { button.click(); button.click(); }")  # pressed twice
    until(lambda: (tablet.wait_for_timeout(10), held)[1])
    theirs = f"{ROLLED}; green borrows"
    assert bank.hosting.commands.command("declare", {"declared": {"acts": theirs}}, "Door").accepted
    expect(tablet.locator(".bank-said li")).to_have_count(4)
    tablet.unroute("**/api/commands/draft?*")  # lets through what was held
    expect(tablet.locator(".sheet")).to_have_count(0)
    assert bank.state.turn.declared["acts"] == f"{theirs}; blue counts money=33000"
    # What comes of it is drawn: the test's next press meets what stands there then.
    expect(tablet.locator(".bank-said li")).to_have_count(5)


def declared_unheard_before(bank: Bank, tablet: Page) -> None:
    """Verify that what is typed is declared beside what somebody else declared just before."""
    filled_in_a_count(tablet)
    expect(tablet.locator(".bank-draft")).to_have_count(1)
    with bank.line.unheard():
        theirs = f"{ROLLED}; green borrows"
        assert bank.hosting.commands.command("declare", {"declared": {"acts": theirs}}, "Door").accepted
        with tablet.expect_response("**/api/commands/declare?*"):
            tablet.click("[data-key=send-answers]")
    expect(tablet.locator(".sheet")).to_have_count(0)
    assert bank.state.turn.declared["acts"] == f"{theirs}; count money=33000"  # it is Blue's turn
