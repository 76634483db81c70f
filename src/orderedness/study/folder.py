"""Files in a folder that several processes may write to: whole or not at all."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

from orderedness.study.files import Found

_FULL = {errno.ENOSPC, errno.EDQUOT}


@dataclasses.dataclass(frozen=True)
class Folder:
    """Files in a folder, which may lie on a file system that many machines share.

    Attributes:
        path: the folder; it is made when the first file is written.

    Examples:
        >>> import tempfile
        >>> folder = Folder(Path(tempfile.mkdtemp()))
        >>> folder.put("parts/a", b"whole")
        >>> folder.get("parts/a"), folder.get("parts/b"), [f.name for f in folder.list("parts")]
        (b'whole', None, ['parts/a'])
    """

    path: Path

    def __post_init__(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise NotADirectoryError(f"store is {str(self.path)!r}, but must be a folder")

    @property
    def where(self) -> str:
        """The path, as it was given."""
        return str(self.path)

    @property
    def address(self) -> str:
        """The path from the root."""
        return str(self.path.absolute())

    def put(self, name: str, data: bytes) -> None:
        """Write a file, beside its place first."""
        put(self.path / name, data)

    def get(self, name: str) -> bytes | None:
        """The bytes of a file, or None if there is none."""
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None

    def get_all(self, names: Iterable[str]) -> Iterator[bytes | None]:
        """The bytes of many files, one after the other."""
        return map(self.get, names)

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        return (self.path / name).exists()

    def list(self, folder: str) -> list[Found]:
        """All files below a folder, by name."""
        found = []
        for path in sorted((self.path / folder).rglob("*")):
            with contextlib.suppress(FileNotFoundError):  # gone meanwhile
                if path.is_file():
                    told = path.stat()
                    name = path.relative_to(self.path).as_posix()
                    found.append(Found(name, told.st_size, time.time() - told.st_mtime))
        return found

    def set_aside(self, name: str) -> str:
        """Rename a damaged file to NAME.damaged."""
        path = self.path / name
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            path.replace(path.with_name(path.name + ".damaged"))
        return name + ".damaged"

    def remove(self, name: str) -> None:
        """Remove a file, and the folders below `parts` that are empty then."""
        path = self.path / name
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not empty
            while path.parent.relative_to(self.path).as_posix().startswith("parts/"):
                path = path.parent
                path.rmdir()


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
