"""An export, and what the referee and verify.py say of what somebody made of it."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from click.testing import CliRunner

from referee.cli import main
from referee.storage.checkpoint import Signer, fingerprint
from tests.archive.game import Files, exported, packed, unpacked
from tests.archive.witnessing import Phone


@dataclass(frozen=True)
class Exported:
    """zip: the export; files: what is in it; stranger: its verify.py as a module; key: fingerprint of the table's."""

    folder: Path
    zip: Path
    files: Files = field(repr=False)
    stranger: Any
    key: str

    @classmethod
    def made(cls, folder: Path, phone: Phone | None = None) -> Self:
        """Play a game and export it. phone: witnesses it."""
        made = exported(folder, phone=phone)
        files = unpacked(made)
        (folder / "verify.py").write_bytes(files["verify.py"])
        spec = importlib.util.spec_from_file_location("taken", folder / "verify.py")
        assert spec is not None
        assert spec.loader is not None
        stranger = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(stranger)
        return cls(folder, made, files, stranger, fingerprint(Signer.open(folder / "checkpoint.key").public))

    def found(self, files: Files, key: str = "", kept: Path | None = None) -> tuple[str, str]:
        """Return what the referee and verify.py say of an export with these files."""
        return self.found_raw(packed(files), key, kept)

    def found_raw(self, content: bytes, key: str = "", kept: Path | None = None) -> tuple[str, str]:
        """Return what they say of a file.

        key: fingerprint of the key that it ought to be signed with. kept: a witness's note.
        """
        changed = self.folder / "changed.zip"
        changed.write_bytes(content)
        options = [*(["--key", key] if key else []), *(["--note", str(kept)] if kept else [])]
        done = CliRunner().invoke(main, ["journal", "verify", str(changed), *options])
        assert "failed on this" not in done.output
        ours = "" if done.exit_code == 0 else done.output
        try:
            theirs = "\n".join(self.stranger.verify(changed, [], key, [kept] if kept else []).wrong)
        except self.stranger.UNREADABLE as error:
            theirs = f"can't be opened: {error}"
        return ours, theirs


def first_event(words: str) -> int:
    """Return the first event that is named."""
    found = re.search(r"\bevents? (\d+)", words)
    assert found, words
    return int(found[1])
