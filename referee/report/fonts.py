"""The letters of reports: DejaVu Sans where the system has it, else ReportLab's own Bitstream Vera (Latin only)."""

from __future__ import annotations

from pathlib import Path

import reportlab

_FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF", "/usr/share/fonts/dejavu")


def font_files() -> tuple[Path, Path]:
    """Return the files of the regular and the bold letters."""
    for folder in map(Path, _FOLDERS):
        regular, bold = folder / "DejaVuSans.ttf", folder / "DejaVuSans-Bold.ttf"
        if regular.is_file() and bold.is_file():
            return regular, bold
    ours = Path(reportlab.__file__).parent / "fonts"
    return ours / "Vera.ttf", ours / "VeraBd.ttf"
