"""Pulls the plug at every step: a program that works on a folder is ended at its 1st, 2nd, 3rd ... file call.

Run as a program: ``python -m tests.archive.pulled SCENE FOLDER STRIDE``. It prints how many steps there were;
whatever does not hold after any of them is an error.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from referee.archive.backup import BackupWishes, backup
from referee.archive.export import export
from referee.archive.packed import PackedGame
from referee.archive.removal import delete_game, finish_deletions
from referee.archive.repair import repair_game
from referee.archive.restore import game_aside, restore
from referee.archive.shelf import Shelf
from referee.archive.taking import take_in
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import read_journal

PULLED = 9
TOUCHING = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.truncate", "shutil.", "sqlite3.connect")


def pulled_at(step: int, do: Callable[[], object]) -> bool:
    """Do something in a child that ends without a word at a step; return whether it came to that step."""
    child = os.fork()
    if child == 0:
        left = step

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
            if writes or event.startswith(TOUCHING):
                left -= 1
                if left <= 0:
                    os._exit(PULLED)

        sys.addaudithook(hook)
        do()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, PULLED), f"the child failed at step {step}"
    return code == PULLED


def whole(journal: Path) -> bool:
    """Return whether a game is there with every picture that its events name."""
    store = EvidenceStore(pictures_folder(journal))
    named = [str(c) for e in read_journal(journal) for c in dict(e.data.get("pictures") or {}).values()]
    return all(store.picture(content) is not None for content in named)


def deleting(folder: Path) -> None:
    """Check after a broken deletion: the game is whole or gone, and what is left of it can be cleared away."""
    journal = folder / "games" / "final.journal"
    if journal.exists():
        assert whole(journal)
        return
    finish_deletions(folder / "games")
    left = [path.name for path in (folder / "games").iterdir() if not path.name.endswith(".lock")]
    assert left == [], left


def backing_up(folder: Path) -> None:
    """Check after a broken backup: there is no backup, or a whole one."""
    out = folder / "out.zip"
    if out.exists():
        told = restore(out, folder / "again")
        assert told.games == ["final"]
    assert whole(folder / "games" / "final.journal")
    backup(folder, out, BackupWishes())
    nothing_left(folder)


def exporting(folder: Path) -> None:
    """Check after a broken export: there is no export, or a whole one."""
    out = folder / "out.zip"
    if out.exists():
        with PackedGame(out) as packed:
            assert not packed.problems()
    export(folder / "games" / "final.journal", out)
    nothing_left(folder)


def take(folder: Path) -> None:
    """Import the export."""
    target = folder / "into" / "games" / "final.journal"
    with PackedGame(folder / "packed.zip") as packed, game_aside(target, ".importing-", again=True) as journal:
        take_in(packed, journal)


def importing(folder: Path) -> None:
    """Check after a broken import: the game is there whole or not at all; done again, it is."""
    for card in Shelf(folder / "into" / "games").cards():
        assert whole(card.path)
    take(folder)
    assert whole(folder / "into" / "games" / "final.journal")
    nothing_left(folder / "into")


def nothing_left(folder: Path) -> None:
    """Verify that what a kill left aside is gone after the same was done again, there and among temporary files."""
    left = [path.name for path in (*folder.iterdir(), *Path(tempfile.gettempdir()).iterdir())]
    assert not [name for name in left if name.startswith((".", "referee-"))], left


def restoring(folder: Path) -> None:
    """Check after a broken restore: each game is there whole or not at all; done again, all are."""
    into = folder / "into"
    for card in Shelf(into / "games").cards():
        assert whole(card.path)
    told = restore(folder / "packed.zip", into)
    assert told.games + told.there == ["final"]
    assert whole(into / "games" / "final.journal")
    nothing_left(into)


def repairing(folder: Path) -> None:
    """Check after a broken repair: the damaged journal is there under one name; done again, it is repaired."""
    journal = folder / "games" / "final.journal"
    done = repair_game(journal)
    assert done.events == 3
    assert journal.with_name("final.journal.damaged").exists()
    assert len(read_journal(journal)) == 3


SCENES: dict[str, tuple[Callable[[Path], object], Callable[[Path], None]]] = {
    "delete": (lambda folder: delete_game(folder / "games" / "final.journal"), deleting),
    "backup": (lambda folder: backup(folder, folder / "out.zip", BackupWishes()), backing_up),
    "export": (lambda folder: export(folder / "games" / "final.journal", folder / "out.zip"), exporting),
    "import": (take, importing),
    "restore": (lambda folder: restore(folder / "packed.zip", folder / "into"), restoring),
    "repair": (lambda folder: repair_game(folder / "games" / "final.journal"), repairing),
}


def main(scene: str, folder: Path, stride: int) -> None:
    """Pull the plug at every so many steps of a scene.

    folder: holds ``start``, which each try begins with a copy of, and what is written temporarily.
    """
    do, holds = SCENES[scene]
    tempfile.tempdir = str(folder / "temporary")
    Path(tempfile.tempdir).mkdir()
    for step in itertools.count(1, stride):
        tried = folder / f"{step}"
        shutil.copytree(folder / "start", tried)
        pulled = pulled_at(step, partial(do, tried))
        holds(tried)
        shutil.rmtree(tried)
        if not pulled:
            sys.stdout.write(f"{step - 1}\n")
            return


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
