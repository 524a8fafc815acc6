from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.daemon import ViewPublisher
from referee.match.events import GameStarted
from referee.match.transitions import begin
from referee.view import table_view
from tests.match.fakes import StepGame, start
from web.app import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def board() -> Iterator[ViewPublisher]:
    board = ViewPublisher()
    board.publish(table_view(StepGame(), begin(GameStarted(start(), "Recorded game"))))
    yield board
    board.close()


@pytest.fixture
def app(board: ViewPublisher) -> Flask:
    return create_app(board, TESTING=True, HEARTBEAT_S=0.05, MAX_STREAMS=2, RESERVED_STREAMS=0)


@pytest.fixture
def page() -> Iterator[Page]:
    from tests.web.browser import open_page

    with open_page() as page:
        yield page


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
