"""Serve what a test publishes."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from referee.daemon import ViewPublisher
from referee.service.server import PageServer, address, bind
from web.app import create_app


class Served:
    """A served noticeboard."""

    def __init__(self, board: ViewPublisher, **config: Any) -> None:
        self.parts = ExitStack()
        self.board = board
        sock = self.parts.enter_context(bind("127.0.0.1", 0))
        self.port: int = sock.getsockname()[1]
        self.url = address(sock)
        self.parts.enter_context(PageServer(create_app(board, **config), sock))
