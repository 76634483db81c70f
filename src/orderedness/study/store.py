"""The store: immutable Parquet parts, in a folder or a bucket, each named by what was asked."""

from __future__ import annotations

import dataclasses
import json
import re
import warnings
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import polars as pl

from orderedness.study.files import Files, files_at
from orderedness.study.manifest import Manifest, Place
from orderedness.study.part import DamagedError, decode, encode
from orderedness.study.plan import Block, Study, told_of
from orderedness.study.record import Record
from orderedness.study.setting import Setting, provenance, this_setting
from orderedness.study.table import assemble

FORMAT = 1  # of the files; raised when an older package could not read a newer store
_NOTE = "store.json"
_PART = re.compile(r"parts/([^/]+)/([^/]+)/(\d+)-(\d+)\.parquet")


class StoreWarning(UserWarning):
    """Something about a store that its user should know, and that stops nothing."""


@dataclasses.dataclass(frozen=True)
class StoredPart:
    """A part as a listing shows it.

    Attributes:
        name: the file's, in the store.
        place: which block it holds.
        setting: the name of the setting it was computed in.
        size: bytes.
    """

    name: str
    place: Place
    setting: str
    size: int


@dataclasses.dataclass(frozen=True)
class Store:
    """Results in a folder or a bucket; many processes may read and write it at the same time.

    A part holds one block of one experiment, as `parts/<what was asked>/<setting>/<seeds>.parquet`.
    The setting is the kind of device, the precision and the versions, so parts of different ones
    lie side by side and are never mixed, unless that is asked for.

    Attributes:
        files: where they are; a folder is made when the first part is written.

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

    files: Files

    def __init__(self, where: Path | str) -> None:
        """Open a folder, or s3://bucket/prefix, or raise if it is a store of another version."""
        object.__setattr__(self, "files", files_at(where))
        self._check_format()

    @property
    def where(self) -> str:
        """The folder or bucket, as it was given."""
        return self.files.where

    @property
    def exists(self) -> bool:
        """Whether anything was ever stored here."""
        return self.files.exists(_NOTE)

    def read(self, place: Place, setting: Setting | None = None) -> pl.DataFrame | None:
        """The rows of a block, or None where there is no part, or none that is whole.

        A damaged part is set aside, with a warning that names it.
        """
        return next(iter(self.read_all([place], setting).values()), None)

    def read_all(
        self, places: Iterable[Place], setting: Setting | None = None
    ) -> dict[Place, pl.DataFrame]:
        """The rows of those blocks whose parts are there and whole; see `read`."""
        setting = setting or this_setting()
        places = list(places)
        names = [self.part(place, setting) for place in places]
        found = {}
        for place, name, data in zip(places, names, self.files.get_all(names), strict=True):
            rows = None if data is None else self._decoded(name, place, data)
            if rows is not None:
                found[place] = rows
        return found

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
        self.make()
        self.files.put(self.part(block.place, setting), encode(rows, about))

    def there(self, places: Collection[Place], setting: Setting) -> set[Place]:
        """Those of some blocks whose parts are there, whole or not."""
        keys = dict.fromkeys(place.key for place in places)
        listed = {
            found.name for key in keys for found in self.files.list(f"parts/{key}/{setting.name}")
        }
        return {place for place in places if self.part(place, setting) in listed}

    def missing(self, study: Study) -> list[Block]:
        """The blocks of a study that are not there yet, and those that can never be."""
        blocks = study.blocks()
        there = self.there([block.place for block in blocks], this_setting())
        return [block for block in blocks if block.why_not_stored or block.place not in there]

    def table(
        self,
        study: Study | Manifest,
        setting: str | None = None,
        *,
        mixed_devices: bool = False,
    ) -> pl.DataFrame:
        """One row a network, arm after arm; raises if anything is missing.

        Args:
            study: what was asked, or what `studies` says of it.
            setting: the name of another setting than this process has, as `studies` shows them.
            mixed_devices: take what that setting lacks from other kinds of device; the column
                `device` says which one computed a row.
        """
        chosen = this_setting() if setting is None else Setting.parse(setting)
        if chosen is None:
            raise ValueError(f"setting is {setting!r}, which is no name of a setting")
        if isinstance(study, Study):
            for block in study.blocks():
                if block.why_not_stored:
                    raise ValueError(f"no store can hold {block.why_not_stored}")
        manifest = study.manifest() if isinstance(study, Study) else study
        settings = [chosen]
        if mixed_devices:
            others = self._settings(manifest)
            settings += [other for other in others if other.differs_only_in_device(chosen)]
        places = manifest.places()
        blocks, devices = self.read_any(places, settings)
        absent = len(places) - len(blocks)
        if absent:
            raise ValueError(
                f"{absent} of the {len(places)} blocks of study {manifest.name!r} are not in "
                f"{self.where}: run the study first{self._elsewhere(manifest, settings)}"
            )
        return assemble(manifest, blocks, devices)

    def read_any(
        self, places: Iterable[Place], settings: Iterable[Setting]
    ) -> tuple[dict[Place, pl.DataFrame], dict[Place, str]]:
        """The rows of blocks in the first of some settings that has them, and its device."""
        rest = list(places)
        blocks: dict[Place, pl.DataFrame] = {}
        devices: dict[Place, str] = {}
        for setting in settings:
            there = self.there(rest, setting)
            found = self.read_all([place for place in rest if place in there], setting)
            blocks |= found
            devices |= dict.fromkeys(found, setting.device)
            rest = [place for place in rest if place not in found]
        return blocks, devices

    def remember(self, study: Study) -> None:
        """Note what a study asks for, so that it can be listed and exported by its name."""
        stored = {block.place.key for block in study.blocks() if not block.why_not_stored}
        manifest = study.manifest()
        arms = tuple(arm for arm in manifest.arms if arm[1] in stored)
        if arms:
            self.make()
            kept = dataclasses.replace(manifest, arms=arms)
            self.files.put(f"studies/{study.name}.json", kept.as_bytes())

    def studies(self) -> dict[str, Manifest]:
        """The studies that ran here, by name; the last one of each name."""
        found = {}
        for file in self.files.list("studies"):
            name = file.name.removeprefix("studies/").removesuffix(".json")
            data = self.files.get(file.name) if file.name == f"studies/{name}.json" else None
            if data is None:
                continue
            try:
                found[name] = Manifest.from_bytes(data)
            except (ValueError, KeyError, TypeError) as error:
                self._aside(file.name, error)
        return found

    def parts(self) -> Iterator[StoredPart]:
        """All parts, of all settings."""
        for file in self.files.list("parts"):
            told = _PART.fullmatch(file.name)
            if told:
                place = Place(told[1], int(told[3]), int(told[4]))
                yield StoredPart(file.name, place, told[2], file.size)

    def part(self, place: Place, setting: Setting) -> str:
        """The name of the file of a block, there or not."""
        return f"parts/{place.key}/{setting.name}/{place.start}-{place.stop}.parquet"

    def make(self) -> None:
        """Write the note that says that this is a store, unless there is one."""
        if not self.exists:
            self.files.put(_NOTE, json.dumps({"format": FORMAT}).encode())

    def _check_format(self) -> None:
        data = self.files.get(_NOTE)
        if data is None:
            return
        try:
            found = json.loads(data)["format"]
        except (ValueError, KeyError, TypeError):
            found = "unknown"
        if found != FORMAT:
            raise ValueError(
                f"store {self.where} has format {found}, but this version of orderedness reads "
                f"format {FORMAT}: choose another folder, or the version that wrote it"
            )

    def _decoded(self, name: str, place: Place, data: bytes) -> pl.DataFrame | None:
        try:
            rows, _ = decode(data)
            if rows["seed"].to_list() != list(range(place.start, place.stop)):
                raise DamagedError("it holds other networks than its name says")
        except DamagedError as reason:
            self._aside(name, reason, "; it is computed again when its study runs")
            return None
        return rows

    def _aside(self, name: str, reason: Exception, then: str = "") -> None:
        aside = self.files.set_aside(name).rpartition("/")[2]
        message = f"{self.where}/{name} is damaged ({reason}) and was set aside as {aside}{then}"
        warnings.warn(message, StoreWarning, stacklevel=4)

    def _settings(self, manifest: Manifest) -> list[Setting]:
        """All settings of which there are results of a study."""
        keys = {key for _, key in manifest.arms}
        found = sorted({part.setting for part in self.parts() if part.place.key in keys})
        return [setting for setting in map(Setting.parse, found) if setting]

    def _elsewhere(self, manifest: Manifest, chosen: list[Setting]) -> str:
        """What to say of results of other settings."""
        found = [one.name for one in self._settings(manifest) if one not in chosen]
        if not found:
            return ""
        return (
            f" (there are results of {', '.join(found)}, which are never mixed with those "
            f"of {chosen[0].name}; name a setting to have them)"
        )
