"""Names and numbers as people read them."""

from __future__ import annotations

from orderedness.paper.published import UNTRAINED_ORDEREDNESS
from orderedness.study.statistics import Estimate

HEADINGS = {
    UNTRAINED_ORDEREDNESS: "O untrained",
    "none": "untrained control",
    "xor": "XOR",
    "sine": "Sine",
}
ROW_NAMES = {
    "default": "default (no pruning)",
    "uniform_weights": "uniform W",
    "zero_values": "zeros v",
    "random": "random, p = 0.5",
    "topk": "top-k, k = 0.5",
    "dynamic_topk": "dynamic top-k, k = 0.5",
    "tril_damp": "tril-damp, f = 0.8",
    "dynamic_tril_damp": "dynamic tril-damp, f = 0.8",
}


def pair(mean: float, std: float) -> str:
    """A mean and a standard deviation, to the third decimal.

    Examples:
        >>> pair(-0.0001, 0.25)
        '0.000 ± 0.250'
    """
    return f"{mean:.3f} ± {std:.3f}".replace("-0.000", "0.000")


def interval(found: Estimate) -> str:
    """The interval of an estimate.

    Examples:
        >>> interval(Estimate(0.1, 1, 0.05, 0.15, 0.95, 0.1, 9, 0))
        '0.050 to 0.150'
    """
    return f"{found.low:.3f} to {found.high:.3f}".replace("-0.000", "0.000")
