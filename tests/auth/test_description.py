"""The API keeps to its description, whatever it is asked."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from openapi_spec_validator import validate
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.auth.house import ORIGIN, House
from web.auth.guard import CSRF_HEADER
from web.contract import Access

# Schemathesis reads the description when the tests are collected, so this table is open before they begin.
_FOLDER = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
_PARTS = ExitStack()
_PARTS.callback(shutil.rmtree, _FOLDER)
atexit.register(_PARTS.close)
HOUSE = House(_FOLDER, _PARTS)
HOUSE.board.close()  # so that streams end
DEVICE = HOUSE.pair()
schema = schemathesis.openapi.from_wsgi("/api/openapi.json", HOUSE.app)
# Schemathesis asks the app directly, and unpacks nothing then.
PLAIN = {
    "Origin": ORIGIN,
    "Accept-Encoding": "identity",
}
pytestmark = pytest.mark.long
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def test_the_description_is_openapi() -> None:
    validate(HOUSE.app.test_client().get("/api/openapi.json").json)


def test_every_address_of_the_api_is_described() -> None:
    paths = HOUSE.app.test_client().get("/api/openapi.json").json["paths"]
    rules = {rule.rule for rule in HOUSE.app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    assert len(paths) == len(rules) >= 11
    command = paths["/api/commands/{name}"]["post"]
    assert command["security"] == [{"session": [], "token": []}]
    assert str(Access.ACT) in command["description"]


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_is_answered_as_described(case: Any) -> None:
    session = {**PLAIN, CSRF_HEADER: DEVICE.csrf, "Cookie": f"{HOUSE.locks.name}={DEVICE.cookie}"}
    case.call_and_validate(headers=session, checks=CHECKS)
    if HOUSE.locks.devices.known(DEVICE.cookie) is None:  # it forgot itself
        pytest.fail("a made-up number is no device")


@schema.parametrize()
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_without_a_session_nothing_is_done(case: Any) -> None:
    before = HOUSE.treasure()
    case.call_and_validate(headers=PLAIN, checks=CHECKS)
    assert HOUSE.treasure() == before
