"""A part as bytes: Parquet, with what it is about and a checksum of its numbers inside."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from typing import Any

import polars as pl

_KEY = "orderedness"


class DamagedError(ValueError):
    """Bytes that are not, or no longer, the part that was written."""


def encode(rows: pl.DataFrame, about: Mapping[str, Any]) -> bytes:
    """Rows and what they are about, as the bytes of a Parquet file.

    Examples:
        >>> data = encode(pl.DataFrame({"seed": [1, 2]}), {"why": "a test"})
        >>> decode(data)[1]["why"], decode(data)[0]["seed"].to_list()
        ('a test', [1, 2])
        >>> decode(data[:-3])
        Traceback (most recent call last):
            ...
        orderedness.study.part.DamagedError: it is no whole Parquet file
    """
    file = io.BytesIO()
    told = json.dumps({**about, "checksum": checksum(rows)}, sort_keys=True)
    rows.write_parquet(file, compression="zstd", metadata={_KEY: told})
    return file.getvalue()


def decode(data: bytes) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Rows and what they are about; raises `DamagedError` unless they are what was written."""
    about = about_of(data)
    try:
        rows = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DamagedError("it is no whole Parquet file") from error
    if checksum(rows) != about.get("checksum"):
        raise DamagedError("its numbers do not match its checksum")
    return rows, about


def about_of(data: bytes) -> dict[str, Any]:
    """What a part is about, without its rows."""
    try:
        about = json.loads(pl.read_parquet_metadata(io.BytesIO(data))[_KEY])
    except (pl.exceptions.PolarsError, OSError, KeyError, ValueError) as error:
        raise DamagedError("it is no whole Parquet file") from error
    if not isinstance(about, dict):
        raise DamagedError("it does not say what it is about")
    return about


def checksum(rows: pl.DataFrame) -> str:
    """A digest of names, types and every bit of every column.

    Parquet as Polars reads it would take a flipped bit for another number.
    """
    digest = hashlib.sha256(repr(list(rows.schema.items())).encode())
    for column in rows:
        if isinstance(column.dtype, pl.List):
            digest.update(column.list.len().to_numpy().tobytes())
            column = column.explode()
        digest.update(column.to_numpy().tobytes())
    return digest.hexdigest()
