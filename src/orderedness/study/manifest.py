"""What a study asked for, as a store remembers it: enough to find its parts, without its code."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, NamedTuple

from orderedness.study.seeds import study_seeds

Label = str | int | float | bool | None


class Place(NamedTuple):
    """Where a block belongs: what was asked, and the seeds from `start` to before `stop`."""

    key: str
    start: int
    stop: int


@dataclasses.dataclass(frozen=True)
class Manifest:
    """A study without its experiments.

    Attributes:
        name: of the study.
        networks: networks an arm.
        seed: of the study.
        block: seeds in a block.
        labels: the columns that tell its arms apart.
        arms: of each arm, its columns in a table and the key of its results.

    Examples:
        >>> manifest = Manifest("m", 3, 0, 2, ("arm",), (({"arm": "a"}, "0f"),))
        >>> manifest.places()
        [Place(key='0f', start=0, stop=2), Place(key='0f', start=2, stop=4)]
        >>> Manifest.from_bytes(manifest.as_bytes()) == manifest
        True
    """

    name: str
    networks: int
    seed: int
    block: int
    labels: tuple[str, ...]
    arms: tuple[tuple[dict[str, Label], str], ...]

    @property
    def seeds(self) -> range:
        """The seeds asked for."""
        return study_seeds(self.networks, self.seed)

    def spans(self) -> list[tuple[int, int]]:
        """First seed, and the one after the last, of each block of an arm."""
        return [
            (at, at + self.block) for at in range(self.seeds.start, self.seeds.stop, self.block)
        ]

    def places(self) -> list[Place]:
        """All blocks, arm after arm; those that two arms share only once."""
        keys = dict.fromkeys(key for _, key in self.arms)
        return [Place(key, *span) for key in keys for span in self.spans()]

    def as_bytes(self) -> bytes:
        """As JSON."""
        return json.dumps(dataclasses.asdict(self), indent=1).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Manifest:
        """From JSON; raises ValueError, KeyError or TypeError if it is something else."""
        told: dict[str, Any] = json.loads(data)
        arms = tuple((dict(columns), str(key)) for columns, key in told["arms"])
        return cls(**{**told, "labels": tuple(told["labels"]), "arms": arms})
