"""What a measurement answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Int

from orderedness.measuring.network import Name, Network
from orderedness.measuring.null_models import NullComparison


class Feedback(NamedTuple):
    """A connection that runs against the best order."""

    source: Name
    target: Name
    weight: float


class Reasons(NamedTuple):
    """What keeps orderedness below 1, as shares of all weight.

    Attributes:
        pinned: feedback from or to units that were given their places.
        mutual: the weaker half of pairs that feed each other, which no order avoids.
        cycles: the rest, in longer cycles.
    """

    pinned: float
    mutual: float
    cycles: float


@dataclass(frozen=True, eq=False)
class Measured:
    """How ordered a network is, how sure that is, and what else there is to say of it.

    Attributes:
        orderedness: O = 1 - L/S of `order`; NaN if there is no weight.
        lower: a lower bound on the greatest O.
        upper: an upper bound on the greatest O.
        certified: whether `orderedness` is known to be the greatest.
        hidden: O of the units that are no outputs; equal to `orderedness` if there are none.
        order: names of the units, upstream first: what feeds comes before what it feeds.
        permutation: the same as indices with the most downstream unit first, so that
            ``weights[permutation][:, permutation]`` has its feedback below the diagonal.
        status: how the search ended.
        reasons: what keeps the orderedness below 1.
        feedback: the largest connections against the order.
        gates: orderedness of each gate, if the weights were those of a gated cell.
        measures: other measures by name; None for those left out, with `left_out` saying why.
        left_out: why.
        null: comparison with a null model, if there was one.
        network: what was measured.
        count_self: whether self-connections are in S.
        seconds: how long it took.
    """

    orderedness: float
    lower: float
    upper: float
    certified: bool
    hidden: float
    order: tuple[Name, ...]
    permutation: Int[np.ndarray, " units"]
    status: str
    reasons: Reasons
    feedback: tuple[Feedback, ...]
    network: Network
    count_self: bool
    seconds: float
    gates: Mapping[str, float] = field(default_factory=dict)
    measures: Mapping[str, float | None] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    null: NullComparison | None = None

    @property
    def nodes(self) -> int:
        """How many units were put in order."""
        return self.network.units

    @property
    def edges(self) -> int:
        """How many connections there are between them, self-connections included."""
        return self.network.connections

    def as_json(self) -> dict[str, Any]:
        """What JSON can hold, with None where there is no number."""
        measures: dict[str, Any] = {name: _number(value) for name, value in self.measures.items()}
        if self.gates:
            measures["gates"] = {name: _number(value) for name, value in self.gates.items()}
        return {
            "orderedness": _number(self.orderedness),
            "lower": _number(self.lower),
            "upper": _number(self.upper),
            "certified": self.certified,
            "hidden_orderedness": _number(self.hidden),
            "order": list(self.order),
            "nodes": self.nodes,
            "edges": self.edges,
            "seconds": round(self.seconds, 3),
            "measures": measures,
            "null": None if self.null is None else self.null.as_json(),
        }

    def __str__(self) -> str:
        from orderedness.measuring.text import describe

        return describe(self)


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
