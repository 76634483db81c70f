"""Shares of networks, and paired differences of shares, as few networks can bear them.

Ten networks that all solve a task have no spread, so that a bootstrap or Student's interval would
have no width. These have: Wilson's for a share, Agresti and Min's (2005) for a paired difference.
"""

from __future__ import annotations

import numpy as np
import scipy.stats
from jaxtyping import Float


def share_interval(
    values: Float[np.ndarray, " networks"], level: float = 0.95
) -> tuple[float, float]:
    """Wilson's interval of a share: 1 for networks that have it, 0 for those that do not.

    Examples:
        >>> [round(end, 2) for end in share_interval(np.ones(10))]
        [0.72, 1.0]
    """
    test = scipy.stats.binomtest(int(values.sum()), len(values))
    found = test.proportion_ci(level, method="wilson")
    return float(found.low), float(found.high)


def share_p_above(values: Float[np.ndarray, " networks"], bound: float) -> float:
    """The exact binomial p-value of a share above the bound.

    Examples:
        >>> round(share_p_above(np.ones(10), 0.9), 2)
        0.35
    """
    found = scipy.stats.binomtest(int(values.sum()), len(values), bound, alternative="greater")
    return float(found.pvalue)


def difference_interval(
    values: Float[np.ndarray, " networks"], level: float = 0.95
) -> tuple[float, float]:
    r"""The interval of a paired difference of shares: 1, 0 or -1 for each network.

    Half a network is added to each of the four ways in which a pair can come out: the mean is
    \(\tilde d = \sum d / (n + 2)\), its standard error
    \(\sqrt{((\sum |d| + 1) / (n + 2) - \tilde d^2) / (n + 2)}\).

    Examples:
        >>> [round(end, 2) for end in difference_interval(np.zeros(10))]
        [-0.16, 0.16]
    """
    mean, error = _adjusted(values)
    half = float(scipy.stats.norm.isf((1 - level) / 2)) * error
    return mean - half, mean + half


def difference_p_above(values: Float[np.ndarray, " networks"], bound: float) -> float:
    """The p-value of such a difference above the bound.

    Examples:
        >>> round(difference_p_above(np.zeros(10), -0.05), 2)
        0.27
    """
    mean, error = _adjusted(values)
    return float(scipy.stats.norm.sf((mean - bound) / error))


def _adjusted(values: np.ndarray) -> tuple[float, float]:
    networks = len(values) + 2
    mean = float(values.sum()) / networks
    spread = (float(np.abs(values).sum()) + 1) / networks - mean**2
    return mean, (spread / networks) ** 0.5
