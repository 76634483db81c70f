"""Text in columns: a matrix, or a list of edges, with or without names."""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from orderedness.measuring.network import Network
from orderedness.measuring.readers.edges import EdgeList
from orderedness.measuring.readers.limits import check_size
from orderedness.measuring.shown import listed, shown

Layout = Literal["matrix", "edges"]
Row = tuple[int, list[str]]  # its line in the file, and its cells
PART = 100_000  # edges taken at a time
SAMPLE = 5  # rows that are looked at to tell a matrix from edges
SOURCES = ("source", "from", "pre", "presynaptic", "src", "sender")
TARGETS = ("target", "to", "post", "postsynaptic", "dst", "receiver")
WEIGHTS = ("weight", "value", "strength", "count", "synapses", "n")


def is_number(text: str) -> bool:
    """Whether a cell holds a number, finite or not.

    Examples:
        >>> is_number(" 1e-3"), is_number("nan"), is_number("ADAL"), is_number("")
        (True, True, False, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def named_column(names: Sequence[str], known: Sequence[str]) -> int | None:
    """Which column is named by a known word, or is the only one with such a word in its name.

    Examples:
        >>> header = ["pre_root_id", "post_root_id", "neuropil", "syn_count"]
        >>> [named_column(header, known) for known in (SOURCES, TARGETS, WEIGHTS)]
        [0, 1, 3]
    """
    words = [name.strip().lower() for name in names]
    for word in known:
        if word in words:
            return words.index(word)
    holding = [k for k, word in enumerate(words) if {*re.split("[^a-z]+", word)} & {*known}]
    return holding[0] if len(holding) == 1 else None


def named_ends(first: Sequence[str]) -> tuple[int, int] | None:
    """The columns of sources and targets, if this row is a header that names both.

    Examples:
        >>> named_ends(["to", "from", "weight"]), named_ends(["from 1", "to 2", "0.5"])
        ((1, 0), None)
    """
    source, target = named_column(first, SOURCES), named_column(first, TARGETS)
    if source is None or target is None or source == target or any(map(is_number, first)):
        return None
    return source, target


def read_delimited(path: Path, layout: Layout | None, progress: Callable[[int], None]) -> Network:
    """A .csv or .tsv file.

    Args:
        path: the file. Commas, semicolons, tabs or, without these, blanks part its columns; lines
            from # on are comments.
        layout: what it is, where its looks do not tell.
        progress: is told how many bytes were read since it was told last.
    """
    rows = _rows(path, progress)
    sample = list(itertools.islice(rows, SAMPLE))
    if not sample:
        raise ValueError(f"{shown(path)} is empty, but must hold a matrix or edges")
    rows = itertools.chain(sample, rows)
    if layout is None:
        layout = tell_layout([cells for _, cells in sample], shown(path))
    return _edges(rows, shown(path)) if layout == "edges" else _matrix(rows, path)


def tell_layout(rows: Sequence[Sequence[str]], about: str) -> Layout:
    """Whether the first rows of a file are those of a matrix or of a list of edges.

    Examples:
        >>> tell_layout([["a", "b", "2"], ["b", "c", "1"]], "x.csv")
        'edges'
        >>> tell_layout([["0", "1", "2", "0"]] * 4, "x.csv")
        'matrix'
        >>> tell_layout([["0", "1", "2"]] * 3, "x.csv")
        Traceback (most recent call last):
            ...
        ValueError: x.csv could be a matrix of 3 columns or a list of edges: give the format
    """
    first = rows[0]
    if named_ends(first):
        return "edges"
    if len(first) not in (2, 3):
        return "matrix"
    # A square matrix has as many rows as columns, one more with a header, one fewer with names.
    possible = len(first) - 1 <= len(rows) <= len(first) + 1
    body = rows[1:] if len(rows) > 1 else rows
    names = not all(is_number(row[0]) for row in body if row)
    inner = [cell for row in body for cell in row[1 if names else 0 :]]
    if possible and all(is_number(cell) for cell in inner) and not (names and len(first) == 2):
        if names:  # an empty corner above row names is only there in a matrix
            return "edges" if first[0] else "matrix"
        raise ValueError(
            f"{about} could be a matrix of {len(first)} columns or a list of edges: give the format"
        )
    return "edges"


def _rows(path: Path, progress: Callable[[int], None]) -> Iterator[Row]:
    """Rows that hold anything, with the lines they end on."""
    told = 0
    try:
        with path.open("rb") as raw, io.TextIOWrapper(raw, "utf-8-sig", newline="") as file:
            start = raw.peek(4096)
            if b"\0" in start:
                raise ValueError(f"{shown(path)} is not a text file, but must be")
            delimiter = _delimiter(start, path)
            reader = csv.reader(file, delimiter=delimiter, skipinitialspace=True)
            for number, cells in enumerate(reader):
                if number % 20_000 == 0:
                    now = raw.tell()
                    progress(now - told)
                    told = now
                if not any(cell.strip() for cell in cells) or cells[0].startswith("#"):
                    continue
                yield reader.line_num, cells
    except UnicodeDecodeError:
        raise ValueError(f"{shown(path)} line {_undecodable(path)} is not text in UTF-8") from None
    except csv.Error as error:
        raise ValueError(
            f"{shown(path)} line {reader.line_num} is no row of cells: {shown(error)}"
        ) from None


def _undecodable(path: Path) -> int:
    """The number of the first line that is not UTF-8."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return number
    raise AssertionError("every line is UTF-8")


def _delimiter(start: bytes, path: Path) -> str:
    if path.suffix.lower() == ".tsv":
        return "\t"
    lines = (line for line in start.split(b"\n") if line.strip() and not line.startswith(b"#"))
    first = next(lines, b"")
    mark = max(",;\t", key=lambda mark: first.count(mark.encode()))
    return mark if mark.encode() in first else " "


@dataclass(frozen=True)
class _Columns:
    """Where sources, targets and weights are."""

    source: int
    target: int
    weight: int | None


def _edges(rows: Iterator[Row], about: str) -> Network:
    top, first = next(rows)
    columns, header = _edge_columns(top, first, about)
    if not header:
        rows = itertools.chain([(top, first)], rows)
    edges = EdgeList()
    ends = columns.source, columns.target
    needed = 1 + max(*ends, 0 if columns.weight is None else columns.weight)
    while part := list(itertools.islice(rows, PART)):
        for line, cells in part:
            if len(cells) < needed:
                raise ValueError(
                    f"{about} line {line} has {len(cells)} columns, but must have {len(first)}, "
                    "as the first line has"
                )
        sources, targets = ([cells[k].strip() for _, cells in part] for k in ends)
        for names, end in ((sources, "source"), (targets, "target")):
            if "" in names:
                raise ValueError(
                    f"{about} line {part[names.index('')][0]}: the {end} is empty, but must be a "
                    "name"
                )
        if columns.weight is None:
            weights: Any = np.ones(len(part))
        else:
            weights = _numbers([cells[columns.weight] for _, cells in part], part, about, "weight")
        edges.add(sources, targets, weights)
    names = [first[end].strip() for end in ends]
    if not header or (names[0].lower() in SOURCES and names[1].lower() in TARGETS):
        return edges.network(about)
    again = next((name for name in names if name in edges), None)
    if again is not None:
        raise ValueError(
            f"{about} line {top} must give a finite number as weight, or name the columns, but "
            f"holds {listed(first)}"
        )
    return edges.network(about, notes=[f"Line {top} names the columns: {listed(first)}."])


def _edge_columns(line: int, first: Sequence[str], about: str) -> tuple[_Columns, bool]:
    """The columns of a list of edges, and whether its first row is a header."""
    ends = named_ends(first)
    if ends is None and len(first) not in (2, 3):
        raise ValueError(
            f"{about} line {line} has {len(first)} columns, but edges have two or three (source, "
            "target and weight), or a header that names them"
        )
    source, target = ends or (0, 1)
    weight = named_column(first, WEIGHTS) if ends else None
    if weight is None and len(first) == 3:
        weight = next(k for k in range(3) if k not in (source, target))
    unlike = weight is not None and bool(first[weight].strip()) and not is_number(first[weight])
    return _Columns(source, target, weight), ends is not None or unlike


def _numbers(cells: Sequence[str], rows: Sequence[Row], about: str, column: str) -> np.ndarray:
    """The finite numbers in one column."""
    try:
        values = np.array([float(cell) for cell in cells])
        if np.isfinite(values).all():
            return values
    except ValueError:
        pass
    for cell, (line, _) in zip(cells, rows, strict=True):
        if not is_number(cell) or not math.isfinite(float(cell)):
            raise ValueError(
                f"{about} line {line}: {column} is {shown(cell)!r}, but must be a finite number"
            )
    return np.array([float(cell) for cell in cells])


def _matrix(rows: Iterator[Row], path: Path) -> Network:
    about = shown(path)
    line, first = next(rows)
    header = not all(is_number(cell) for cell in first[1:]) or (
        len(first) == 1 and not is_number(first[0])
    )
    names = [cell.strip() for cell in first] if header else []
    if not header:
        rows = itertools.chain([(line, first)], rows)
    values: list[np.ndarray] = []
    labels: list[str] = []
    width = None
    for line, cells in rows:
        labelled = labels or (not values and not is_number(cells[0]))
        numbers = cells[1:] if labelled else cells
        if labelled:
            labels.append(cells[0].strip())
        if width is not None and len(numbers) != width:
            raise ValueError(
                f"{about} line {line} has {len(numbers)} numbers, but must have {width}, as the "
                "first row has"
            )
        width = len(numbers)
        check_size(about, 8 * width * (len(values) + 1))
        same = [(line, cells)] * width
        values.append(_numbers(numbers, same, about, "an entry"))
    if not values:
        raise ValueError(f"{about} holds no rows of numbers, but must hold a matrix")
    width = width or 0
    if header:
        names = names[len(names) - width :]  # the corner above row names is left out
    every = names if len(names) == width else labels if len(labels) == width else None
    if every is not None and len(set(every)) < len(every):
        twice = next(name for name in every if every.count(name) > 1)
        raise ValueError(f"{about} names the unit {shown(twice)} twice, but names must differ")
    if labels and names and labels != names[: len(labels)]:
        wrong = next(pair for pair in zip(labels, names, strict=False) if pair[0] != pair[1])
        raise ValueError(
            f"{about} names a row {shown(wrong[0])} and its column {shown(wrong[1])}, but rows and "
            "columns must name the same units in the same order"
        )
    return Network.from_matrix(np.array(values), names=every, about=about)
