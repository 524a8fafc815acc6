from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.daemon import Noticeboard
from referee.events import GameStarted
from referee.table import begin
from referee.view import table_view
from tests.table.fakes import StepGame, start
from web.app import create_app


@pytest.fixture
def board() -> Iterator[Noticeboard]:
    board = Noticeboard()
    board.publish(table_view(StepGame(), begin(GameStarted(start(), "Recorded game"))))
    yield board
    board.close()


@pytest.fixture
def app(board: Noticeboard) -> Flask:
    return create_app(board, TESTING=True, HEARTBEAT_S=0.05, MAX_STREAMS=2, RESERVED_STREAMS=0)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
