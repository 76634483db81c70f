"""What a store asks of the place that keeps its files: a folder, or a bucket."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol


class Found(NamedTuple):
    """A file as a listing shows it.

    Attributes:
        name: relative to the store, with "/" between its parts.
        size: bytes.
        age: seconds since it was written.
    """

    name: str
    size: int
    age: float


class Files(Protocol):
    """Files by name, written whole or not at all, by any number of processes at once."""

    @property
    def where(self) -> str:
        """What a person calls this place."""

    @property
    def address(self) -> str:
        """What other processes, on other machines too, call it."""

    def put(self, name: str, data: bytes) -> None:
        """Write a file; of two processes that write the same one, the last one's stays."""

    def get(self, name: str) -> bytes | None:
        """The bytes of a file, or None if there is none."""

    def get_all(self, names: Iterable[str]) -> Iterator[bytes | None]:
        """The bytes of many files, in order."""

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""

    def list(self, folder: str) -> list[Found]:
        """All files below a folder, by name; those right in it and those in folders in it."""

    def set_aside(self, name: str) -> str:
        """Rename a damaged file, so that it is in nobody's way; gives the new name."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there, and the folders of parts that are empty then."""


def files_at(where: Path | str) -> Files:
    """The files at a folder's path, or at a bucket's address, s3://bucket/prefix.

    Examples:
        >>> files_at("results/store").where
        'results/store'
        >>> files_at("ftp://host/store")
        Traceback (most recent call last):
            ...
        ValueError: store is 'ftp://host/store', but must be a folder or s3://bucket/prefix
    """
    from orderedness.study.bucket import Bucket
    from orderedness.study.folder import Folder

    if isinstance(where, str) and "://" in where:
        if not where.startswith("s3://"):
            raise ValueError(f"store is {where!r}, but must be a folder or s3://bucket/prefix")
        return Bucket(where)
    return Folder(Path(where))
