"""What a store holds: listed, exported, cleaned."""

from __future__ import annotations

import collections
import dataclasses
import io
import re
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
        name: of a file, or of a folder of parts, in the store.
        why: why nobody does.
        size: bytes.
        files: the names of the file, or of all files in the folder.
    """

    name: str
    why: str
    size: int
    files: tuple[str, ...]


def existing_store(path: Path | str) -> Store:
    """Open a store that is there.

    Examples:
        >>> existing_store("/nowhere")
        Traceback (most recent call last):
            ...
        FileNotFoundError: store is '/nowhere', but there is no store: run a study first
    """
    store = Store(path)
    if not store.exists:
        raise FileNotFoundError(f"store is {str(path)!r}, but there is no store: run a study first")
    return store


def listing(store: Store) -> list[Listed]:
    """The studies of a store by name and setting, then the parts that belong to none."""
    sizes = {(part.setting, part.place): part.size for part in store.parts()}
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
        raise ValueError(f"store {store.where} holds no study: run one first")
    if name is None:
        if len(studies) > 1:
            raise ValueError(
                f"store {store.where} holds {len(studies)} studies, so one must be named: "
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
    versions = this_setting().versions
    files, folders = [], collections.defaultdict(list)
    for file in store.files.list(""):
        folder, _, name = file.name.rpartition("/")
        setting = Setting.parse(folder.rpartition("/")[2]) if folder.startswith("parts/") else None
        if setting is not None and setting.versions != versions:
            folders[folder, setting.versions].append(file)
        elif name.endswith(".damaged"):
            files.append(Removable(file.name, "damaged", file.size, (file.name,)))
        elif re.fullmatch(r"\..*\.partial", name) and file.age > _ABANDONED:
            why = "partly written and abandoned"
            files.append(Removable(file.name, why, file.size, (file.name,)))
    return [
        Removable(
            folder,
            f"computed by other versions ({others})",
            sum(file.size for file in found),
            tuple(file.name for file in found),
        )
        for (folder, others), found in folders.items()
    ] + files


def remove(store: Store, found: list[Removable]) -> None:
    """Remove these, and the folders that are empty then."""
    for item in found:
        for name in item.files:
            store.files.remove(name)
