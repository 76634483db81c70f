"""Where files go, and how they are written: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path` that takes its place when all went well.

    Examples:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "new" / "a.txt"
        >>> with writing(path) as partial:
        ...     _ = partial.write_text("whole")
        >>> path.read_text(), len(list(path.parent.iterdir()))
        ('whole', 1)
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def cache_folder(kind: str) -> Path:
    """The folder in the user's cache for one kind of compiled code.

    Examples:
        >>> cache_folder("jax").name
        'jax'
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "orderedness" / kind
