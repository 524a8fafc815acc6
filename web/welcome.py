"""The first page of a referee without a table: what there is to watch and to try, and which box lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Protocol

from flask import Blueprint, Flask, Response, current_app, make_response, render_template, request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from werkzeug.exceptions import HTTPException

from referee.values.words import Words, say
from web import docs
from web.auth.guard import require_own_origin
from web.contract import LARGEST_BODY, Access, endpoint
from web.formpages import add_headers, seen_other
from web.languages import language, offer
from web.problems import ApiError, of_failure, of_http, of_problem
from web.services import store, stored

blueprint = Blueprint("welcome", __name__)


class ChoiceStep(StrEnum):
    """How far the choice has come."""

    CHOOSE = "choose"
    PRINT = "print"
    """The frame is to be printed and laid around the board."""
    LAY = "lay"
    """All is chosen: the table is laid once the page is there that waits for it."""


@dataclass(frozen=True, slots=True)
class BoxOffered:
    """A box of a game, or a table. id: a word for it; title: the game's; about: what the box holds, in a few words.

    picture: of what it holds, SVG by the game's own kind; empty without one.
    """

    id: str
    title: str
    about: str | Words
    picture: str = ""


class FirstDesk(Protocol):
    """Takes the choices. Safe to call from several threads."""

    @property
    def step(self) -> ChoiceStep:
        """Return how far the choice has come."""

    def boxes(self) -> Sequence[BoxOffered]:
        """Return the boxes of all games."""

    def tables(self) -> Sequence[BoxOffered]:
        """Return the tables that were made here and played at, the newest first."""

    def choose(self, what: str) -> bool:
        """Choose by a box's or a table's id, ``recorded``, ``drawn`` or nothing.

        Return whether there is such a thing.
        """

    def sheets(self, spoken: str) -> bytes | None:
        """Return the frame to be printed as PDF, where one is."""

    @property
    def bare_mm(self) -> tuple[float, float] | None:
        """Return the usual outer width and depth of the board that was chosen, where it can do without a frame."""

    @property
    def unseen(self) -> BoxOffered | None:
        """Return the chosen game's table at which nothing is looked at, where it has one and needs a frame else."""

    def bare(self, size_mm: tuple[float, float]) -> bool:
        """Learn that nothing is printed, and the board's outer width and depth; whether its fields fit on it."""

    def printed(self) -> None:
        """Learn that the frame lies around the board."""

    def go(self) -> None:
        """Begin with what was chosen."""

    def there(self) -> str:
        """Return the path at which the page goes on; the browser is let in by it."""


class ChooseQuery(BaseModel):
    """What is chosen."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    what: Annotated[str, Field(max_length=120)] = ""


_Side = Annotated[float, Field(ge=100, le=2000, allow_inf_nan=False)]


class SizeForm(BaseModel):
    """A board's outer width and depth, mm."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    width: _Side
    depth: _Side


def create_welcome(desk: FirstDesk, hosts: Sequence[str]) -> Flask:
    """Make the first page's app. hosts: the names it answers to."""
    app = Flask(__name__)
    app.config.update(
        TRUSTED_HOSTS=hosts,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        PROVIDE_AUTOMATIC_OPTIONS=False,
        LANGUAGE="en",
        MANUAL=docs.BUILT,
    )
    store(app, _Welcoming(desk))
    offer(app)
    app.register_blueprint(blueprint)
    app.register_blueprint(docs.blueprint)
    app.register_error_handler(ApiError, of_problem)
    app.register_error_handler(HTTPException, of_http)
    app.register_error_handler(Exception, of_failure)
    app.after_request(add_headers)
    return app


@dataclass(frozen=True, slots=True)
class _Welcoming:
    desk: FirstDesk


def _desk() -> FirstDesk:
    found = stored(current_app, _Welcoming)
    assert found is not None
    return found.desk


def _require_this_computer() -> None:
    """Raise ApiError for a device elsewhere: what is chosen here writes files, and nobody is paired yet."""
    require_own_origin(request)
    if request.remote_addr not in ("127.0.0.1", "::1"):
        raise ApiError(403, "elsewhere", say("This is chosen on the computer that runs the referee."))


@endpoint(blueprint, "GET", "/", Access.PUBLIC, "What to begin with", media="text/html")
def welcome() -> str:
    """Return the page of the step that the choice has come to."""
    desk, spoken = _desk(), language()
    return render_template(
        "welcome.html",
        language=spoken,
        step=desk.step.value,
        boxes=desk.boxes(),
        tables=desk.tables(),
        bare_mm=desk.bare_mm,
        unseen=desk.unseen,
        there=desk.there() if desk.step is ChoiceStep.LAY else "",
        say=lambda text, **values: Words(text, tuple(sorted(values.items()))).text(spoken),
    )


@endpoint(blueprint, "POST", "/choose", Access.PUBLIC, "Choose", status=303, refusals=(403,))
def choose(query: ChooseQuery) -> Response:
    """Choose, or take the choice back."""
    _require_this_computer()
    if not _desk().choose(query.what):
        raise ApiError(400, "choice", say("There is no such table here."))
    return seen_other("/")


@endpoint(
    blueprint, "GET", "/frame.pdf", Access.PUBLIC, "The frame to print", media="application/pdf", refusals=(404,)
)
def frame() -> Response:
    """Return the frame of the table that was chosen."""
    pdf = _desk().sheets(language())
    if pdf is None:
        raise ApiError(404, "no-frame", say("No frame is needed for this."))
    answer = make_response(pdf)
    answer.mimetype = "application/pdf"
    return answer


@endpoint(blueprint, "POST", "/printed", Access.PUBLIC, "The frame lies there", status=303, refusals=(403,))
def printed() -> Response:
    """Go on: the frame lies around the board."""
    _require_this_computer()
    _desk().printed()
    return seen_other("/")


@endpoint(blueprint, "POST", "/bare", Access.PUBLIC, "Nothing is printed", status=303, refusals=(403,))
def bare() -> Response:
    """Go on without a frame: the board itself is photographed. The form tells its outer sizes."""
    _require_this_computer()
    try:
        sides = SizeForm.model_validate_strings(request.form.to_dict())
        fits = _desk().bare((sides.width, sides.depth))
    except ValidationError:
        fits = False
    if not fits:
        raise ApiError(400, "size", say("These sizes can’t be right: the board is larger than its fields. Go back."))
    return seen_other("/")


@endpoint(blueprint, "POST", "/go", Access.PUBLIC, "Begin", status=204, refusals=(403,))
def go() -> Response:
    """Lay the table: the page that asks waits for it."""
    _require_this_computer()
    _desk().go()
    return Response(status=204)
