"""What a result says, in one sentence that follows from its numbers."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from orderedness.explorer.compute import Result

MATTERS = 0.02  # the smallest difference of O that matters, by the rule for the paper's claims

Kind = Literal["undefined", "more", "slightly more", "chance", "less", "slightly less", "unclear"]


@dataclasses.dataclass(frozen=True)
class Verdict:
    """A sentence, and which of few it is.

    Attributes:
        kind: which.
        sentence: the finding.
        because: the numbers behind it.
    """

    kind: Kind
    sentence: str
    because: str


def kind_of(low: float, high: float) -> Kind:
    """Which finding an interval of the mean excess over chance is.

    Examples:
        >>> [kind_of(*interval) for interval in ((0.05, 0.07), (-0.01, 0.01), (0.005, 0.03))]
        ['more', 'chance', 'slightly more']
        >>> kind_of(-0.05, 0.05)
        'unclear'
    """
    if np.isnan(low) or np.isnan(high):
        return "unclear"
    if low > -MATTERS and high < MATTERS:
        return "chance"
    if low > 0:
        return "more" if low >= MATTERS else "slightly more"
    if high < 0:
        return "less" if high <= -MATTERS else "slightly less"
    return "unclear"


def verdict(result: Result) -> Verdict:
    """Whether the networks are more ordered than chance, and by how much.

    Chance is what O becomes when each network's own weights, zeros included, are dealt to random
    places: it has the same sparsity and the same magnitudes.

    Examples:
        >>> from orderedness.explorer import Setting, explore
        >>> verdict(explore(Setting(task="untrained control", pruner="none"))).kind
        'chance'
    """
    if result.undefined == len(result.after):
        return Verdict(
            "undefined",
            "No network has a weight left between its units, so O is undefined (0/0).",
            "Lower the strength.",
        )
    found = result.excess
    kind = kind_of(found.low, found.high)
    size = f"{abs(found.mean):.3f}"
    sparse = result.setting.pruner in ("random", "top-k", "dynamic top-k")
    sentence = {
        "chance": (
            f"This is what {'sparsity' if sparse else 'chance'} alone gives: the same weights in "
            f"random places are as ordered, to within {MATTERS}."
        ),
        "more": f"More ordered than chance by {size}.",
        "slightly more": f"More ordered than chance by {size}: real, but perhaps too little to "
        "matter.",
        "less": f"Less ordered than chance by {size}.",
        "slightly less": f"Less ordered than chance by {size}: real, but perhaps too little to "
        "matter.",
        "unclear": "These networks cannot tell it from chance: train more of them.",
    }[kind]
    return Verdict(kind, sentence, _because(result))


def _because(result: Result) -> str:
    before, after = _mean(result.before), _mean(result.after)
    chance = _mean(result.null.mean)
    found = result.excess
    interval = (
        f"95 % interval {found.low:+.3f} to {found.high:+.3f}"
        if np.isfinite(found.low)
        else "one network has no interval"
    )
    told = (
        f"Mean O went from {before:.3f} to {after:.3f}; the same weights in random places have "
        f"{chance:.3f}. Difference {found.mean:+.3f} ({interval})."
    )
    hidden = result.hidden_excess
    if np.isfinite(hidden.low):
        told += (
            " Among the hidden units alone the difference is "
            f"{hidden.mean:+.3f} ({hidden.low:+.3f} to {hidden.high:+.3f})."
        )
    if result.undefined:
        told += (
            f" {result.undefined:,} of {len(result.after):,} networks have no weight left "
            "between their units and are left out."
        )
    return told


def _mean(values: np.ndarray) -> float:
    defined = values[np.isfinite(values)]
    return float(defined.mean()) if defined.size else float("nan")
