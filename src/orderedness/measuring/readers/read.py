"""One function that reads a network from a file of any kind that is known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, get_args

from orderedness._checks import known
from orderedness.measuring.network import Network
from orderedness.measuring.shown import shown

Format = Literal[
    "npy", "npz", "csv-matrix", "csv-edges", "parquet", "mtx", "graphml", "safetensors", "pt", "mat"
]
FORMATS: tuple[Format, ...] = get_args(Format)
BY_SUFFIX = {
    ".npy": "npy",
    ".npz": "npz",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".mtx": "mtx",
    ".graphml": "graphml",
    ".safetensors": "safetensors",
    ".pt": "pt",
    ".pth": "pt",
    ".mat": "mat",
}
SEVERAL = ("npz", "safetensors", "pt", "mat")  # may hold more than one array
GATED = ("npy", "npz", "safetensors", "pt")


def _silent(count: int) -> None:
    pass


def read(
    path: str | Path,
    *,
    format: Format | None = None,  # noqa: A002  (its name on the command line)
    array: str | None = None,
    gate: str | None = None,
    progress: Callable[[int], None] = _silent,
) -> Network:
    r"""Read a network from a file. No code in it is run, and no pickle is loaded.

    Args:
        path: the file.
        format: what it is, where its name or looks do not tell.
        array: which of its arrays.
        gate: which gate of stacked recurrent weights; by default the magnitudes of all.
        progress: is told how many bytes were read since it was told last.

    Examples:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "chain.csv"
        >>> _ = path.write_text("source,target,weight\na,b,1\nb,c,2\n")
        >>> read(path).names
        ('a', 'b', 'c')
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{shown(path)} is a folder, but must be a file")
    if not path.exists():
        raise FileNotFoundError(f"{shown(path)} does not exist")
    if not path.is_file():
        raise OSError(f"{shown(path)} is not a plain file")
    if path.stat().st_size == 0:
        raise ValueError(f"{shown(path)} is empty")
    kind = known("format", format, FORMATS) if format else BY_SUFFIX.get(path.suffix.lower())
    if kind is None:
        raise ValueError(
            f"{shown(path)} ends in {shown(path.suffix) or 'nothing'}, but must end in one of "
            f"{', '.join(BY_SUFFIX)}; or give the format"
        )
    if array is not None and kind not in SEVERAL:
        raise ValueError(f"array is {shown(array)!r}, but {shown(path)} holds only one")
    if gate is not None and kind not in GATED:
        raise ValueError(f"gate is {shown(gate)!r}, but {shown(path)} holds no stacked gates")
    try:
        return _read(path, kind, array, gate, progress)
    except MemoryError:
        raise ValueError(f"{shown(path)} is too large for the memory of this machine") from None


def _read(
    path: Path, kind: str, array: str | None, gate: str | None, progress: Callable[[int], None]
) -> Network:
    """Readers are imported when they are needed: each brings the library of its format."""
    if kind == "npy":
        from orderedness.measuring.readers.numpy_files import read_npy

        return read_npy(path, gate)
    if kind == "npz":
        from orderedness.measuring.readers.numpy_files import read_npz

        return read_npz(path, array, gate)
    if kind == "parquet":
        from orderedness.measuring.readers.parquet import read_parquet

        return read_parquet(path, progress)
    if kind == "graphml":
        from orderedness.measuring.readers.graphml import read_graphml

        return read_graphml(path, progress)
    if kind == "safetensors":
        from orderedness.measuring.readers.tensors import read_safetensors

        return read_safetensors(path, array, gate)
    if kind == "pt":
        from orderedness.measuring.readers.tensors import read_torch

        return read_torch(path, array, gate)
    if kind == "mat":
        from orderedness.measuring.readers.scientific import read_mat

        return read_mat(path, array)
    if kind == "mtx":
        from orderedness.measuring.readers.scientific import read_mtx

        return read_mtx(path)
    from orderedness.measuring.readers.delimited import Layout, read_delimited

    layouts: dict[str, Layout] = {"csv-matrix": "matrix", "csv-edges": "edges"}
    return read_delimited(path, layouts.get(kind), progress)
