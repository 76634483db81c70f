"""How much a file may hold, so that a small or broken one cannot fill the memory."""

from __future__ import annotations

import zipfile
from pathlib import Path

from orderedness.measuring.shown import shown

MOST_BYTES = 4 << 30  # of one array, unpacked
FREE_BYTES = 64 << 20  # an archive may unpack to this much whatever its own size
MOST_RATIO = 250  # beyond that, to so many times its own size
MOST_EDGES = 200_000_000


def check_size(about: str, unpacked: int, packed: int | None = None) -> None:
    """Refuse an array too large for memory, or far larger than the file that it is packed in.

    Examples:
        >>> check_size("a.npz", unpacked=1 << 30, packed=1000)
        Traceback (most recent call last):
            ...
        ValueError: a.npz unpacks from 1,000 to 1,073,741,824 bytes, but may unpack to at most 250
        times its size
    """
    if unpacked > MOST_BYTES:
        raise ValueError(
            f"{about} holds {unpacked:,} bytes in one array, but must hold at most "
            f"{MOST_BYTES:,}; write a large network as edges"
        )
    if packed is not None and unpacked > max(FREE_BYTES, MOST_RATIO * packed):
        raise ValueError(
            f"{about} unpacks from {packed:,} to {unpacked:,} bytes, but may unpack to at most "
            f"{MOST_RATIO} times its size"
        )


def check_archive(path: Path) -> None:
    """Refuse a zip file that unpacks to far more than it is, or that is damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as error:
        raise ValueError(f"{shown(path)} is damaged or no archive: {shown(error)}") from None
    packed = path.stat().st_size
    if unpacked > max(FREE_BYTES, MOST_RATIO * packed):
        check_size(shown(path), min(unpacked, MOST_BYTES), packed)
        raise ValueError(f"{shown(path)} unpacks to {unpacked:,} bytes, which is too much")
