"""The referee's log: lines for people or JSON for programs, on standard error, with credentials masked in either.

Modules log with ``logging.getLogger(__name__)`` and give what a program may want to pick out as ``extra={...}``.
"""

from __future__ import annotations

import json
import logging
import logging.config
from datetime import UTC, datetime

from referee.service.masking import masked

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure(level: str = "info", form: str = "text") -> None:
    """Send everything from a level up (debug, info, warning, error) to standard error, as ``text`` or ``json``."""
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"said": {"()": JsonLines if form == "json" else TextLines}},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "said"}},
            "root": {"level": level.upper(), "handlers": ["stderr"]},
            # It warns of every answer that had to wait for a thread, which is normal with event streams.
            "loggers": {"waitress.queue": {"level": "ERROR"}},
        }
    )
    logging.captureWarnings(True)


class TextLines(logging.Formatter):
    """``2026-05-04T12:00:00.000+00:00 INFO referee.daemon: ruled verdict=legal``: one line, tracebacks below it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text, masked."""
        said = record.getMessage().replace("\n", "\\n")
        extras = "".join(f" {key}={_word(value)}" for key, value in _extras(record).items())
        line = f"{_time(record)} {record.levelname} {record.name}: {said}{extras}"
        trace = _traceback(self, record)
        return masked(f"{line}\n{trace}" if trace else line)


class JsonLines(logging.Formatter):
    """One JSON object a line: at, level, logger, message, what was given as extra, a traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON, masked."""
        said: dict[str, object] = {key: _masked_value(value) for key, value in _extras(record).items()}
        said |= {
            "at": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        if trace := _traceback(self, record):
            said["traceback"] = masked(trace)
        return json.dumps(said, ensure_ascii=False, default=lambda value: masked(str(value)))


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _extras(record: logging.LogRecord) -> dict[str, object]:
    return {key: value for key, value in vars(record).items() if key not in _STANDARD}


def _traceback(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    parts = [formatter.formatException(record.exc_info)] if record.exc_info else []
    if record.stack_info:
        parts.append(formatter.formatStack(record.stack_info))
    return "\n".join(parts)


def _word(value: object) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if not text or any(c in text for c in ' "=\n\t') else text


def _masked_value(value: object) -> object:
    """Return a value with every text in it masked, at any depth."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {str(key): _masked_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_masked_value(item) for item in value]
    return value
