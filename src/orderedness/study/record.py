"""What a study records of each network."""

from __future__ import annotations

import dataclasses
from typing import Any

from orderedness import _checks
from orderedness.ordering.nulls import MODELS


@dataclasses.dataclass(frozen=True)
class Record:
    """What is measured of each network and kept.

    Attributes:
        loss_every: keep the loss before every n-th step, the first included.
        nulls: null models that orderedness after training is compared with: "entries", "roles",
            "orientation", "masks".
        null_draws: draws of each null model a network.
        count_inputs: whether input columns count in the sum of all weights.
        weights: keep W, v and b before and after training.

    Examples:
        >>> Record(nulls=("entrys",))
        Traceback (most recent call last):
            ...
        ValueError: nulls[0] is 'entrys', but must be one of entries, ...; did you mean 'entries'?
    """

    loss_every: int = 100
    nulls: tuple[str, ...] = ()
    null_draws: int = 100
    count_inputs: bool = False
    weights: bool = False

    def __post_init__(self) -> None:
        _checks.whole("loss_every", self.loss_every, least=1)
        _checks.whole("null_draws", self.null_draws, least=1)
        if isinstance(self.nulls, str):
            raise TypeError(f"nulls is {self.nulls!r}, but must be a list of names")
        for place, model in enumerate(self.nulls):
            _checks.known(f"nulls[{place}]", model, MODELS)
        object.__setattr__(self, "nulls", tuple(dict.fromkeys(self.nulls)))
        for name in ("count_inputs", "weights"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} is {getattr(self, name)!r}, but must be true or false")

    def as_json(self) -> dict[str, Any]:
        """What decides which numbers a part holds; draws of no null model decide nothing."""
        told = dataclasses.asdict(self) | {"nulls": sorted(self.nulls)}
        return told if self.nulls else told | {"null_draws": None}
