"""Matrices of other programs: MATLAB's .mat and Matrix Market's .mtx."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from orderedness.measuring.network import Network
from orderedness.measuring.readers.choose import choose
from orderedness.measuring.readers.limits import check_size
from orderedness.measuring.shown import shown

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
    try:
        variables = {name: (shape, kind) for name, shape, kind in scipy.io.whosmat(path)}
        shapes = {name: shape for name, (shape, kind) in variables.items() if kind in NUMBERS}
        if wanted in variables and wanted not in shapes:
            raise ValueError(
                f"variable {shown(wanted)} is a {variables[wanted][1]}, but must be a matrix of "
                "numbers"
            )
        name = choose(shapes, wanted, shown(path))
        about = f"variable {shown(name)} of {shown(path)}"
        if variables[name][1] != "sparse":
            check_size(about, 8 * int(np.prod(shapes[name])), path.stat().st_size)
        matrix: Any = scipy.io.loadmat(path, variable_names=[name], spmatrix=False)[name]
    except (scipy.io.matlab.MatReadError, zlib.error, TypeError, KeyError, EOFError) as error:
        raise ValueError(
            f"{shown(path)} is damaged or no MATLAB file: {shown(error, 120)}"
        ) from None
    return Network.from_matrix(matrix, about=about)


def read_mtx(path: Path) -> Network:
    """A Matrix Market file, dense or in coordinates."""
    try:
        rows, columns, entries, layout, field, _ = scipy.io.mminfo(path)
        if field not in ("real", "integer", "pattern", "double", "unsigned-integer"):
            raise ValueError(f"it holds {shown(field)} entries, not real numbers")
        check_size(shown(path), 8 * (rows * columns if layout == "array" else rows + entries))
        if entries > path.stat().st_size:
            raise ValueError(f"it should hold {entries} entries, which do not fit in it")
        matrix = scipy.io.mmread(path, spmatrix=False)
    except (ValueError, OverflowError, EOFError, TypeError) as error:
        raise ValueError(f"{shown(path)} is no Matrix Market file: {shown(error, 160)}") from None
    return Network.from_matrix(sp.csr_array(matrix), about=shown(path))
