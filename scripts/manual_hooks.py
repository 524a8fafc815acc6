"""Keep the built manual free of inline scripts and of all that needs the internet, and its search for players first.

Material writes small scripts and column alignments into each page. The referee serves the manual under a content
security policy that allows neither, so scripts become files and alignments become classes.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from pathlib import Path
from typing import Any

INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
ALIGNED = re.compile(r'(<t[hd])(?: style="text-align: (\w+);")')
CLASSES = {"right": ' class="to-right"', "center": ' class="to-middle"', "left": ""}
SCRIPTS = Path("assets", "javascripts")
LAST_IN_SEARCH = ("develop/", "decisions/", "reference/", "evidence/", "glossary.md", "start/changes.md")
"""What players do not ask for, but the referee's makers do."""
NOT_NEEDED = ("404.html", "sitemap.xml", "sitemap.xml.gz")


def on_page_read_source(page: Any, config: dict[str, str]) -> str | None:
    """Return the text of hardware.md, at the top of the project, for its page; links are made relative to there."""
    if page.file.src_uri != "set-up/hardware.md":
        return None
    text = Path(config["docs_dir"]).with_name("hardware.md").read_text(encoding="utf-8")
    return text.replace("](docs/set-up/", "](").replace("](docs/", "](../")


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:
    """Let the pages for players come before the others in the search; the page's text stays as it is."""
    if page.file.src_uri.startswith(LAST_IN_SEARCH):
        page.meta["search"] = {"boost": 0.01}
    return markdown


def on_post_build(config: dict[str, str], **_: object) -> None:
    """Rewrite every page of the built site, and delete what the referee never serves."""
    site = Path(config["site_dir"])
    for name in NOT_NEEDED:
        (site / name).unlink(missing_ok=True)
    for path in site.rglob("*.map"):
        path.unlink()
    shutil.rmtree(site / SCRIPTS / "lunr", ignore_errors=True)  # other languages than English
    for page in site.rglob("*.html"):
        page.write_text(without_inline(page.read_text(encoding="utf-8"), page.parent, site), encoding="utf-8")


def without_inline(html: str, folder: Path, site: Path) -> str:
    """Return a page of a folder with its inline scripts moved into files of the site, its alignments into classes."""

    def moved(found: re.Match[str]) -> str:
        name = f"inline-{hashlib.sha256(found[1].encode()).hexdigest()[:12]}.js"
        (site / SCRIPTS).mkdir(parents=True, exist_ok=True)
        (site / SCRIPTS / name).write_text(found[1], encoding="utf-8")
        return f'<script src="{Path(os.path.relpath(site / SCRIPTS / name, folder)).as_posix()}"></script>'

    return ALIGNED.sub(lambda found: found[1] + CLASSES[found[2]], INLINE_SCRIPT.sub(moved, html))
