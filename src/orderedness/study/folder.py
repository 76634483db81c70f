"""Files in a folder that several processes may write to: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import uuid
from collections.abc import Iterator
from pathlib import Path

_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextlib.contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """Give a temporary path that takes the place of `path` when all went well.

    Of two processes that write the same file, the last one's stays. The temporary name is unique
    among all processes on all hosts that share the folder. A full disk is said to be one.

    Examples:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "new" / "part"
        >>> with write_whole(path) as partial:
        ...     _ = partial.write_bytes(b"whole")
        >>> path.read_bytes(), len(list(path.parent.iterdir()))
        (b'whole', 1)
    """
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield partial
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        if error.errno in _FULL:
            raise OSError(
                f"the disk is full: {path} could not be written; everything finished before is "
                "kept, so free some space and run the same again"
            ) from error
        raise


def put(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Nothing waits until it has reached the disk: of a part that a power failure leaves incomplete,
    the checksum tells.
    """
    with write_whole(path) as partial:
        partial.write_bytes(data)


def get(path: Path) -> bytes | None:
    """The bytes of a file, or None if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def set_aside(path: Path) -> Path:
    """Rename a damaged file, so that it is in nobody's way and can be looked at."""
    aside = path.with_name(path.name + ".damaged")
    with contextlib.suppress(FileNotFoundError):  # another process was faster
        path.replace(aside)
    return aside
