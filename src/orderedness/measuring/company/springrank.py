r"""SpringRank. De Bacco, Larremore, Moore: Science Advances 4, eaar8260 (2018)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from jaxtyping import Float

from orderedness.measuring.company.levels import steps, trophic_levels


def spring_ranks(weights: sp.csr_array) -> Float[np.ndarray, " units"]:
    r"""Ranks of units that are joined by springs of length 1, upstream units highest.

        s minimises H(s) = 1/2 sum A_ij (s_i - s_j - 1)^2 over edges i -> j

    Without regularisation these are the trophic levels with the sign turned, found two years
    earlier for other ends; the mean rank is 0.

    Examples:
        >>> spring_ranks(sp.csr_array(np.array([[0.0, 0.0], [1.0, 0.0]]))).round(6)
        array([ 0.5, -0.5])
    """
    ranks = -trophic_levels(weights)
    centred: np.ndarray = ranks - ranks.mean()
    return centred


def springrank_forward(
    weights: sp.csr_array, ranks: Float[np.ndarray, " units"] | None = None
) -> float:
    r"""The share of the weight that runs from higher to lower rank.

        sum of A_ij with s_i > s_j / sum of A_ij

    An order in one linear solve: never above O without self-connections, and how far below it says
    what the search for the best order gained. NaN without weight. Cost: as trophic levels.

    Examples:
        >>> pair = sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))
        >>> round(springrank_forward(pair), 6)
        0.666667
    """
    if not weights.nnz:
        return float("nan")
    ranks = spring_ranks(weights) if ranks is None else ranks
    # Ranks are solved for to about 1e-11; closer than this they are equal.
    downhill = steps(weights, -ranks) > 1e-8
    return float(weights.data[downhill].sum() / weights.data.sum())
