"""Sentences on how a camera is doing, for the people at the table."""

from __future__ import annotations

from referee.values.words import Words, say
from vision.sources.packet import Why
from vision.sources.state import SourceHealth, SourceState

_PHONE = ("opening", "silent", "failed")


def camera_words(state: SourceState) -> Words:
    """Return one sentence about a camera: what has failed, and what to do about it. It names no address."""
    if state.source.startswith("phone:") and state.health in _PHONE:
        return say(
            "{camera} is a phone that sends no pictures: open the page /camera on it and let it look.",
            camera=state.camera,
        )
    if state.source.startswith("virtual:") and state.health is SourceHealth.SILENT:
        return say("{camera} is still being drawn: this computer is busy.", camera=state.camera)
    return _usual_words(state)


def missed_words(state: SourceState) -> Words:
    """Return one sentence on what kept a camera from seeing a turn, for the record."""
    match state.health:
        case SourceHealth.FROZEN:
            return say("{camera} sent the same old picture again and again.", camera=state.camera)
        case SourceHealth.GARBLED | SourceHealth.RESIZED:
            return say("{camera} sent pictures that can’t be used.", camera=state.camera)
    return say("{camera} sent no pictures.", camera=state.camera)


def _usual_words(state: SourceState) -> Words:
    camera = state.camera
    match state.health:
        case SourceHealth.OPENING:
            return say("{camera} is being opened.", camera=camera)
        case SourceHealth.LIVE:
            return _held_words(state) or say("{camera} sees the table.", camera=camera)
        case SourceHealth.WAITING:
            return say("{camera} waits for the next picture in its folder.", camera=camera)
        case SourceHealth.SILENT:
            return say(
                "{camera} sends no pictures any more. Look at its cable and its power; it is tried again.",
                camera=camera,
            )
        case SourceHealth.FROZEN:
            return say(
                "{camera} sends the same old picture again and again. It is started anew; if that does not help, "
                "unplug it and plug it in again.",
                camera=camera,
            )
        case SourceHealth.STUCK | SourceHealth.CRASHED:
            return say("Reading {camera} has come to a stop. It is started anew.", camera=camera)
        case SourceHealth.GARBLED:
            return say(
                "{camera} sends pictures that can't be read. Look at its cable; it is tried again.", camera=camera
            )
        case SourceHealth.RESIZED:
            return _resized(state)
        case SourceHealth.FAILED:
            return _failed(state)
        case SourceHealth.ENDED:
            return say("The recording of {camera} has come to its end.", camera=camera)
        case SourceHealth.CLOSED:
            return say("{camera} is switched off.", camera=camera)


def _resized(state: SourceState) -> Words:
    now, _, wanted = state.detail.partition("/")
    return say(
        "{camera} sends pictures of {now} instead of {wanted} pixels. Set it to {wanted}; it is tried again.",
        camera=state.camera,
        now=now.replace("x", " x "),
        wanted=wanted.replace("x", " x "),
    )


def _failed(state: SourceState) -> Words:
    camera = state.camera
    match state.detail:
        case Why.ABSENT:
            return _absent(state)
        case Why.REFUSED:
            return say("{camera} refuses its user or password. Correct them in the settings.", camera=camera)
        case Why.NO_PICTURES:
            return say("{camera} answers, but not with pictures. Correct its place in the settings.", camera=camera)
    return say(
        "{camera} can't be reached. Look at its cable, its power and the network; it is tried again.", camera=camera
    )


def _absent(state: SourceState) -> Words:
    kind, _, name = state.source.partition(":")
    if kind == "folder":
        return say(
            "{camera} waits for its folder {name}, which is not there. Make it, or correct its place in the "
            "settings.",
            camera=state.camera, name=name,
        )  # fmt: skip
    if kind == "file":
        return say(
            "{camera} waits for its film {name}, which is not there. Put it there, or correct its place in the "
            "settings.",
            camera=state.camera, name=name,
        )  # fmt: skip
    return say("{camera} is not there. Plug it in, or correct its place in the settings.", camera=state.camera)


def _held_words(state: SourceState) -> Words | None:
    """Return a sentence on settings of a camera that could not be held fixed, ``None`` for no trouble."""
    if not state.free:
        return None
    names = {
        "exposure": say("exposure"),
        "focus": say("focus"),
        "white-balance": say("white balance"),
    }
    free = tuple(names[name] for name in state.free if name in names)
    return say(
        "{camera} does not let the referee hold its {what}: if you can, set it by hand.",
        camera=state.camera,
        what=free,
    )
