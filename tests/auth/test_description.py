"""The API keeps to its description, whatever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.auth.house import ORIGIN, House
from web.auth.guard import CSRF_HEADER
from web.contract import Access

# Schemathesis asks the app directly, and unpacks nothing then.
PLAIN = {
    "Origin": ORIGIN,
    "Accept-Encoding": "identity",
}
pytestmark = pytest.mark.long


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    with ExitStack() as parts:
        house = House(folder, parts)
        house.board.close()  # so that streams end
        yield house


def test_the_description_is_openapi(house: House) -> None:
    from openapi_spec_validator import validate

    validate(house.app.test_client().get("/api/openapi.json").json)


def test_every_address_of_the_api_is_described(house: House) -> None:
    paths = house.app.test_client().get("/api/openapi.json").json["paths"]
    rules = {rule.rule for rule in house.app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    assert len(paths) == len(rules) >= 11
    command = paths["/api/commands/{name}"]["post"]
    assert command["security"] == [{"session": [], "token": []}]
    assert str(Access.ACT) in command["description"]


def test_whatever_is_asked_is_answered_as_described(house: House) -> None:
    """Everything is asked as described and otherwise, by a stranger, who changes nothing, and by a paired device.

    The operations are gone through in one test: Schemathesis's own tests all bear one name, so that pytest-xdist runs
    a single one, and they are made whenever tests are collected.
    """
    # Every worker collects this file, and one runs it: to load these takes a second of a processor.
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    described = [checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance]
    device = house.pair()
    session = PLAIN | {CSRF_HEADER: device.csrf, "Cookie": f"{house.auth.name}={device.cookie}"}
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", house.app)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 50

    for operation in operations:
        right, wrong = (operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode)

        @given(case=right | wrong)
        @settings(max_examples=settings().max_examples // 30, deadline=None, suppress_health_check=list(HealthCheck))
        def answered(case: Any) -> None:
            before = house.treasure()
            case.call_and_validate(headers=PLAIN, checks=[not_a_server_error, *described])
            assert house.treasure() == before
            case.call_and_validate(headers=session, checks=[not_a_server_error, *described])

        answered()
        assert house.auth.devices.known(device.cookie) is not None, "a made-up number is no device"
