r"""Trophic levels and incoherence.

MacKay, Johnson, Sansom: How directed is a directed network? R. Soc. Open Sci. 7, 201138 (2020).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from jaxtyping import Float
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, cg

ITERATIONS = 5_000


def trophic_levels(weights: sp.csr_array) -> Float[np.ndarray, " units"]:
    r"""How far downstream each unit is: the levels h that least squares give.

        h minimises sum w_mn (h_n - h_m - 1)^2 over edges m -> n, so (diag(u) - W - W^T) h = v,
        where u is the strength of a unit, in and out, and v its strength in less that out.

    The lowest level in each weakly connected part is 0.

    Args:
        weights: magnitudes, entry [r, c] from c to r.

    Raises:
        ArithmeticError: if conjugate gradients do not converge, as for weights of very different
            sizes.

    Examples:
        >>> trophic_levels(sp.csr_array(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]))).round(6)
        array([0., 1., 2.])
    """
    incoming, outgoing = weights.sum(axis=1), weights.sum(axis=0)
    strength = incoming + outgoing
    count, labels = connected_components(weights, directed=True, connection="weak")
    both = sp.csr_array(weights + weights.T)
    sizes = np.bincount(labels, minlength=count)

    def centred(x: Float[np.ndarray, " units"]) -> np.ndarray:
        means: np.ndarray = np.bincount(labels, x, minlength=count) / sizes
        return x - means[labels]

    # The Laplacian of each part is singular; adding its constant vector makes it definite and
    # leaves the centred solution as it is.
    scale = float(strength.mean()) if strength.any() else 1.0
    operator = LinearOperator(
        weights.shape,
        matvec=lambda x: strength * x - both @ x + scale * (x - centred(x)),
        dtype=np.float64,
    )
    inverse = sp.diags_array(1.0 / np.where(strength > 0, strength, 1.0))
    levels, failed = cg(
        operator, centred(incoming - outgoing), rtol=1e-11, maxiter=ITERATIONS, M=inverse
    )
    if failed:
        raise ArithmeticError(f"conjugate gradients did not converge in {ITERATIONS} iterations")
    lowest = np.full(count, np.inf)
    np.minimum.at(lowest, labels, levels)
    return levels - lowest[labels]


def trophic_incoherence(
    weights: sp.csr_array, levels: Float[np.ndarray, " units"] | None = None
) -> float:
    r"""F0: 0 where every edge climbs one level, 1 where levels explain nothing.

        F0 = min over h of sum w_mn (h_n - h_m - 1)^2 / sum w_mn

    Sees what O does not: shortcuts. A feed-forward net with edges that skip levels has O = 1 and
    F0 > 0. NaN without weight. Cost: conjugate gradients on a sparse matrix.

    Examples:
        >>> loop = sp.csr_array(np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0]]))  # feed-forward
        >>> round(trophic_incoherence(loop), 6)
        0.111111
    """
    if not weights.nnz:
        return float("nan")
    levels = trophic_levels(weights) if levels is None else levels
    return float(weights.data @ (steps(weights, levels) - 1.0) ** 2 / weights.data.sum())


def steps(
    weights: sp.csr_array, levels: Float[np.ndarray, " units"]
) -> Float[np.ndarray, " edges"]:
    """How many levels each edge climbs, in the order in which the matrix stores them.

    Examples:
        >>> steps(sp.csr_array(np.array([[0.0, 0.0], [1.0, 0.0]])), np.array([0.0, 3.0]))
        array([3.])
    """
    climbed: np.ndarray = np.repeat(levels, np.diff(weights.indptr)) - levels[weights.indices]
    return climbed
