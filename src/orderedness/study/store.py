"""The store: a folder of immutable Parquet parts, each named by what was asked."""

from __future__ import annotations

import dataclasses
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from orderedness.study.folder import get, put, set_aside
from orderedness.study.manifest import Manifest, Place
from orderedness.study.part import DamagedError, decode, encode
from orderedness.study.plan import Block, Study, told_of
from orderedness.study.record import Record
from orderedness.study.setting import Setting, provenance, this_setting
from orderedness.study.table import assemble

FORMAT = 1  # of the folder; raised when an older package could not read a newer store


class StoreWarning(UserWarning):
    """Something about a store that its user should know, and that stops nothing."""


@dataclasses.dataclass(frozen=True)
class StoredPart:
    """A part as the folder shows it.

    Attributes:
        path: the file.
        place: which block it holds.
        setting: the name of the setting it was computed in.
    """

    path: Path
    place: Place
    setting: str


@dataclasses.dataclass(frozen=True)
class Store:
    """Results in a folder; many processes may read and write it at the same time.

    A part holds one block of one experiment, as `parts/<what was asked>/<setting>/<seeds>.parquet`.
    The setting is the kind of device, the precision and the versions, so parts of different ones
    lie side by side and are never mixed.

    Attributes:
        path: the folder; it is made when the first part is written.

    Examples:
        >>> import tempfile
        >>> from orderedness.study import Study, run_study
        >>> from orderedness.training import Experiment, xor
        >>> store = Store(tempfile.mkdtemp())
        >>> study = Study("tiny", {"xor": Experiment(xor(epochs=3))}, networks=5, block=4)
        >>> table = run_study(study, store)
        >>> table.equals(store.table(study)), [name for name in store.studies()]
        (True, ['tiny'])
    """

    path: Path

    def __init__(self, path: Path | str) -> None:
        """Open a folder, or raise if it is a store of another version."""
        object.__setattr__(self, "path", Path(path))
        if self.path.exists() and not self.path.is_dir():
            raise NotADirectoryError(f"store is {str(path)!r}, but must be a folder")
        self._check_format()

    def read(self, place: Place, setting: Setting | None = None) -> pl.DataFrame | None:
        """The rows of a block, or None where there is no part, or none that is whole.

        A damaged part is set aside, with a warning that names it.
        """
        path = self.part(place, setting or this_setting())
        data = get(path)
        if data is None:
            return None
        try:
            rows, _ = decode(data)
            if rows["seed"].to_list() != list(range(place.start, place.stop)):
                raise DamagedError("it holds other networks than its name says")
        except DamagedError as reason:
            _aside(path, reason, "; it is computed again when its study runs")
            return None
        return rows

    def write(self, block: Block, record: Record, rows: pl.DataFrame) -> None:
        """Write the part of a block that was computed in this process, whole or not at all.

        Args:
            block: what was computed.
            record: what was recorded of it.
            rows: its rows, as `measure` gives them.
        """
        setting = this_setting()
        about = {
            "asked": told_of(block.experiment, record),
            "seeds": [block.place.start, block.place.stop],
            "setting": dataclasses.asdict(setting),
            "provenance": provenance(),
        }
        self._make()
        put(self.part(block.place, setting), encode(rows, about))

    def missing(self, study: Study) -> list[Block]:
        """The blocks of a study that are not there yet, and those that can never be."""
        setting = this_setting()
        return [
            block
            for block in study.blocks()
            if block.why_not_stored or not self.part(block.place, setting).exists()
        ]

    def table(self, study: Study | Manifest, setting: str | None = None) -> pl.DataFrame:
        """One row a network, arm after arm; raises if anything is missing.

        Args:
            study: what was asked, or what `studies` says of it.
            setting: the name of another setting than this process has, as `studies` shows them.
        """
        chosen = this_setting() if setting is None else Setting.parse(setting)
        if chosen is None:
            raise ValueError(f"setting is {setting!r}, which is no name of a setting")
        if isinstance(study, Study):
            for block in study.blocks():
                if block.why_not_stored:
                    raise ValueError(f"no store can hold {block.why_not_stored}")
        manifest = study.manifest() if isinstance(study, Study) else study
        found = {place: self.read(place, chosen) for place in manifest.places()}
        absent = sum(rows is None for rows in found.values())
        if absent:
            raise ValueError(
                f"{absent} of the {len(found)} blocks of study {manifest.name!r} are not in "
                f"{self.path}: run the study first{self._elsewhere(manifest, chosen)}"
            )
        blocks = {place: rows for place, rows in found.items() if rows is not None}
        return assemble(manifest, blocks, chosen.device)

    def remember(self, study: Study) -> None:
        """Note what a study asks for, so that it can be listed and exported by its name."""
        stored = {block.place.key for block in study.blocks() if not block.why_not_stored}
        manifest = study.manifest()
        arms = tuple(arm for arm in manifest.arms if arm[1] in stored)
        if arms:
            self._make()
            kept = dataclasses.replace(manifest, arms=arms)
            put(self._studies / f"{study.name}.json", kept.as_bytes())

    def studies(self) -> dict[str, Manifest]:
        """The studies that ran here, by name; the last one of each name."""
        found = {}
        for path in sorted(self._studies.glob("*.json")):
            try:
                found[path.stem] = Manifest.from_bytes(path.read_bytes())
            except (ValueError, KeyError, TypeError) as error:
                _aside(path, error)
        return found

    def parts(self) -> Iterator[StoredPart]:
        """All parts, of all settings."""
        for path in sorted(self._parts.glob("*/*/*.parquet")):
            seeds = re.fullmatch(r"(\d+)-(\d+)", path.stem)
            if seeds:
                key, setting = path.parts[-3:-1]
                place = Place(key, int(seeds[1]), int(seeds[2]))
                yield StoredPart(path, place, setting)

    @property
    def _parts(self) -> Path:
        return self.path / "parts"

    @property
    def _studies(self) -> Path:
        return self.path / "studies"

    def part(self, place: Place, setting: Setting) -> Path:
        """Where the part of a block is, or would be."""
        name = f"{place.start}-{place.stop}.parquet"
        return self._parts / place.key / setting.name / name

    def _make(self) -> None:
        note = self.path / "store.json"
        if not note.exists():
            put(note, json.dumps({"format": FORMAT}).encode())

    def _check_format(self) -> None:
        data = get(self.path / "store.json")
        if data is None:
            return
        try:
            found = json.loads(data)["format"]
        except (ValueError, KeyError, TypeError):
            found = "unknown"
        if found != FORMAT:
            raise ValueError(
                f"store {self.path} has format {found}, but this version of orderedness reads "
                f"format {FORMAT}: choose another folder, or the version that wrote it"
            )

    def _elsewhere(self, manifest: Manifest, chosen: Setting) -> str:
        """What to say of results of other settings."""
        keys = {key for _, key in manifest.arms}
        found = {part.setting for part in self.parts() if part.place.key in keys} - {chosen.name}
        if not found:
            return ""
        return (
            f" (there are results of {', '.join(sorted(found))}, which are never mixed with those "
            f"of {chosen.name}; name a setting to have them)"
        )


def _aside(path: Path, reason: Exception, then: str = "") -> None:
    aside = set_aside(path)
    message = f"{path} is damaged ({reason}) and was set aside as {aside.name}{then}"
    warnings.warn(message, StoreWarning, stacklevel=3)
