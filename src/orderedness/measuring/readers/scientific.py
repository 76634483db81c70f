"""Matrices of other programs: MATLAB's .mat and Matrix Market's .mtx."""

from __future__ import annotations

import math
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import scipy.io
import scipy.sparse as sp

from orderedness.measuring.network import Network
from orderedness.measuring.readers.choose import choose
from orderedness.measuring.readers.limits import FREE_BYTES, MOST_BYTES, MOST_RATIO, check_size
from orderedness.measuring.shown import shown

DAMAGED = (
    scipy.io.matlab.MatReadError,
    zlib.error,
    EOFError,
    IndexError,
    KeyError,
    OSError,
    OverflowError,
    TypeError,
    ValueError,
)
COMPRESSED = 15  # the tag of a compressed variable
PIECE = 1 << 20
NO_TEXT = re.compile(rb"[^\t\n\r -~]")
NUMBERS = {"double", "single", "sparse", "logical"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def read_mat(path: Path, wanted: str | None) -> Network:
    """One numeric variable of a MATLAB file of version 4 to 7; other variables are not read.

    `scipy.io` runs nothing: functions and objects in such files stay data, and only plain numeric
    variables are asked for.
    """
    with path.open("rb") as file:
        if b"MATLAB 7.3" in file.read(128):
            raise ValueError(
                f"{shown(path)} is a MATLAB 7.3 file, but must be of version 7 or less: "
                "save(name, 'W', '-v7')"
            )
    _check_expansion(path)
    try:
        listed = scipy.io.whosmat(path)
    except DAMAGED as error:
        raise _damaged(path, error) from None
    variables = {name: (shape, kind) for name, shape, kind in listed}
    shapes = {name: shape for name, (shape, kind) in variables.items() if kind in NUMBERS}
    if wanted in variables and wanted not in shapes:
        raise ValueError(
            f"variable {shown(wanted)} is a {shown(variables[wanted][1])}, but must be a matrix of "
            "numbers"
        )
    name = choose(shapes, wanted, shown(path))
    about = f"variable {shown(name)} of {shown(path)}"
    if variables[name][1] != "sparse":
        check_size(about, 8 * math.prod(shapes[name]))
    try:
        matrix: Any = scipy.io.loadmat(path, variable_names=[name], spmatrix=False)[name]
    except DAMAGED as error:
        raise _damaged(path, error) from None
    return Network.from_matrix(matrix, about=about)


def _check_expansion(path: Path) -> None:
    """Unpack the compressed variables of a version 5 file piece by piece, only to see how long."""
    packed, unpacked = path.stat().st_size, 0
    with path.open("rb") as file:
        mark = file.read(128)[126:]
        if mark not in (b"IM", b"MI"):
            return  # version 4 compresses nothing
        while len(tag := file.read(8)) == 8:
            kind, left = struct.unpack("<II" if mark == b"IM" else ">II", tag)
            if kind != COMPRESSED:
                file.seek(left, 1)
                continue
            unpacker = zlib.decompressobj()
            while left > 0 and (piece := file.read(min(left, PIECE))):
                left -= len(piece)
                while piece:
                    try:
                        unpacked += len(unpacker.decompress(piece, PIECE))
                    except zlib.error as error:
                        raise _damaged(path, error) from None
                    if unpacked > max(FREE_BYTES, MOST_RATIO * packed):
                        check_size(shown(path), unpacked, packed)
                    piece = unpacker.unconsumed_tail


def _damaged(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{shown(path)} is damaged or no MATLAB file: {shown(error, 120)}")


def read_mtx(path: Path) -> Network:
    """A Matrix Market file, dense or in coordinates."""
    with path.open("rb") as file:  # at other bytes SciPy's reader may run past its memory
        for number, line in enumerate(file, start=1):
            if not line.startswith(b"%") and NO_TEXT.search(line):
                raise ValueError(f"{shown(path)} line {number} is no line of numbers")
    try:
        rows, columns, entries, layout, field, _ = scipy.io.mminfo(path)
        if field not in ("real", "integer", "pattern", "double", "unsigned-integer"):
            raise ValueError(f"it holds {shown(field)} entries, not real numbers")
        if entries > path.stat().st_size:
            raise ValueError(f"it should hold {entries} entries, which do not fit in it")
        needed = 8 * (rows * columns if layout == "array" else rows + entries)
        if needed <= MOST_BYTES:
            matrix = scipy.io.mmread(path, spmatrix=False)
    except (ValueError, OverflowError, EOFError, TypeError) as error:
        raise ValueError(f"{shown(path)} is no Matrix Market file: {shown(error, 160)}") from None
    check_size(shown(path), needed)
    return Network.from_matrix(sp.csr_array(matrix), about=shown(path))
