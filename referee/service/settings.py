"""What can be set: one TOML file, environment variables over it, and defaults that work without either.

Every value knows where it came from. A value that can't be used is an error that names the file, the line and the key
and says what to write; an unknown key is an error with the nearest known one, for a misspelt setting that is silently
ignored is found out in the middle of a tournament.

In the environment ``[page] port`` is ``REFEREE_PAGE_PORT``, the camera ``cam0`` is ``REFEREE_CAMERAS_CAM0``; a list
is written with commas.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from platformdirs import user_config_path, user_data_path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from pydantic.fields import FieldInfo

from referee.addons import addon_modules
from referee.service.masking import masked
from referee.service.tomllines import lines_of_keys
from referee.values.words import LANGUAGES

PREFIX = "REFEREE_"
FILE_VARIABLE = "REFEREE_SETTINGS"
OTHER_VARIABLES = frozenset({FILE_VARIABLE, "REFEREE_DEBUG", "REFEREE_KILLS"})
"""Variables with our prefix that set something else."""

CAMERA_NAME = r"[a-z][a-z0-9_-]{0,31}"


class SettingsError(Exception):
    """Settings that can't be used: one line for each thing to mend, naming the file, the line and the key."""


def _path(value: object) -> object:
    return Path(value).expanduser() if isinstance(value, str) and value else value


def _words(value: object) -> object:
    if isinstance(value, str):
        value = [word.strip() for word in value.split(",") if word.strip()]
    return tuple(value) if isinstance(value, list) else value


def says(hint: str, **limits: Any) -> Any:
    """Return a field with its limits and the hint that errors show."""
    return Field(description=hint, **limits)


Port = Annotated[int, says("a port number from 0 to 65535; 0 takes any free one", ge=0, le=65535)]
BoxButton = Annotated[int, says("the number of a button, from 1 to 99", ge=1, le=99)]
Host = Annotated[
    str, says("a host name or IPv4 address", pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$")
]
Switch = Annotated[bool, says("true or false")]
Source = Annotated[str, says("where the camera's pictures come from: a URL, or the path of a device", min_length=1)]


class Section(BaseModel):
    """A part of the settings: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Added = TypeVar("Added", bound=Section)


class Page(Section):
    """The tablet page."""

    host: Annotated[Host, says("the address to listen at; 0.0.0.0 for every device on the network")] = "127.0.0.1"
    port: Port = 8080
    allowed_hosts: Annotated[
        tuple[Host, ...],
        BeforeValidator(_words),
        says("further names under which the page may be opened, besides this machine's own"),
    ] = ()
    behind_proxy: Annotated[
        Switch, says("true: a web server on this machine stands in front for HTTPS; its forwarded headers count")
    ] = False
    https_port: Annotated[
        Port, says("the port for HTTPS, once 'referee https' has made the table's certificates; 0: never")
    ] = 8443
    open_watching: Annotated[Switch, says("true: whoever opens the page may watch; false: only paired devices")] = (
        True
    )


class ButtonBox(Section):
    """The button box on the table."""

    port: Annotated[
        str, says("the serial port, as /dev/serial/by-id/... or a URL like socket://host:port; empty for none")
    ] = ""
    declare_buttons: Annotated[
        tuple[BoxButton, ...],
        BeforeValidator(_words),
        says("buttons that declare, one a question: a press steps to its next answer, such as a card; empty: none"),
    ] = ()


class TurnEnd(Section):
    """What ends a turn besides a button."""

    still_s: Annotated[
        float,
        says(
            "seconds the board must be changed and still to end the turn by itself, up to 60; 0: never",
            ge=0,
            le=60,
            allow_inf_nan=False,
        ),
    ] = 0.0


class EvidenceSettings(Section):
    """Which pictures behind rulings are kept, and how long. Running and disputed games are never touched."""

    keep_days: Annotated[
        float, says("days pictures are kept; 0 keeps them until space runs out", ge=0, allow_inf_nan=False)
    ] = 30.0
    keep_mb: Annotated[int, says("megabytes all pictures may take, at least 10", ge=10)] = 2000
    hands: Annotated[
        Literal["keep", "leave-out"],
        says("pictures with a hand or something else over the board: keep or leave-out; nothing is ruled on by them"),
    ] = "keep"


class Log(Section):
    """What the referee writes for whoever looks after it."""

    level: Annotated[
        Literal["debug", "info", "warning", "error"], says("how much is told: debug, info, warning or error")
    ] = "info"
    format: Annotated[Literal["text", "json"], says("text for people, json for programs: one object a line")] = "text"


class Settings(Section):
    """Everything that can be set."""

    data_folder: Annotated[Path, BeforeValidator(_path), says("the folder for journals and pictures of games")] = (
        Field(default_factory=lambda: user_data_path("referee"))
    )
    language: Annotated[
        str,
        says(
            f"the page's first language: {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}",
            pattern=f"^({'|'.join(LANGUAGES)})$",
        ),
    ] = "en"
    page: Page = Page()
    cameras: Annotated[
        dict[Annotated[str, Field(pattern=f"^{CAMERA_NAME}$")], Source],
        says("a camera of table.json and where its pictures come from, for each camera"),
    ] = {}
    button_box: ButtonBox = ButtonBox()
    turn_end: TurnEnd = TurnEnd()
    evidence: EvidenceSettings = EvidenceSettings()
    log: Log = Log()

    def of(self, kind: type[Added]) -> Added:
        """Return the section that an add-on brings; as by default where it was not read."""
        return next((value for _, value in self if isinstance(value, kind)), None) or kind()


@cache
def settings_model() -> type[Settings]:
    """Return the settings with the sections of all add-ons: the module ``settings`` of each names them."""
    sections = {name: kind for module in addon_modules("settings") for name, kind in module.SECTIONS.items()}
    brought: dict[str, Any] = {name: (kind, kind()) for name, kind in sections.items()}
    return create_model("Settings", __base__=Settings, __doc__=Settings.__doc__, **brought)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from: a line of the settings file, a variable of the environment, else the default."""

    file: Path | None = None
    line: int = 0
    variable: str = ""

    def __str__(self) -> str:
        if self.variable:
            return f"environment {self.variable}"
        return f"{self.file}:{self.line}" if self.file else "default"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings and the origin of each by its dotted key. file: the one that was read or would be."""

    settings: Settings
    origins: Mapping[str, Origin]
    file: Path

    def rows(self) -> Iterator[tuple[str, str, Origin]]:
        """Yield each key with its value as text, credentials masked, and its origin."""
        for key, value in _leaves(self.settings):
            yield key, _shown(value), self.origins.get(key, Origin())


def settings_file(environ: Mapping[str, str] | None = None) -> Path:
    """Return the file settings are read from: ``REFEREE_SETTINGS``, or ``referee.toml`` in the user's own folder."""
    named = (os.environ if environ is None else environ).get(FILE_VARIABLE, "")
    return Path(named).expanduser() if named else user_config_path("referee") / "referee.toml"


def load_settings(path: Path | None = None, environ: Mapping[str, str] | None = None) -> Loaded:
    """Read the settings. path: the file to read, which must then exist; environ: instead of the process's own.

    Raises SettingsError with a line for everything that must be mended.
    """
    environ = os.environ if environ is None else environ
    file = path if path is not None else settings_file(environ)
    must_exist = path is not None or bool(environ.get(FILE_VARIABLE))
    text = _text(file, must_exist)
    found: dict[str, tuple[Any, Origin]] = {}
    faults = [*_from_file(file, text, found), *_from_environment(environ, found)]
    if faults:
        raise SettingsError("\n".join(faults))
    tree: dict[str, Any] = {}
    for key, (value, _) in found.items():
        *sections, name = key.split(".")
        node = tree
        for section in sections:
            node = node.setdefault(section, {})
        node[name] = value
    return Loaded(settings_model().model_validate(tree), {key: origin for key, (_, origin) in found.items()}, file)


def _text(file: Path, must_exist: bool) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        if must_exist:
            raise SettingsError(
                f"{file}: there is no such settings file; 'referee settings --example' prints one to start from"
            ) from None
        return ""
    except OSError as error:
        raise SettingsError(f"{file}: the settings file can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file}: the settings file is not UTF-8 text (byte {error.start + 1})") from None


def _from_file(file: Path, text: str, found: dict[str, tuple[Any, Origin]]) -> Iterator[str]:
    """Put the file's values into ``found`` and yield what is wrong with it."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        yield f"{file}: this is not TOML: {error}"
        return
    lines = lines_of_keys(text)
    for key, value in _flat(tree):
        line = lines.get(key, 1)
        fault = _check(key, value, strict=True)
        if fault:
            yield f"{file}, line {line}: {fault}"
        else:
            found[key] = (_converted(key, value, strict=True), Origin(file, line))


def _from_environment(environ: Mapping[str, str], found: dict[str, tuple[Any, Origin]]) -> Iterator[str]:
    """Put the environment's values over those in ``found`` and yield what is wrong with them."""
    variables = {variable_of(key): key for key in known_keys()}
    cameras = {variable_of(key): key for key in found if key.startswith("cameras.")}
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable in OTHER_VARIABLES:
            continue
        key = variables.get(variable) or cameras.get(variable)
        if key is None and variable.startswith(f"{PREFIX}CAMERAS_"):
            key = "cameras." + variable.removeprefix(f"{PREFIX}CAMERAS_").lower()
        if key is None:
            yield f"environment: {variable} sets nothing{_nearest(variable, [*variables, *cameras])}"
            continue
        fault = _check(key, environ[variable], strict=False)
        if fault:
            yield f"environment, {variable}: {fault}"
        else:
            found[key] = (_converted(key, environ[variable], strict=False), Origin(variable=variable))


def known_keys() -> list[str]:
    """Return every dotted key that can be set, except cameras, which have names of their own."""
    return [key for key, value in _leaves(settings_model()()) if key != "cameras"]


def variable_of(key: str) -> str:
    """Return the environment variable that sets a key."""
    return PREFIX + re.sub(r"[.-]", "_", key).upper()


def toml_of(value: object) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(toml_of(item) for item in value)}]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _shown(value: object) -> str:
    return masked(toml_of(value)) if value != {} else "none"


def _leaves(settings: BaseModel, prefix: str = "") -> Iterator[tuple[str, object]]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{prefix}{name}.")
        elif isinstance(value, dict) and value:
            yield from ((f"{prefix}{name}.{key}", item) for key, item in value.items())
        else:
            yield prefix + name, value


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the settings in a TOML tree by dotted key; a table in a wrong place is yielded as it is."""
    for name, value in tree.items():
        key = prefix + name
        info = settings_model().model_fields.get(name) if not prefix else None
        if info is not None and isinstance(value, dict) and (_section(info) or name == "cameras"):
            yield from _flat(value, f"{key}.")
        else:
            yield key, value


def _section(info: FieldInfo) -> type[Section] | None:
    kind = info.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None


def _field(key: str) -> FieldInfo | None:
    """Return the field a dotted key sets, ``None`` when there is none."""
    name, _, inner = key.partition(".")
    info = settings_model().model_fields.get(name)
    if info is None or not inner:
        return info
    section = _section(info)
    return section.model_fields.get(inner) if section else None


def _converted(key: str, value: Any, strict: bool) -> Any:
    """Return the value converted to the setting's type. Raises ValidationError."""
    if key.startswith("cameras."):
        kind: Any = Source
    else:
        info = _field(key)
        assert info is not None, key
        kind = Annotated[info.annotation, info]
    return TypeAdapter(kind).validate_python(value, strict=strict)


def _check(key: str, value: Any, strict: bool) -> str:
    """Return what is wrong with a value for a key, and what to do; empty for a good value."""
    if key.startswith("cameras."):
        name = key.removeprefix("cameras.")
        if not re.fullmatch(CAMERA_NAME, name):
            return f"{name[:40]!r} is no camera's name: use small letters, digits, - and _, as in table.json"
        hint = "where the camera's pictures come from: a URL, or the path of a device"
    else:
        info = _field(key)
        if info is None:
            return f"there is no setting {key!r}{_nearest(key, [*known_keys(), *settings_model().model_fields])}"
        if key == "cameras" or _section(info):
            return f"{key} is a section: write [{key}] on a line of its own, and its settings below"
        hint = info.description or ""
    try:
        _converted(key, value, strict)
    except ValidationError:
        return f"{key} must be {hint}; not {masked(repr(value))[:80]}"
    return ""


def _nearest(word: str, known: list[str]) -> str:
    """Return the hint that an error about an unknown word ends with."""
    near = difflib.get_close_matches(word, known, 1, 0.6)
    tail = [name for name in known if name.rsplit(".", 1)[-1] == word.rsplit(".", 1)[-1]]
    if near or tail:
        return f": did you mean {(near or tail)[0]}?"
    return ": 'referee settings' shows all there are"
