"""A study: arms times seeds, cut into aligned blocks, which are what is computed and stored."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any

from orderedness import _checks
from orderedness.study.describe import UnnamedError, columns_of, describe, digest
from orderedness.study.manifest import Label, Manifest, Place
from orderedness.study.record import Record
from orderedness.study.seeds import NETWORKS_A_SEED, study_seeds
from orderedness.training import Experiment

Labels = str | Mapping[str, Label]


@dataclasses.dataclass(frozen=True)
class Arm:
    """One experiment of a study, and the labels it bears in the study's table.

    Attributes:
        labels: column -> value; a plain text is the value of a column `arm`.
        experiment: what is trained.
    """

    labels: Mapping[str, Label]
    experiment: Experiment

    def __post_init__(self) -> None:
        labels = {"arm": self.labels} if isinstance(self.labels, str) else dict(self.labels)
        object.__setattr__(self, "labels", labels)
        if not isinstance(self.experiment, Experiment):
            raise TypeError(
                f"the experiment of arm {labels} is {self.experiment!r}, but must be an Experiment"
            )
        for name, value in labels.items():
            if not re.fullmatch(r"[A-Za-z]\w*", name) or _belongs_to_rows(name):
                raise ValueError(
                    f"label {name!r} of arm {labels} must be a word that is no column of results"
                )
            if value is not None and not isinstance(value, (str, int, float, bool)):
                raise TypeError(f"label {name!r} is {value!r}, but must be a text or a number")

    @property
    def columns(self) -> dict[str, Label]:
        """What the table says of this arm: its labels, then what its experiment is."""
        told = columns_of(self.experiment)
        return {**self.labels, **{name: told[name] for name in told if name not in self.labels}}


@dataclasses.dataclass(frozen=True)
class Block:
    """Aligned seeds of one experiment: the unit that is computed, stored and found again.

    Attributes:
        experiment: what is trained.
        place: the key of what is asked, and the seeds.
        why_not_stored: why it cannot be stored, if so.
    """

    experiment: Experiment
    place: Place
    why_not_stored: str | None = None

    @property
    def seeds(self) -> range:
        """The seeds of its networks."""
        return range(self.place.start, self.place.stop)

    def __len__(self) -> int:
        """How many networks there are."""
        return len(self.seeds)


@dataclasses.dataclass(frozen=True)
class Study:
    """A grid of experiments times seeds, which all arms share, so that differences are paired.

    Blocks of `block` aligned seeds are always computed whole, so that a table is the same to the
    bit whichever way it was asked for; networks beyond those asked for are cut when it is read.

    Attributes:
        name: under which the store remembers it.
        arms: label -> experiment, or a list of `Arm`s or of (label or labels, experiment).
        networks: networks an arm.
        seed: another one gives other networks, with none in common.
        block: seeds in a block, a power of two.
        record: what is kept of each network.

    Examples:
        >>> from orderedness.pruning import TopK
        >>> from orderedness.training import Experiment, xor
        >>> arms = {"dense": Experiment(xor()), "pruned": Experiment(xor(), pruner=TopK(0.5))}
        >>> study = Study("first", arms, networks=300)
        >>> [block.seeds for block in study.blocks()]
        [range(0, 256), range(256, 512), range(0, 256), range(256, 512)]
    """

    name: str
    arms: tuple[Arm, ...]
    networks: int
    seed: int = 0
    block: int = 256
    record: Record = dataclasses.field(default_factory=Record)

    def __init__(
        self,
        name: str,
        arms: Mapping[str, Experiment] | Iterable[Arm | tuple[Labels, Experiment]],
        networks: int,
        seed: int = 0,
        block: int = 256,
        record: Record = Record(),  # noqa: B008  # frozen
    ) -> None:
        """Check everything, and make `arms` a tuple of `Arm`s."""
        check_name(name)
        study_seeds(networks, seed)
        if _checks.whole("block", block, least=1) & (block - 1) or block > NETWORKS_A_SEED:
            raise ValueError(
                f"block is {block}, but must be a power of two, at most {NETWORKS_A_SEED}"
            )
        if not isinstance(record, Record):
            raise TypeError(f"record is {record!r}, but must be a Record")
        given = {
            "name": name,
            "arms": _arms(arms),
            "networks": int(networks),
            "seed": int(seed),
            "block": int(block),
            "record": record,
        }
        for field, value in given.items():
            object.__setattr__(self, field, value)

    def blocks(self) -> list[Block]:
        """All blocks, arm after arm; those that two arms share only once."""
        keys = self._keys()
        spans = self._manifest(keys).spans()
        found: dict[Place, Block] = {}
        for arm, (key, why) in zip(self.arms, keys, strict=True):
            for span in spans:
                place = Place(key, *span)
                found.setdefault(place, Block(arm.experiment, place, why))
        return list(found.values())

    def manifest(self) -> Manifest:
        """The study without its experiments."""
        return self._manifest(self._keys())

    @property
    def size(self) -> int:
        """Networks in all blocks: what is computed when nothing is there yet."""
        return sum(map(len, self.blocks()))

    def _keys(self) -> list[tuple[str, str | None]]:
        """Of each arm the key of its results, and why they cannot be stored, if so."""
        keys: list[tuple[str, str | None]] = []
        for number, arm in enumerate(self.arms):
            try:
                keys.append((digest(told_of(arm.experiment, self.record)), None))
            except UnnamedError as reason:
                keys.append((f"arm-{number}", f"arm {dict(arm.labels)}: {reason}"))
        return keys

    def _manifest(self, keys: list[tuple[str, str | None]]) -> Manifest:
        arms = [(arm.columns, key) for arm, (key, _) in zip(self.arms, keys, strict=True)]
        labels = tuple(self.arms[0].labels)
        return Manifest(self.name, self.networks, self.seed, self.block, labels, tuple(arms))


def told_of(experiment: Experiment, record: Record) -> dict[str, Any]:
    """What is asked of each network, in plain data, or `UnnamedError` where a name is missing."""
    return {"experiment": describe(experiment), "record": record.as_json()}


def check_name(name: str) -> str:
    """Return the name of a study, which is a file name too, or raise.

    >>> check_name("../x")
    Traceback (most recent call last):
        ...
    ValueError: name is '../x', but must be 1 to 80 letters, digits, '-', '_' or '.', ...
    """
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", name):
        raise ValueError(
            f"name is {name!r}, but must be 1 to 80 letters, digits, '-', '_' or '.', beginning "
            "with a letter or digit"
        )
    return name


def _arms(
    given: Mapping[str, Experiment] | Iterable[Arm | tuple[Labels, Experiment]],
) -> tuple[Arm, ...]:
    pairs: list[Any] = list(given.items() if isinstance(given, Mapping) else given)
    for pair in pairs:
        if not isinstance(pair, Arm) and not (isinstance(pair, tuple) and len(pair) == 2):
            raise TypeError(f"arms holds {pair!r}, but must hold (labels, experiment) or Arm")
    arms = tuple(pair if isinstance(pair, Arm) else Arm(pair[0], pair[1]) for pair in pairs)
    if not arms:
        raise ValueError("arms is empty, but a study must have at least one")
    labels = [tuple(sorted(arm.labels.items())) for arm in arms]
    seen = set()
    for bearing in labels:
        if bearing in seen:
            raise ValueError(f"two arms are labelled {dict(bearing)}, but labels must differ")
        if {name for name, _ in bearing} != {name for name, _ in labels[0]}:
            raise ValueError(
                f"arm {dict(bearing)} has other labels than arm {dict(labels[0])}, but all arms "
                "must have the same ones"
            )
        seen.add(bearing)
    for name in arms[0].labels:
        kinds = {type(arm.labels[name]) for arm in arms} - {type(None)}
        if len(kinds) > 1 and kinds != {int, float}:
            values = sorted({repr(arm.labels[name]) for arm in arms})
            raise ValueError(
                f"label {name!r} is {' and '.join(values)}, but must be of one kind in all arms"
            )
    return arms


def _belongs_to_rows(name: str) -> bool:
    """Whether a column of this name is one that is measured."""
    starts = ("o_", "hidden_", "density", "null_", "weights_", "values_", "bias_")
    return name in ("seed", "loss", "losses", "device", "certified") or name.startswith(starts)
