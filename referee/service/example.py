"""Writes an example of the settings file: every key with its default and what it means."""

from __future__ import annotations

from pathlib import Path

from referee.service.settings import Section, settings_model, toml_of


def example() -> str:
    """Return a settings file with every key, its default and what it means."""
    lines = ["# Settings of the referee. Every value here is as it would be without this file."]
    model = settings_model()
    defaults = model()
    for name, info in model.model_fields.items():
        value = getattr(defaults, name)
        if isinstance(value, Section):
            lines += ["", f"# {(type(value).__doc__ or '').strip()}", f"[{name}]"]
            for inner, inner_info in type(value).model_fields.items():
                lines += [f"# {inner_info.description}", f"{inner} = {toml_of(getattr(value, inner))}"]
        elif name == "cameras":
            lines += ["", f"# {info.description}", "[cameras]", '# cam0 = "rtsp://camera.local/stream"']
        elif name == "data_folder":  # the default is this machine's, and the file may go to another
            lines += [f"# {info.description}", f'# data_folder = "{_as_typed(value)}"']
        else:
            lines += [f"# {info.description}", f"{name} = {toml_of(value)}"]
    return "\n".join(lines) + "\n"


def _as_typed(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
