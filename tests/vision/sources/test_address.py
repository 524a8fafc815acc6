from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.sources.address import LIVE, Scheme, SourceError, parse_source

SECRET = "s3cr3t"


@pytest.mark.parametrize(
    ("text", "location", "public"),
    [
        ("usb:/dev/v4l/by-id/usb-C920-video-index0", "/dev/v4l/by-id/usb-C920-video-index0", None),
        ("usb:///dev/video0?size=1280x960&fps=15", "/dev/video0", "usb:/dev/video0"),
        ("rtsp://u:s3cr3t@10.0.0.5:554/s1?a=b#fps=10", "rtsp://u:s3cr3t@10.0.0.5:554/s1?a=b", "rtsp://10.0.0.5:554"),
        ("rtsp://10.0.0.5/user=u_password=s3cr3t", "rtsp://10.0.0.5/user=u_password=s3cr3t", "rtsp://10.0.0.5"),
        ("HTTP://u:s3cr3t@cam.local/v?pwd=s3cr3t", "http://u:s3cr3t@cam.local/v?pwd=s3cr3t", "http://cam.local"),
        ("https://[fe80::1]:8443/v", "https://[fe80::1]:8443/v", "https://[fe80::1]:8443"),
        ("file:/srv/games/a%20b.avi?fps=max&loop=yes", "/srv/games/a b.avi", "file:a b.avi"),
        ("file:///srv/a.mp4", "/srv/a.mp4", "file:a.mp4"),
        ("folder:/srv/stills?watch=yes", "/srv/stills", "folder:stills"),
    ],
)
def test_addresses(text: str, location: str, public: str | None) -> None:
    source = parse_source(text)
    assert source.location == location
    assert source.public == (public or "usb:" + location)
    assert SECRET not in repr(source)
    assert SECRET not in str(source)


@pytest.mark.parametrize(
    ("text", "delay_s"),
    [
        ("usb:/dev/video0", 0.0),
        ("usb:/dev/video0?delay=0.2", 0.2),
        ("rtsp://host/1", 1.0),
        ("http://host/1", 0.3),
        ("http://host/1#delay=0", 0.0),
        ("folder:/srv/stills", 0.0),
    ],
)
def test_how_old_pictures_are_when_they_come(text: str, delay_s: float) -> None:
    assert parse_source(text).delay_s == delay_s


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "begins with its kind"),
        ("/dev/video0", "begins with its kind"),
        ("0", "begins with its kind"),
        ("exec:ffmpeg -i x", "no spaces"),
        ("exec:/bin/sh", "'exec'"),
        ("concat:/etc/passwd", "'concat'"),
        ("ftp://host/a.avi", "'ftp'"),
        ("javascript:alert(1)", "'javascript'"),
        ("file:/etc/passwd", "is a video"),
        ("file:/srv/list.m3u8", "is a video"),
        ("file:/srv/a.sdp", "is a video"),
        ("file://otherhost/a.avi", "on this computer"),
        ("file:", "names nothing"),
        ("file:/a%00.avi", "names nothing"),
        ("file:/a.avi#fps=3", "stand after ?"),
        ("usb:/etc/passwd", "/dev/v4l/by-id"),
        ("usb:/dev/v4l/by-id/../../sda", "/dev/v4l/by-id"),
        ("usb:/dev/v4l/by-id/..", "/dev/v4l/by-id"),
        ("usb:0", "/dev/v4l/by-id"),
        ("http:///video", "needs a host"),
        ("http://host:99999/", "host and port"),
        ("rtsp://a b/", "no spaces"),
        ("http://host/\nGET", "no spaces"),
        ("file:/a.avi?fps=0", "fps is"),
        ("file:/a.avi?fps=fast", "fps is"),
        ("file:/a.avi?fps=nan", "fps is"),
        ("file:/a.avi?fps=3&fps=4", "given twice"),
        ("rtsp://host/1#delay=1&delay=2", "given twice"),
        ("rtsp://host/1#delay=-1", "delay is"),
        ("rtsp://host/1#delay=soon", "delay is"),
        ("file:/a.avi?delay=1", "no setting 'delay'"),
        ("file:/a.avi?watch=yes", "no setting 'watch'"),
        ("file:/a.avi?loop=perhaps", "yes or no"),
        ("file:/a.avi?loop", "NAME=VALUE"),
        ("usb:/dev/video0?size=9x9", "size is"),
        ("usb:/dev/video0?size=99999x10", "size is"),
    ],
)
def test_wrong_addresses_are_refused(text: str, told: str) -> None:
    with pytest.raises(SourceError, match=told.replace("?", r"\?")):
        parse_source(text)


@pytest.mark.parametrize(
    "text",
    ["http://u:s3cr3t@host:bad/", "http://u:s3cr3t@/x", "rtsp://u:s3cr3t@h/#s3cr3t=1", "gopher://u:s3cr3t@host"],
)
def test_a_refusal_holds_no_password(text: str) -> None:
    with pytest.raises(SourceError) as refused:
        parse_source(text)
    assert SECRET not in str(refused.value)


def test_relative_places_belong_to_the_table(tmp_path: Path) -> None:
    assert parse_source("file:a.avi", tmp_path).location == str(tmp_path / "a.avi")
    assert parse_source("folder:stills", tmp_path).location == str(tmp_path / "stills")


def test_what_comes_over_the_network_names_no_files() -> None:
    for text in ("file:/a.avi", "folder:/srv"):
        with pytest.raises(SourceError, match="may not be a"):
            parse_source(text, allowed=LIVE)
    assert parse_source("http://host/", allowed=LIVE).scheme is Scheme.HTTP


@settings(max_examples=50)
@given(st.text(max_size=60) | st.builds("{}:{}".format, st.sampled_from(list(Scheme)), st.text(max_size=60)))
def test_any_text_is_a_source_or_refused(text: str) -> None:
    with suppress(SourceError):
        assert parse_source(text).scheme in Scheme


def test_a_path_alone_is_told_how_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "game.avi").write_bytes(b"film")
    for text, told in ((str(tmp_path), f"folder:{tmp_path}?watch=yes"), (f"{tmp_path}/game.avi", "a film is file:")):
        with pytest.raises(SourceError, match=re.escape(told)):
            parse_source(text)
