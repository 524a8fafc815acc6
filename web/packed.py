"""Joins the modules of a page into one script, and its style sheets into one: two requests, not a hundred.

What the referee's own distribution brings is joined, once for all who ask. Kinds and add-ons of others stay files of
their own: a broken one breaks nothing else. They import the page's modules by their addresses (``/static/dom.js``);
the page's import map leads from there to the joined ones, so that a module is there once.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from urllib.parse import urljoin

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from referee.addons import addon_names, addon_page
from referee.kinds import kind_names, page_folder
from referee.values.installed import OWN
from web import addons, kinds
from web.contract import Access, endpoint

blueprint = Blueprint("packed", __name__)

STATIC = Path(__file__).with_name("static")
LINKING = "/static/linking.js"
APP = "app"
PAGES = {APP: ("theme", "layout", "board", "play", "screens"), "camera": ("theme", "setup", "ring")}
"""Pages that are joined, by their script, with their style sheets: the tablet's, in which kinds and add-ons take
part, and that of a phone that is a camera."""
FOREVER = "max-age=31536000, immutable"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_LATER = re.compile(r'\bawait import\("([^"]+)"\)')
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class PackError(ValueError):
    """A module that can't be joined; the message names the file and says why."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module as it stands among others.

    code: line for line as in its file. exports: names. needs, later: addresses it imports, at once or on the way.
    """

    code: str
    exports: tuple[str, ...]
    needs: tuple[str, ...]
    later: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JoinedPage:
    """A page's own modules and style sheets, joined.

    name: of its script. version: of both, as in their address. begins: the addresses of the modules it names itself.
    """

    name: str
    version: str
    begins: tuple[str, ...]
    script: str
    sheet: str
    source_map: str
    modules: Mapping[str, Module]

    def ahead(self) -> list[str]:
        """Return the addresses of the modules that those need with which the page begins."""
        found = list(self.begins)
        for address in found:
            found += [needed for needed in self.modules[address].needs if needed not in found]
        return sorted(set(found) - set(self.begins))

    def import_map(self) -> str:
        """Return the import map that leads from modules' own addresses to the joined ones."""
        at = f"/packed/{self.version}/{self.name}"
        joined = {address: f"{at}{address}" for address in self.modules}
        return json.dumps({"imports": joined | {self.begins[0]: f"{at}.js"}})

    def policy(self) -> str:
        """Return what a content security policy calls the import map by."""
        digest = hashlib.sha256(self.import_map().encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    def file(self, name: str) -> tuple[str, str] | None:
        """Return a file's text and media type, ``None`` for none of this name."""
        files = {
            ".js": (self.script, "text/javascript"),
            ".js.map": (self.source_map, "application/json"),
            ".css": (self.sheet, "text/css"),
        }
        name = name.removeprefix(self.name)
        if name not in self.modules:
            return files.get(name)
        code = f'import {{ needs }} from "/packed/{self.version}/{self.name}.js";\n{_run(name, self.modules)}'
        return code, "text/javascript"


def pack(name: str = APP) -> JoinedPage:
    """Return a page of the files as they are now, by the name of its script. Raises PackError."""
    folders = tuple(sorted(own_folders().items()))
    found = (entry for _, folder in folders for entry in os.scandir(folder) if entry.name.endswith((".js", ".css")))
    return _packed(name, folders, frozenset((entry.path, entry.stat().st_mtime_ns) for entry in found))


def linked(text: str, address: str) -> Module:
    """Return a module as it stands among others. Raises PackError for forms of import and export that can't."""
    needs = [urljoin(address, name) for _, name in _IMPORT.findall(text)]
    later = [urljoin(address, name) for name in _LATER.findall(text)]
    exports = _EXPORT.findall(text)
    code = _EXPORT.sub("", _IMPORT.sub(lambda found: _taken(found, address), text))
    if other := _OTHER.search(code):
        line = code[: other.start()].count("\n") + 1
        raise PackError(f"{address}, line {line}: write “import {{ … }} from” or “export function”: {other[0]}")
    return Module(code.replace("import(", "$brings("), tuple(exports), tuple(needs), tuple(later))


def _run(address: str, modules: Mapping[str, Module]) -> str:
    """Return what runs a joined module and exports what it exports."""
    names = ", ".join(modules[address].exports)
    return f'{f"export const {{ {names} }} = " if names else ""}needs("{address}");\n'


def _taken(found: re.Match[str], address: str) -> str:
    names = re.sub(r"\bas\b", ":", found[1])
    return f'const {{{names}}} = $needs("{urljoin(address, found[2])}");'


@lru_cache(maxsize=2 * len(PAGES))
def _packed(name: str, folders: tuple[tuple[str, Path], ...], files: frozenset[tuple[str, int]]) -> JoinedPage:
    """Join what lies in folders. files: with the times they were changed at; another page for others."""
    own = dict(folders)
    named = [f"/static/{name}.js", *(f"/static/{sheet}.css" for sheet in PAGES[name])]
    if name == APP:
        named += [file.address for file in kinds.parts(kinds.WIDGET, kinds.BOARD, kinds.TABLET)] + addons.files()
    named = [address for address in named if is_own(address, own)]
    begins = tuple(address for address in named if address.endswith(".js"))
    modules = _reached(begins, own)
    linking = (STATIC / "linking.js").read_text(encoding="utf-8")
    parts, lines = [linking], [(LINKING, line) for line in range(linking.count("\n"))]
    for address, module in modules.items():
        parts += [
            f'makers["{address}"] = ($needs, $brings) => {{\n',
            module.code,
            f"return {{ {', '.join(module.exports)} }}; }};\n",
        ]
        lines += [(address, line) for line in (0, *range(module.code.count("\n") + 1))]
    script = f"{''.join(parts)}{_run(begins[0], modules)}//# sourceMappingURL={name}.js.map\n"
    sheets = [_file(address, own) for address in named if address.endswith(".css")]
    sheet = "".join(path.read_text(encoding="utf-8") for path in sheets)
    version = hashlib.sha256((script + sheet).encode()).hexdigest()[:16]
    return JoinedPage(name, version, begins, script, sheet, source_map(lines), modules)


def is_own(address: str, own: Mapping[str, Path]) -> bool:
    """Return whether a file came with the referee."""
    return address.rpartition("/")[0] in own


def own_folders() -> dict[str, Path]:
    """Return the folders with what came with the referee, by the address they are served under."""
    found = {f"/kinds/{kind}": page_folder(kind) for kind in kind_names()}
    found |= {f"/addons/{addon}": addon_page(addon) for addon in addon_names()}
    return {"/static": STATIC} | {
        address: folder for address, folder in found.items() if folder is not None and folder.is_relative_to(OWN)
    }


def _file(address: str, own: Mapping[str, Path]) -> Path:
    at, _, name = address.rpartition("/")
    return own[at] / name


def _reached(begins: Iterable[str], own: Mapping[str, Path]) -> dict[str, Module]:
    """Return the modules that the page may come to, those first that others import. Raises PackError."""
    waiting = list(begins)
    found: dict[str, Module] = {}
    while waiting:
        address = waiting.pop()
        if address not in found:
            module = linked(_file(address, own).read_text(encoding="utf-8"), address)
            found[address] = module
            waiting += [*module.needs, *module.later]
    return in_order(found)


def in_order(modules: Mapping[str, Module]) -> dict[str, Module]:
    """Return modules with those first that others import. Raises PackError where they import each other."""
    try:
        ordered = TopologicalSorter({address: modules[address].needs for address in sorted(modules)}).static_order()
        return {address: modules[address] for address in ordered}
    except CycleError as error:
        raise PackError(f"modules import each other: {' '.join(error.args[1])}") from None


def source_map(lines: list[tuple[str, int]]) -> str:
    """Return the source map of a script. lines: for each of it the module's address and the line there, from 0."""
    sources = list(dict.fromkeys(address for address, _ in lines))
    at = {address: place for place, address in enumerate(sources)}
    mappings, before = [], (0, 0)
    for address, line in lines:
        now = (at[address], line)
        mappings.append(f"A{_vlq(now[0] - before[0])}{_vlq(now[1] - before[1])}A")
        before = now
    return json.dumps({"version": 3, "sources": sources, "names": [], "mappings": ";".join(mappings)})


def _vlq(number: int) -> str:
    """Return a number as source maps write it: five bits a digit, the lowest first, its sign in the lowest of all."""
    left = abs(number) << 1 | (number < 0)
    return "".join(_digits(left))


def _digits(left: int) -> Iterator[str]:
    while left > 31:
        yield _BASE64[left & 31 | 32]
        left >>= 5
    yield _BASE64[left]


@endpoint(
    blueprint,
    "GET",
    "/packed/<version>/<path:name>",
    Access.PUBLIC,
    "A page's modules and style sheets, joined",
    media="*/*",
    refusals=(404,),
)
def packed_file(version: str, name: str) -> Response:
    """Return a file of a joined page. Who has it keeps it: another version has another address."""
    page = re.split("[./]", name)[0]
    if page not in PAGES:
        raise NotFound
    now = pack(page)
    found = now.file(name)
    if found is None:
        raise NotFound
    text, media = found
    answer = Response(text, mimetype=media)
    answer.set_etag(now.version)
    answer.headers["Cache-Control"] = FOREVER if version == now.version else "no-cache"
    answer.make_conditional(request)
    return answer
