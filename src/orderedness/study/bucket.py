"""Files in a bucket that speaks S3, where what is written takes effect whole or not at all."""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import datetime
import functools
import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from orderedness.study.files import Found

if TYPE_CHECKING:
    from obstore.store import S3Store

_AT_ONCE = 16  # requests, where there are many: most of the time of each is waiting


@dataclasses.dataclass(frozen=True)
class Bucket:
    """Files below a prefix of a bucket that speaks S3.

    Keys, region and endpoint are those of the environment or of the machine's role
    (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL`, ...); they are nowhere kept. A request
    that fails is sent again, with growing pauses, for up to three minutes.

    Attributes:
        where: s3://bucket/prefix.

    Examples:
        >>> Bucket("s3://bucket/a/b").where
        's3://bucket/a/b'
        >>> Bucket("s3://key:secret@bucket/a")
        Traceback (most recent call last):
            ...
        ValueError: store must be s3://bucket/prefix, with nothing else in it: keys belong into ...
    """

    where: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]+[a-z0-9](/[\w.=+-]+)*/?", self.where):
            raise ValueError(  # it may hold a key, so it is not shown
                "store must be s3://bucket/prefix, with nothing else in it: keys belong into the "
                "environment"
            )
        try:
            import obstore  # noqa: F401
        except ImportError:
            raise ValueError(
                f"store is {self.where!r}, but buckets need more than is installed: "
                "pip install 'orderedness[cluster]'"
            ) from None

    @property
    def address(self) -> str:
        """The same for everybody."""
        return self.where

    def put(self, name: str, data: bytes) -> None:
        """Write a file; what is sent in several requests is there when the last one is."""
        import obstore

        with self._told("written", name):
            obstore.put(self._bucket, name, data)

    def get(self, name: str) -> bytes | None:
        """The bytes of a file, or None if there is none."""
        import obstore

        try:
            with self._told("read", name):
                return bytes(obstore.get(self._bucket, name).bytes())
        except FileNotFoundError:
            return None

    def get_all(self, names: Iterable[str]) -> Iterator[bytes | None]:
        """The bytes of many files, several at a time."""
        with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool:
            yield from pool.map(self.get, names)

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        import obstore

        try:
            with self._told("looked for", name):
                obstore.head(self._bucket, name)
        except FileNotFoundError:
            return False
        return True

    def list(self, folder: str) -> list[Found]:
        """All files below a folder, by name."""
        import obstore

        now = datetime.datetime.now(datetime.UTC)
        with self._told("listed", folder):
            found = [
                Found(item["path"], item["size"], (now - item["last_modified"]).total_seconds())
                for chunk in obstore.list(self._bucket, folder or None)
                for item in chunk
            ]
        return sorted(found)

    def set_aside(self, name: str) -> str:
        """Copy a damaged file to NAME.damaged and remove it."""
        import obstore

        aside = name + ".damaged"
        with contextlib.suppress(FileNotFoundError), self._told("renamed", name):
            obstore.rename(self._bucket, name, aside)
        return aside

    def remove(self, name: str) -> None:
        """Remove a file."""
        import obstore

        with contextlib.suppress(FileNotFoundError), self._told("removed", name):
            obstore.delete(self._bucket, name)

    @functools.cached_property
    def _bucket(self) -> S3Store:
        from obstore.store import S3Store

        named = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT")
        plain = any(os.environ.get(name, "").startswith("http://") for name in named)
        return S3Store.from_url(self.where, client_options={"allow_http": plain})

    @contextlib.contextmanager
    def _told(self, done: str, name: str) -> Iterator[None]:
        """Say what failed in one sentence, which shows nothing of the keys."""
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:
            text = str(error)
            code = re.search(r"<Code>(\w+)</Code>", text)
            if isinstance(error, FileNotFoundError) and not (code and code[1] == "NoSuchBucket"):
                raise
            reason = code[1] if code else text.splitlines()[0].partition("<")[0].strip(" :-")
            raise ConnectionError(f"{self.where}/{name} could not be {done}: {reason}") from None
