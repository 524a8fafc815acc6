"""Write the parts of the manual that come from the code: ``python -m scripts.reference``.

docs/reference/commands.md comes from click, docs/reference/settings.md from the settings' models,
docs/reference/addresses.md from the OpenAPI description, docs/reference/hall-topics.md and hall.schema.json from the
messages' models, docs/decisions/index.md from the decisions' own pages. What stands above the marker in each page is
written by hand. ``make docs`` runs this; tests/manual/test_reference.py fails when a page is out of date.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from referee.addons.hall.messages import (
    MESSAGES,
    HallBanner,
    HallCamera,
    HallDispute,
    HallGame,
    HallPhase,
    HallResult,
    HallViolation,
    Need,
    RoomSwitches,
    Said,
)
from referee.addons.hall.orders import (
    AskEvents,
    AskReport,
    ChangePosition,
    CodeWanted,
    MakeNote,
    NotTrusted,
    Order,
    OrderDone,
    OrderRefused,
    PauseGame,
    ReportPart,
    ResumeGame,
    SayBoard,
    SetAside,
    SignedOrder,
    TimePenalty,
    TrustAsked,
    Trusted,
    Uphold,
)
from referee.cli import main as cli
from referee.service.settings import known_keys, settings_model, toml_of, variable_of
from web.api.description import describe
from web.app import create_app

DOCS = Path(__file__).resolve().parent.parent / "docs"
MARKER = "<!-- from here on made by python -m scripts.reference: change the code instead -->"
ACCESS = {
    "everybody where watching is open": "watch",
    "everybody with a code": "with a code",
    "everybody": "everybody",
    "paired devices": "paired",
}
"""The description's words for each access, and the table's word for it."""
SHORT = 50
"""Characters below which the first sentence of a decision says too little without the second."""


def commands() -> list[str]:
    """Return every command with its arguments and options."""
    found = [one for one in _walk(cli, "referee") if not isinstance(one[1], click.Group) or _acts(one[1])]
    lines = ["| command | does |", "|---|---|"]
    lines += [f"| [`{name}`](#{name.replace(' ', '-')}) | {_cell(_first(one))} |" for name, one, _ in found]
    for name, command, context in found:
        usage = " ".join(command.collect_usage_pieces(context))
        lines += ["", f"## `{name}`", "", f"```text\n{name} {usage}\n```", "", *_prose(command)]
        records = [one.get_help_record(context) for one in command.params]
        rows = [f"| `{one[0].replace('|', ', ')}` | {_cell(one[1])} |" for one in records if one and one[1]]
        lines += ["", "| option | means |", "|---|---|", *rows] if rows else []
    return lines


def _walk(command: click.Command, name: str) -> Iterator[tuple[str, click.Command, click.Context]]:
    context = click.Context(command, info_name=name)
    yield name, command, context
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from _walk(found, f"{name} {below}")


def _acts(group: click.Group) -> bool:
    """Return whether a group of commands does something where none of them is named."""
    return group.invoke_without_command and bool(group.params)


def _help(command: click.Command) -> str:
    return inspect.cleandoc(command.help or "").partition("\f")[0].strip()


def _first(command: click.Command) -> str:
    paragraph = " ".join(_help(command).split("\n\n")[0].split())
    return re.split(r"(?<=[.!?]) (?=[A-Z])", paragraph)[0].rstrip(".")


def _prose(command: click.Command) -> list[str]:
    lines: list[str] = []
    for paragraph in _help(command).split("\n\n"):
        if paragraph.startswith("\b"):
            lines += ["```text", *paragraph.splitlines()[1:], "```", ""]
        else:
            lines += [_text(" ".join(paragraph.split())), ""]
    return lines[:-1]


def settings() -> list[str]:
    """Return every setting with its variable, default and meaning."""
    lines: list[str] = []
    heads = list(dict.fromkeys(key.rpartition(".")[0] for key in known_keys()))
    for head in heads:
        model = settings_model().model_fields[head].annotation if head else settings_model()
        lines += ["", f"## `[{head}]`", "", _text(inspect.cleandoc(model.__doc__ or ""))] if head else []
        lines += ["", "| key | environment | default | means |", "|---|---|---|---|"]
        for key in known_keys():
            if key.rpartition(".")[0] == head:
                lines.append(_setting(key, model))
    return lines[1:]


def _setting(key: str, model: Any) -> str:
    name = key.rpartition(".")[2]
    field = model.model_fields[name]
    default = field.get_default(call_default_factory=True)
    shown = "the user's data folder" if isinstance(default, Path) else f"`{toml_of(default)}`"
    return f"| `{name}` | `{variable_of(key)}` | {shown} | {_cell(field.description or '')} |"


class _NoTable:
    """Stands for a table where only the addresses are of interest."""

    def snapshot(self, language: str = "en") -> dict[str, object]:
        return {"version": 1}

    def wait(self, version: int, timeout: float) -> bool:
        return False


def addresses() -> list[str]:
    """Return every address of the HTTP API, grouped by the first part of its path."""
    told = describe(create_app(_NoTable()))
    lines: list[str] = []
    group = None
    for path, operations in told["paths"].items():
        if path.split("/")[2] != group:
            group = path.split("/")[2]
            lines += ["", f"## {group}", "", "| address | does | takes | who |", "|---|---|---|---|"]
        for method, one in operations.items():
            taken = _taken(one, told["components"]["schemas"])
            lines.append(f"| `{method.upper()} {path}` | {_cell(one['summary'])} | {taken} | {_who(one)} |")
    return lines[1:]


def _taken(operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    taken = [f"`?{one['name']}`" for one in operation["parameters"] if one["in"] == "query" and one["name"] != "lang"]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        name = content["schema"].get("$ref", "").rpartition("/")[2]
        taken += [f"`{field}`" for field in schemas.get(name, {}).get("properties", {})]
    return ", ".join(taken)


def _who(operation: dict[str, Any]) -> str:
    access = operation["description"].rpartition("\n\nFor ")[2]
    return next(word for start, word in ACCESS.items() if access.startswith(start))


def hall_topics() -> list[str]:
    """Return every message of a hall with its keys."""
    lines: list[str] = []
    for title, models in _hall_messages().items():
        lines += ["", f"## {title}"] if lines else [f"## {title}"]
        for model in models:
            lines += ["", f"**{model.__name__}.** {_cell(_prose_of(model))}", "", "| key | holds |", "|---|---|"]
            schema = model.model_json_schema()
            for key, held in schema["properties"].items():
                lines.append(f"| `{key}` | {_cell(_held(held))} |")
    return lines


def _hall_messages() -> dict[str, list[type[BaseModel]]]:
    """Return the models by where they occur: the topics', those within them, orders and answers."""
    topics = {f"`{leaf.value}`": [model] for leaf, model in MESSAGES.items()}
    within = [HallGame, HallPhase, HallBanner, Need, HallDispute, HallResult, RoomSwitches, HallViolation, HallCamera]
    acts = [
        Uphold, SetAside, SayBoard, ChangePosition, TimePenalty, PauseGame, ResumeGame, MakeNote, AskReport,
        AskEvents,
    ]  # fmt: skip
    return {
        **topics,
        "Parts of messages": [Said, *within],
        "`command`": [SignedOrder, Order, *acts, TrustAsked, CodeWanted],
        "`answer`": [OrderDone, OrderRefused, ReportPart, Trusted, NotTrusted],
    }


def _prose_of(model: type[BaseModel]) -> str:
    return " ".join((inspect.getdoc(model) or "").split()).replace("``", "`")


def _held(held: dict[str, Any]) -> str:
    """Return what a key of a JSON schema holds, in a few words."""
    name = held["$ref"].rsplit("/", 1)[-1] if "$ref" in held else ""
    if "anyOf" in held or "oneOf" in held:
        name = " or ".join(_held(one) for one in held.get("anyOf", held.get("oneOf", [])))
    elif "enum" in held or "const" in held:
        name = ", ".join(f"`{word}`" for word in held.get("enum", [held.get("const")]))
    elif held.get("type") == "array":
        name = f"list of {_held(held['items'])}"
    elif held.get("type") == "object" and isinstance(held.get("additionalProperties"), dict):
        name = f"object of {_held(held['additionalProperties'])}" if held["additionalProperties"] else "object"
    kinds = {"integer": "whole number", "string": "text", "boolean": "true or false", "null": "null"}
    name = name or kinds.get(held.get("type", ""), held.get("type", "any"))
    return f"{name}: {held['description']}" if "description" in held else name


def hall_schema() -> str:
    """Return the JSON schema of every message of a hall."""
    found = [model for models in _hall_messages().values() for model in models]
    _, defs = models_json_schema([(model, "serialization") for model in found], title="Messages of a hall of tables")
    told = {"$schema": "https://json-schema.org/draft/2020-12/schema", **defs}
    return json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def decisions() -> list[str]:
    """Return the decisions, each with its title and the beginning of what was decided."""
    lines = ["| | decision | in short |", "|---|---|---|"]
    for path in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        text = path.read_text(encoding="utf-8")
        decided = re.search(r"^## Decision\n+(.+?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
        words = " ".join(decided[1].split()) if decided else ""
        first, *more = re.split(r"(?<=\.) (?=[A-Z`])", re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", words))
        short = f"{first} {more[0]}" if len(first) < SHORT and more else first
        lines.append(f"| {path.name[:4]} | [{text.splitlines()[0].removeprefix('# ')}]({path.name}) | {short} |")
    return lines


def _text(words: str) -> str:
    return words.replace("<", "&lt;").replace("*", "\\*")


def _cell(words: str) -> str:
    return _text(" ".join(words.split())).replace("|", "\\|")


PAGES: dict[str, Callable[[], list[str]]] = {
    "reference/commands.md": commands,
    "reference/settings.md": settings,
    "reference/addresses.md": addresses,
    "reference/hall-topics.md": hall_topics,
    "decisions/index.md": decisions,
}
FILES: dict[str, Callable[[], str]] = {"reference/hall.schema.json": hall_schema}
"""Files that come from the code as a whole."""


def updated(name: str) -> str:
    """Return a page with what stands below its marker made anew."""
    before, marker, _ = (DOCS / name).read_text(encoding="utf-8").partition(MARKER)
    if not marker:
        raise ValueError(f"docs/{name}: the line {MARKER!r} is missing")
    return f"{before}{MARKER}\n\n" + "\n".join(PAGES[name]()) + "\n"


def main() -> int:
    """Write the pages."""
    for name in PAGES:
        (DOCS / name).write_text(updated(name), encoding="utf-8")
    for name, made in FILES.items():
        (DOCS / name).write_text(made(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
