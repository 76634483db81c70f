"""What a store holds: listed, exported, cleaned."""

from __future__ import annotations

import dataclasses
import io
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from orderedness import _checks
from orderedness.study.folder import put
from orderedness.study.manifest import Manifest
from orderedness.study.setting import Setting, this_setting
from orderedness.study.store import Store

# A partial file this old, in seconds, belongs to no process that still runs.
_ABANDONED = 3600.0


@dataclasses.dataclass(frozen=True)
class Listed:
    """A study in a store, as computed in one setting.

    Attributes:
        name: of the study; empty for the parts that belong to no study any more.
        setting: where it was computed: device, precision and versions.
        arms: how many it has; 0 for parts of no study.
        networks: asked for an arm; 0 for parts of no study.
        blocks: blocks that are there.
        of: blocks that it asks for.
        size: bytes.
    """

    name: str
    setting: str
    arms: int
    networks: int
    blocks: int
    of: int
    size: int


@dataclasses.dataclass(frozen=True)
class Removable:
    """Something in a store that nobody needs.

    Attributes:
        path: a file, or a folder of parts.
        why: why nobody does.
        size: bytes.
    """

    path: Path
    why: str
    size: int


def existing_store(path: Path | str) -> Store:
    """Open a store that is there.

    Examples:
        >>> existing_store("/nowhere")
        Traceback (most recent call last):
            ...
        FileNotFoundError: store is '/nowhere', but there is no store: run a study first
    """
    store = Store(path)
    if not (store.path / "store.json").exists():
        raise FileNotFoundError(f"store is {str(path)!r}, but there is no store: run a study first")
    return store


def listing(store: Store) -> list[Listed]:
    """The studies of a store by name and setting, then the parts that belong to none."""
    sizes = {(part.setting, part.place): part.path.stat().st_size for part in store.parts()}
    settings = sorted({setting for setting, _ in sizes})
    listed = []
    used = set()
    for name, manifest in store.studies().items():
        places = manifest.places()
        for setting in settings or [this_setting().name]:
            there = [(setting, place) for place in places if (setting, place) in sizes]
            used |= set(there)
            if there or len(settings) < 2:
                size = sum(sizes[key] for key in there)
                told = (name, setting, len(manifest.arms), manifest.networks)
                listed.append(Listed(*told, len(there), len(places), size))
    for setting in settings:
        rest = [size for key, size in sizes.items() if key[0] == setting and key not in used]
        if rest:
            listed.append(Listed("", setting, 0, 0, len(rest), len(rest), sum(rest)))
    return listed


def find_study(store: Store, name: str | None) -> Manifest:
    """A study of a store by its name, or the only one there is."""
    studies = store.studies()
    if not studies:
        raise ValueError(f"store {store.path} holds no study: run one first")
    if name is None:
        if len(studies) > 1:
            raise ValueError(
                f"store {store.path} holds {len(studies)} studies, so one must be named: "
                f"{', '.join(studies)}"
            )
        [name] = studies
    return studies[_checks.known("study", name, studies)]


def export(table: pl.DataFrame, out: Path) -> None:
    """Write a table to a .csv or .parquet file, whole or not at all.

    A CSV holds no lists: their numbers are put into one cell, with spaces between.

    Examples:
        >>> import tempfile
        >>> out = Path(tempfile.mkdtemp()) / "table.csv"
        >>> export(pl.DataFrame({"seed": [1], "losses": [[0.5, 0.25]]}), out)
        >>> out.read_text().split()
        ['seed,losses', '1,0.5', '0.25']
    """
    check_out(out)
    # By way of memory: what Polars says of a full disk is not always that it is full.
    file = io.BytesIO()
    if out.suffix == ".parquet":
        table.write_parquet(file, compression="zstd")
    else:
        lists = pl.col(pl.List).cast(pl.List(pl.String)).list.join(" ")
        table.with_columns(lists).write_csv(file)
    put(out, file.getvalue())


def check_out(out: Path) -> None:
    """Raise unless a table can be written to a file of this name."""
    if out.suffix not in (".csv", ".parquet"):
        raise ValueError(f"out is {str(out)!r}, but must end in .csv or .parquet")


def removable(store: Store) -> list[Removable]:
    """Damaged files, abandoned partial ones, and parts that other versions computed."""
    return [
        Removable(path, why, _size(path))
        for path, why in _removable(store, this_setting().versions)
    ]


def remove(store: Store, found: list[Removable]) -> None:
    """Remove these, and the folders that are empty then."""
    for item in found:
        if item.path.is_dir():
            shutil.rmtree(item.path, ignore_errors=True)
        else:
            item.path.unlink(missing_ok=True)
        parent = item.path.parent
        if parent.parent == store.path / "parts" and not any(parent.iterdir()):
            parent.rmdir()


def _removable(store: Store, versions: str) -> Iterator[tuple[Path, str]]:
    for folder in sorted(store.path.glob("parts/*/*/")):
        setting = Setting.parse(folder.name)
        if setting is not None and setting.versions != versions:
            yield folder, f"computed by other versions ({setting.versions})"
            continue
        yield from _unneeded_files(folder)
    yield from _unneeded_files(store.path / "studies")
    yield from _unneeded_files(store.path)


def _unneeded_files(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.glob("*.damaged")):
        yield path, "damaged"
    for path in sorted(folder.glob(".*.partial")):
        if time.time() - path.stat().st_mtime > _ABANDONED:
            yield path, "partly written and abandoned"


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())
