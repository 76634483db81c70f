"""Means with intervals, paired differences, equivalence, and correction for many comparisons.

The unit of inference is the network. Networks whose value is undefined are left out and counted.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np
import scipy.stats
from jaxtyping import Float

from orderedness import _checks
from orderedness.study import shares

Direction = Literal["above", "below", "inside"]
Kind = Literal["mean", "share", "difference of shares"]
RESAMPLES = 4999


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A mean over networks.

    Attributes:
        mean: over the defined networks.
        std: their population standard deviation (ddof 0), as the paper prints.
        low: lower end of the interval.
        high: upper end.
        level: confidence of the interval.
        effect: mean over the sample standard deviation (of paired differences: Cohen's d_z).
        networks: how many were defined.
        undefined: how many were not.
    """

    mean: float
    std: float
    low: float
    high: float
    level: float
    effect: float
    networks: int
    undefined: int


def estimate(
    values: Float[np.ndarray, " networks"], *, level: float = 0.95, seed: int = 0
) -> Estimate:
    """The mean of one number a network, with a bootstrap interval (percentiles of resampled means).

    Where the interval asks for tails that the resamples cannot resolve, or there are too few
    networks to resample, it is Student's.

    Examples:
        >>> found = estimate(np.array([1.0, 2.0, 3.0, np.nan] * 30))
        >>> found.mean, round(found.low, 1), round(found.high, 1), found.networks, found.undefined
        (2.0, 1.8, 2.2, 90, 30)
    """
    _checks.fraction("level", level)
    values = np.asarray(values, float)
    defined = values[np.isfinite(values)]
    undefined = len(values) - len(defined)
    nan = float("nan")
    if len(defined) == 0:
        return Estimate(nan, nan, nan, nan, level, nan, 0, undefined)
    mean, std = float(defined.mean()), float(defined.std())
    if len(defined) == 1:
        return Estimate(mean, std, nan, nan, level, nan, 1, undefined)
    sample = float(defined.std(ddof=1))
    if sample == 0:
        low = high = mean
    elif len(defined) >= 30 and (1 - level) / 2 * RESAMPLES >= 10:
        interval = scipy.stats.bootstrap(
            (defined,),
            np.mean,
            confidence_level=level,
            n_resamples=RESAMPLES,
            method="percentile",
            batch=max(1, 2_000_000 // len(defined)),
            rng=np.random.default_rng(seed),
        ).confidence_interval
        low, high = float(interval.low), float(interval.high)
    else:
        half = scipy.stats.t.isf((1 - level) / 2, len(defined) - 1) * sample / len(defined) ** 0.5
        low, high = mean - half, mean + half
    effect = mean / sample if sample else nan
    return Estimate(mean, std, low, high, level, effect, len(defined), undefined)


@dataclasses.dataclass(frozen=True, eq=False)
class Comparison:
    """One statement about a mean over networks.

    Attributes:
        name: what is compared.
        values: one number a network, usually a paired difference.
        direction: whether the mean should lie above the bound, below it, or inside ± bound.
        bound: the bound.
        kind: what the values are: any numbers; or 1 for networks that have something and 0 for
            others; or paired differences of such.
    """

    name: str
    values: Float[np.ndarray, " networks"]
    direction: Direction
    bound: float = 0.0
    kind: Kind = "mean"

    @property
    def p(self) -> float:
        """One-sided, of the mean beyond the bound; for "inside" the larger of two (TOST)."""
        values = self.values[np.isfinite(self.values)]
        if len(values) < 2:
            return 1.0
        turned = 1 - values if self.kind == "share" else -values
        below = 1 - self.bound if self.kind == "share" else -self.bound
        if self.direction == "above":
            return _p_above(values, self.bound, self.kind)
        if self.direction == "below":
            return _p_above(turned, below, self.kind)
        return max(_p_above(side, -self.bound, self.kind) for side in (values, turned))

    def estimate(self, level: float, seed: int) -> Estimate:
        """The mean, with an interval that suits the kind of values."""
        found = estimate(self.values, level=level, seed=seed)
        values = self.values[np.isfinite(self.values)]
        if self.kind == "mean" or not len(values):
            return found
        interval = shares.share_interval if self.kind == "share" else shares.difference_interval
        low, high = interval(values, level)
        return dataclasses.replace(found, low=low, high=high)

    def lies_there(self, found: Estimate) -> bool:
        """Whether the whole interval lies where the statement says."""
        if not (np.isfinite(found.low) and np.isfinite(found.high)):
            return False
        if self.direction == "above":
            return found.low > self.bound
        if self.direction == "below":
            return found.high < self.bound
        return -self.bound < found.low and found.high < self.bound


@dataclasses.dataclass(frozen=True)
class Judged:
    """A comparison, its interval at the corrected level, and whether it holds."""

    name: str
    direction: Direction
    bound: float
    estimate: Estimate
    p: float
    holds: bool


def judge(comparisons: Sequence[Comparison], *, level: float = 0.95, seed: int = 0) -> list[Judged]:
    """Judge comparisons together, corrected by Holm's procedure.

    Comparisons are taken from the smallest p-value to the largest; the i-th of m, counted from 0,
    holds if its interval at confidence 1 - (1 - level) / (m - i) lies where it should, and no
    earlier one failed.

    Examples:
        >>> random = np.random.default_rng(0)
        >>> near, far = random.normal(0, 1, 500), random.normal(1, 1, 500)
        >>> judged = judge([Comparison("far", far, "above"), Comparison("near", near, "above")])
        >>> [(one.name, one.holds) for one in judged]
        [('far', True), ('near', False)]
    """
    p = [comparison.p for comparison in comparisons]
    judged: dict[int, Judged] = {}
    open_still = True
    for place, index in enumerate(np.argsort(p, kind="stable")):
        comparison = comparisons[index]
        corrected = 1 - (1 - level) / (len(comparisons) - place)
        found = comparison.estimate(corrected, seed)
        open_still = open_still and comparison.lies_there(found)
        judged[int(index)] = Judged(
            comparison.name, comparison.direction, comparison.bound, found, p[index], open_still
        )
    return [judged[index] for index in range(len(comparisons))]


def solved_share(loss: Float[np.ndarray, " networks"], *, below: float = 0.01) -> Estimate:
    """The share of networks whose loss is below 0.01, with Wilson's interval.

    Examples:
        >>> found = solved_share(np.array([0.001] * 90 + [0.2] * 10))
        >>> found.mean, round(found.low, 2), round(found.high, 2)
        (0.9, 0.83, 0.94)
    """
    solved = (np.asarray(loss) < below).astype(float)
    low, high = shares.share_interval(solved)
    share, std = float(solved.mean()), float(solved.std())
    return Estimate(share, std, low, high, 0.95, float("nan"), len(solved), 0)


def _p_above(values: Float[np.ndarray, " networks"], bound: float, kind: Kind) -> float:
    """The p-value of a mean above the bound: Student's, or that of a share or a difference."""
    if kind == "share":
        return shares.share_p_above(values, bound)
    if kind == "difference of shares":
        return shares.difference_p_above(values, bound)
    gap, error = float(values.mean()) - bound, float(values.std(ddof=1)) / len(values) ** 0.5
    if error == 0:
        return 0.0 if gap > 0 else 1.0
    return float(scipy.stats.t.sf(gap / error, len(values) - 1))
