"""A part as bytes: Parquet, with what it is about and a checksum of the whole file inside."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from typing import Any

import polars as pl

_KEY = "orderedness"
# The checksum is of the file with zeros in its place, and stands behind this mark in the file's
# own footer. Polars by itself would take a flipped bit for another number, or panic.
_MARK = b"orderedness-sha256:"
_DIGITS = hashlib.sha256().digest_size * 2


class DamagedError(ValueError):
    """Bytes that are not, or no longer, the part that was written."""


def encode(rows: pl.DataFrame, about: Mapping[str, Any]) -> bytes:
    """Rows and what they are about, as the bytes of a Parquet file.

    Examples:
        >>> data = encode(pl.DataFrame({"seed": [1, 2]}), {"why": "a test"})
        >>> decode(data)[1]["why"], decode(data)[0]["seed"].to_list()
        ('a test', [1, 2])
        >>> decode(data[:-1])
        Traceback (most recent call last):
            ...
        orderedness.study.part.DamagedError: its bytes do not match its checksum
    """
    file = io.BytesIO()
    blank = (_MARK + b"0" * _DIGITS).decode()
    told = {_KEY: json.dumps(about, sort_keys=True), "checksum": blank}
    rows.write_parquet(file, compression="zstd", metadata=told)
    data = file.getvalue()
    return _with_checksum(data, hashlib.sha256(data).hexdigest().encode())


def decode(data: bytes) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Rows and what they are about; raises `DamagedError` unless they are what was written."""
    found = _checksum(data)
    if hashlib.sha256(_with_checksum(data, b"0" * _DIGITS)).hexdigest().encode() != found:
        raise DamagedError("its bytes do not match its checksum")
    about = json.loads(pl.read_parquet_metadata(io.BytesIO(data))[_KEY])
    return pl.read_parquet(io.BytesIO(data)), about


def _checksum(data: bytes) -> bytes:
    start = _place(data)
    return data[start : start + _DIGITS]


def _with_checksum(data: bytes, digits: bytes) -> bytes:
    start = _place(data)
    return data[:start] + digits + data[start + _DIGITS :]


def _place(data: bytes) -> int:
    """Where the checksum begins."""
    mark = data.rfind(_MARK)
    if mark < 0:
        raise DamagedError("it has no checksum")
    return mark + len(_MARK)
