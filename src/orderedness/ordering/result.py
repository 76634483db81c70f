"""What a solver answers: an order, and how sure it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Int

TOLERANCE = 1e-9  # of S: how far apart bounds of a certified value with real weights may be


@dataclass(frozen=True, eq=False)
class Ordering:
    """An order of the units, its orderedness, and bounds on the best there is.

    Attributes:
        value: O = 1 - L/S of `permutation`; NaN if there is no weight at all.
        permutation: units from first to last, pinned ones at the ends.
        lower: a lower bound on the greatest O; this is `value`.
        upper: an upper bound on the greatest O.
        certified: whether `value` is the greatest O: proved exactly for integer weights, and
            up to `TOLERANCE` for others.
        status: how the search ended, in words.
        statistics: counts of what was done (nodes, cuts, sweeps, ...), and `seconds`.
    """

    value: float
    permutation: Int[np.ndarray, " n"]
    lower: float
    upper: float
    certified: bool
    status: str
    statistics: Mapping[str, float] = field(default_factory=dict)
