"""What the screen for the room may show is set by paired devices alone, and told to whoever may watch."""

from __future__ import annotations

from tests.auth.house import House


def test_only_paired_devices_set_what_the_room_may_see(house: House) -> None:
    assert house.app.test_client().get("/api/room").json["pictures"] is False
    answer = house.pair().post("/api/room", {"pictures": True}, key="key-of-mine")
    assert answer.json["result"]["pictures"] is True
    assert house.app.test_client().get("/api/state?room=true").json["room"]["pictures"] is True
