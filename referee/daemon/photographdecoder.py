"""Have photographs decoded by a process of its own, which is started with the first and anew when it fails."""

from __future__ import annotations

import subprocess
import sys
import threading

from calibration.decoding import LENGTH, Decoded, Spoilt, answered
from referee.values.closing import Closing
from vision.sources.process import child_environment

MOST_S = 30.0
"""A picture that takes longer is given up: a small computer needs three seconds for the largest."""


class PhotographDecoder(Closing):
    """Decodes one photograph at a time. Use as a context manager; one thread asks."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def decode(self, content: bytes) -> Decoded | Spoilt:
        """Decode a file; what makes the process fail can't be read."""
        process = self._process if self._process is not None else self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(MOST_S, process.kill)
        late.start()
        try:
            process.stdin.write(LENGTH.pack(len(content)) + content)
            process.stdin.flush()
            return answered(process.stdout)
        except (OSError, EOFError, ValueError, KeyError):
            self.close()
            return Spoilt.UNREADABLE
        finally:
            late.cancel()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _started(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "calibration.decoding"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
            start_new_session=True,
        )
        return self._process
