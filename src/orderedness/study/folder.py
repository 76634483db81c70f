"""Files in a folder that several processes may write to: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import uuid
from pathlib import Path

_FULL = {errno.ENOSPC, errno.EDQUOT}


def put(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; of two processes that write the same, the last one's stays.

    The temporary name is unique among all processes on all hosts that share the folder. Nothing
    waits until the data has reached the disk: of a part that a power failure leaves incomplete,
    the checksum tells.

    Examples:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "new" / "part"
        >>> put(path, b"whole")
        >>> path.read_bytes(), len(list(path.parent.iterdir()))
        (b'whole', 1)
    """
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_bytes(data)
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
