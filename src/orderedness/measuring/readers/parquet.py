"""Edges in a Parquet file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from orderedness.measuring.network import Network
from orderedness.measuring.readers.delimited import WEIGHTS, named_column, named_ends
from orderedness.measuring.readers.edges import EdgeList
from orderedness.measuring.readers.limits import MOST_EDGES, check_size
from orderedness.measuring.shown import listed, shown

PART = 500_000
EDGE_BYTES = 16  # of one edge in memory
LONGEST_NAME = 1_000  # bytes; a dictionary can repeat a longer one without end


def read_parquet(path: Path, progress: Callable[[int], None]) -> Network:
    """Columns source, target and, if there is one, weight; by name, else the first three.

    Args:
        path: the file.
        progress: is told how many bytes were read since it was told last.
    """
    import polars as pl

    about = shown(path)
    text = (pl.String, pl.Categorical, pl.Enum)
    try:
        table = pl.scan_parquet(path)
        columns = table.collect_schema()
        rows = int(table.select(pl.len()).collect().item())
        if rows > MOST_EDGES:
            raise ValueError(f"{about} holds {rows:,} edges, but must hold at most {MOST_EDGES:,}")
        check_size(about, EDGE_BYTES * rows, path.stat().st_size)
        source, target, weight = _columns(list(columns), about)
        if weight is not None and not columns[weight].is_numeric():
            raise TypeError(
                f"{about}: column {shown(weight)} holds {columns[weight]}, but must hold numbers"
            )
        for name in (source, target):
            if not (columns[name].is_integer() or columns[name] in text):
                raise TypeError(
                    f"{about}: column {shown(name)} holds {shown(columns[name])}, but must hold "
                    "names or whole numbers"
                )
        edges = EdgeList()
        size, told = path.stat().st_size, 0
        for start in range(0, rows, PART):
            part = table.slice(start, PART).select(
                pl.col(source).cast(pl.String).alias("s"),
                pl.col(target).cast(pl.String).alias("t"),
                (pl.lit(1.0) if weight is None else pl.col(weight).cast(pl.Float64)).alias("w"),
            )
            taken = part.collect()
            weights = taken["w"].to_numpy()
            for name, column in ((source, "s"), (target, "t"), (weight or "", "w")):
                missing = taken[column].is_null().arg_max()
                if taken[column].null_count():
                    raise ValueError(
                        f"{about}: {shown(name)} is missing in row {start + int(missing or 0)}"
                    )
            longest = int(pl.concat([taken["s"], taken["t"]]).str.len_bytes().to_numpy().max())
            if longest > LONGEST_NAME:
                raise ValueError(
                    f"{about} holds a name of {longest:,} bytes, but names must have at most "
                    f"{LONGEST_NAME:,}"
                )
            bad = ~np.isfinite(weights)
            if bad.any():
                row = int(np.argmax(bad))
                raise ValueError(
                    f"{about}: {shown(weight)} is {weights[row]} in row {start + row}, but must be "
                    "a finite number"
                )
            edges.add(taken["s"].to_list(), taken["t"].to_list(), weights)
            now = size * min(rows, start + PART) // rows
            progress(now - told)
            told = now
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).splitlines()[0] if str(error) else "unreadable"
        raise ValueError(f"{about} is damaged or no Parquet file: {shown(reason, 120)}") from None
    return edges.network(about)


def _columns(names: list[str], about: str) -> tuple[str, str, str | None]:
    ends = named_ends(names)
    if ends is not None:
        weight = named_column(names, WEIGHTS)
        return names[ends[0]], names[ends[1]], None if weight is None else names[weight]
    if len(names) not in (2, 3):
        raise ValueError(
            f"{about} has the columns {listed(names)}, but edges need source, target and weight"
        )
    return names[0], names[1], names[2] if len(names) == 3 else None
