"""Every notice and every state that holds a table up has a help topic, and every link leads to one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.match.phases import Phase
from referee.values.words import LANGUAGES
from web.helptopics import TOPICS

LINKS = (Path(__file__).parents[2] / "web" / "static" / "helplink.js").read_text(encoding="utf-8")
REFEREE = Path(__file__).parents[2] / "referee"


def table(name: str) -> dict[str, str]:
    """Return a table of the page's script, key to topic."""
    line = re.search(rf"const {name} = {{(.*?)}};", LINKS)
    assert line is not None
    return dict(re.findall(r'"?([\w-]+)"?: "(\w+)"', line[1]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_stands_on_the_page(client: FlaskClient, language: str) -> None:
    page = client.get(f"/help?lang={language}").text
    for topic in TOPICS:
        assert f'id="{topic.id}"' in page
        assert topic.title.text(language).replace("’", "’") in page.replace("&#39;", "'")


def test_every_link_leads_to_a_topic() -> None:
    linked = {topic for name in ("NOTICES", "PHASES", "WAITS") for topic in table(name).values()}
    assert linked <= {topic.id for topic in TOPICS}
    assert set(table("PHASES")) <= {phase.value for phase in Phase}


def test_every_notice_there_is_has_a_topic() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in REFEREE.rglob("*.py"))
    made = {found.split("-")[0] for found in re.findall(r'Notice\(\s*f?"([a-z-]+)', sources)}
    assert made
    assert made <= set(table("NOTICES"))


def test_every_notice_leads_to_a_topic_that_says_what_to_do_in_every_language() -> None:
    topics = {topic.id: topic for topic in TOPICS}
    for notice, linked in table("NOTICES").items():
        topic = topics[linked]
        assert topic.steps, notice
        for words in (topic.title, topic.meaning, *topic.steps):
            told = {language: words.text(language) for language in LANGUAGES}
            assert len(set(told.values())) == len(LANGUAGES), (notice, told)


def test_every_wait_there_is_has_a_topic() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (REFEREE / "daemon").rglob("*.py"))
    made = set(re.findall(r'Waiting\(\s*"([a-z-]+)"', sources))
    assert made
    assert made <= set(table("WAITS"))
