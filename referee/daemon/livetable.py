"""Take pictures by the cameras of a real table, help set them up, teach them a mat, and let them join late."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from pathlib import Path

from calibration.lens import Lens
from referee.daemon.boardphotographs import BoardPhotographs
from referee.daemon.boardsetup import BoardSetup
from referee.daemon.commandqueue import CommandQueue
from referee.daemon.latecameras import LateCameras
from referee.daemon.livecameras import LiveFrameSource
from referee.daemon.phonecameras import LivePhones, PhotographPhones
from referee.daemon.phonelenses import PhoneLenses
from referee.daemon.photographinbox import PhotographInbox
from referee.daemon.photographlenses import PhotographLenses
from referee.daemon.preview import LatestPictures, eyes_of
from referee.daemon.setupguide import SetupGuide
from referee.daemon.tablesight import TableSight
from referee.daemon.teaching import mat_teacher
from referee.match.events import AnyGame
from referee.match.turnkind import needs_pictures, turn_kind
from referee.service.settings import Settings
from referee.values.metrics import Metrics
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder
from vision.sources.address import Source
from vision.sources.camera import Camera
from web.tableparts import TableParts
from web.tableview import PhoneCameras


class LiveTable:
    """Cameras in processes of their own, started at once and ended with ``parts``. ``brings``: for the page."""

    def __init__(
        self,
        game: AnyGame,
        reader: PoseFinder,
        sources: Mapping[str, Source],
        calibrated: Collection[str],
        commands: CommandQueue,
        metrics: Metrics,
        settings: Settings,
        parts: ExitStack,
        reads: Callable[[], bool],
        is_set_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """Set a live table up.

        reader: with the table's folder and lenses. calibrated: the cameras whose lens is known from the start.
        reads: whether the loop reads a look. is_set_up: whether the board is still being set up.
        """
        folder: Path = reader.folder
        turned = turn_kind(game.kit).BOARD_IS_TURNED
        changed = threading.Condition()
        cameras = {
            name: parts.enter_context(
                Camera(name, source, reader.lens(name).size if name in calibrated else None, changed=changed)
            )
            for name, source in sources.items()
        }
        looks: LatestPictures = eyes_of(game.kit, reader)
        self._late = late = LateCameras(folder, reader, cameras, calibrated)
        parts.callback(late.close)
        self.guide = SetupGuide(
            folder, game, reader, cameras, lambda: late.known, commands.note, settings.language,
            lambda: self._source.levels,
        )  # fmt: skip
        self._playing = {name: camera for name, camera in cameras.items() if name in calibrated}
        self._measured: Callable[[str, Lens], None] = lambda camera, lens: None

        def measured(camera: str, lens: Lens) -> None:
            self._measured(camera, lens)

        self._kept: Callable[[Mapping[str, bytes]], None] = lambda files: None
        photographs, board = None, None
        if reader.board is not None:
            board = BoardSetup(reader, is_set_up, lambda files: self._kept(files))
        if reader.table.held:
            lenses = (
                PhotographLenses(reader, measured) if board is None else BoardPhotographs(reader, board, measured)
            )
            photographs = parts.enter_context(PhotographInbox(lenses, lambda: self._source.wake()))
            if board is not None:
                board.again = photographs.again
        self._source = LiveFrameSource(
            self._playing, changed, reader, on_frame=metrics.frame, on_rest=metrics.rests,
            turned=turned, held=reader.table.held, photographs=photographs, flat=not needs_pictures(game.kit),
        )  # fmt: skip
        self.sight = TableSight(self._source, looks, settings.turn_end.still_s)
        phones: PhoneCameras = PhotographPhones(reader.table.held)
        if board is None:
            sought = PhoneLenses(folder, reader.table, cameras, lambda: late.known)
            parts.callback(sought.close)
            phones = LivePhones(
                cameras,
                lambda name: None if (lens := late.lens(name)) is None else lens.size,
                sought.words,
                reader.table.held,
            )
        self.cameras, self.table, self.lens, self.turned = cameras, reader.table, late.lens, turned
        self._reads = reads
        self.brings = TableParts(
            looks=looks,
            setup=self.guide,
            phones=phones,
            photographs=photographs,
            board=board,
            mat=mat_teacher(game, reader, self._playing, lambda: looks.newest(PHOTOGRAPHS)),
        )

    def busy(self) -> bool:
        """Return whether a look is read, or the table is checked: nothing else is measured meanwhile."""
        return self._reads() or self.guide.busy

    def follow(self, measured: Callable[[str, Lens], None], kept: Callable[[Mapping[str, bytes]], None]) -> None:
        """Let cameras take part whose lens is found from now on. measured: told each lens before its camera joins.

        kept: told the files that tell what a bare board looks like.
        """

        def joins(camera: Camera, lens: Lens) -> None:
            measured(camera.name, lens)
            self._playing[camera.name] = camera
            self._source.join(camera)

        self._measured, self._kept = measured, kept
        self._late.follow(joins)
