"""What is said when some blocks of a study could not be computed, and everything else was."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True)
class Failure:
    """A block that failed every time it was tried.

    Attributes:
        arm: the labels of the arm it belongs to, as text.
        start: its first seed.
        stop: the seed behind its last one.
        tries: how often it was tried.
        reason: the last error.
    """

    arm: str
    start: int
    stop: int
    tries: int
    reason: str

    def __str__(self) -> str:
        return (
            f"arm {self.arm}, seeds {self.start} to {self.stop - 1}, tried {self.tries} "
            f"times: {self.reason}"
        )


class FailedError(RuntimeError):
    """Blocks of a study failed; all others are stored.

    Attributes:
        failures: what failed.
    """

    def __init__(self, study: str, failures: Sequence[Failure], blocks: int) -> None:
        """Of a study with this many blocks."""
        self.failures = tuple(failures)
        shown = "; ".join(map(str, self.failures[:5]))
        more = len(self.failures) - 5
        super().__init__(
            f"{len(self.failures)} of the {blocks} blocks of study {study!r} failed, all others "
            f"are stored: {shown}" + (f"; and {more} more" if more > 0 else "")
        )
