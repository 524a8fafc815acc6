"""The page's modules and style sheets, joined: the same modules at the same addresses, kept until they change."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from referee.daemon import ViewPublisher
from tests.web.browser import needs_browser, open_page
from tests.web.noticeboard import Served
from web.packed import PAGES, Module, PackError, in_order, linked, pack, source_map

JOINED = re.compile(r'href="(/packed/[0-9a-f]+)/app\.css"')
OLD = """async () => {
  const kept = await caches.open("page");
  await kept.put(new Request(`${location.origin}/packed/old/app.js`), new Response("old"));
}"""
PACKED_KEPT = """async () => (await (await caches.open("page")).keys())
  .map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith("/packed/")).sort()"""


@pytest.mark.parametrize(
    ("line", "stands"),
    [
        ('import { one, two as three } from "./b.js";', 'const { one, two : three } = $needs("/static/b.js");'),
        (
            "import {\n  one,\n} from '/static/b.js';".replace("'", '"'),
            'const {\n  one,\n} = $needs("/static/b.js");',
        ),
        ("export function one() {}", "function one() {}"),
        ("export async function one() {}", "async function one() {}"),
        ("export const one = 1;", "const one = 1;"),
        ('const { draw } = await import("./b.js");', 'const { draw } = await $brings("./b.js");'),
    ],
)
def test_a_module_keeps_its_lines(line: str, stands: str) -> None:
    assert linked(f"{line}\nlast();\n", "/static/a.js").code == f"{stands}\nlast();\n"


@pytest.mark.parametrize(
    "line",
    [
        "export let one = 1;",
        "export default one;",
        'import * as all from "./b.js";',
        'import "./b.js";',
        "export { one };",
        "export const { one } = two;",
    ],
)
def test_what_cannot_be_joined_is_refused_by_its_line(line: str) -> None:
    with pytest.raises(PackError, match=r"/static/a.js, line 2: .*" + re.escape(line)):
        linked(f"// first\n{line}\n", "/static/a.js")


def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(PackError, match=r"import each other: (/a\.js|/b\.js) "):
        in_order({"/a.js": Module("", (), ("/b.js",), ()), "/b.js": Module("", (), ("/a.js",), ())})


def test_the_source_map_leads_to_every_modules_own_lines() -> None:
    lines = [("/one.js", 0), ("/one.js", 1), ("/two.js", 40), ("/two.js", 41), ("/one.js", 2)]
    told = json.loads(source_map(lines))
    assert told["sources"] == ["/one.js", "/two.js"]
    assert told["mappings"] == "AAAA;AACA;ACuCA;AACA;ADvCA"  # differences in base 64


def test_what_is_joined_is_kept_until_it_is_another(client: FlaskClient) -> None:
    found = JOINED.search(client.get("/").text)
    assert found is not None
    for name in ("app.js", "app.css", "app.js.map", "app/static/dom.js"):
        assert "immutable" in client.get(f"{found[1]}/{name}").headers["Cache-Control"]
        assert client.get(f"/packed/another/{name}").headers["Cache-Control"] == "no-cache"
    for name in ("nothing.js", "app/static/nothing.js", "app/kinds/grid/virtual.js", "camera/static/play.js"):
        assert client.get(f"{found[1]}/{name}").status_code == 404  # no module of this page


@pytest.mark.parametrize("page", ["/", "/camera"])
def test_the_policy_lets_the_import_map_run_and_nothing_else(client: FlaskClient, page: str) -> None:
    answer = client.get(page)
    (inline,) = re.findall(r"<script[^>]*>([^<]+)</script>", answer.text)
    digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in answer.headers["Content-Security-Policy"]
    assert "sha256" not in client.get("/setup").headers["Content-Security-Policy"]
    plain = client.get(f"{page}?plain")
    assert "sha256" not in plain.headers["Content-Security-Policy"]
    assert "packed" not in plain.text


@pytest.mark.parametrize("page", PAGES)
def test_every_module_comes_after_those_it_needs(page: str) -> None:
    placed = list(pack(page).modules)
    assert len(placed) >= 20
    for address, module in pack(page).modules.items():
        assert all(placed.index(needed) < placed.index(address) for needed in module.needs)


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize(("address", "most"), [("", 12), ("?plain", 130)])
def test_a_module_is_there_once(board: ViewPublisher, address: str, most: int) -> None:
    served = Served(board)
    with served.parts, open_page() as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(served.url + address)
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        assert page.evaluate("async () => (await import('/static/store.js')).known.state.title") == "Steps"
        assert page.evaluate("async () => (await import('/kinds/grid/widget.js')).widget.surface") == "svg"
        assert len(asked) <= most, asked
        board.close()


@needs_browser
@pytest.mark.browser
def test_the_page_opens_without_the_referee_and_older_versions_go(board: ViewPublisher) -> None:
    served = Served(board)
    with open_page() as page:
        with served.parts:
            page.goto(served.url)
            page.wait_for_function("() => navigator.serviceWorker.controller")
            page.evaluate(OLD)
            page.reload()
            expect(page.locator("#connection")).to_have_attribute("data-state", "live")
            version = pack().version
            expected = [f"/packed/{version}/app.css", f"/packed/{version}/app.js"]
            page.wait_for_function(f"async (all) => String(await ({PACKED_KEPT})()) === String(all)", arg=expected)
            board.close()
        page.reload()
        expect(page.locator("#connection")).to_have_attribute("data-state", "lost")
        assert page.locator("#board").evaluate("one => getComputedStyle(one).display") == "block"
