"""What can be counted on a graph: edges outside cycles, units in reach, weight that is returned."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from orderedness.measuring.company.reach import reach


def flow_hierarchy(weights: sp.csr_array) -> float:
    r"""The share of the weight that is in no cycle at all.

        sum of w on edges between strongly connected components / sum of w

    Luo, Magee: Detecting evolving patterns of self-organizing networks by flow hierarchy
    measurement, Complexity 16 (2011). Sees what O does not: whether the feedback is confined to
    one corner. A single weak edge from last to first takes it from 1 to 0. NaN without weight.
    Cost: linear.

    Examples:
        >>> chain = np.diag([1.0, 1.0, 1.0], -1)
        >>> flow_hierarchy(sp.csr_array(chain))
        1.0
    """
    if not weights.nnz:
        return float("nan")
    _, labels = connected_components(weights, directed=True, connection="strong")
    rows = np.repeat(labels, np.diff(weights.indptr))
    between = rows != labels[weights.indices]
    return float(weights.data[between].sum() / weights.data.sum())


def global_reaching_centrality(weights: sp.csr_array) -> float:
    r"""How much more the unit that reaches most reaches than the others do.

        sum over units i of (C_max - C_i) / (N - 1), C_i the share of other units that i reaches

    Mones, Vicsek, Vicsek: Hierarchy measure for complex networks, PLoS ONE 7, e33799 (2012). Sees
    what O does not: whether the flow starts from one unit (a tree, 1) or from many; it does not
    look at weights, and is 0 for anything strongly connected. NaN for fewer than two units. Cost:
    units x units bits and a pass over the edges between strongly connected components.

    Examples:
        >>> star = np.zeros((4, 4))
        >>> star[1:, 0] = 1.0
        >>> global_reaching_centrality(sp.csr_array(star))
        1.0
    """
    units = weights.shape[0]
    if units < 2:
        return float("nan")
    reached = (reach(weights) - 1) / (units - 1)
    return float((reached.max() - reached).sum() / (units - 1))


def reciprocity(weights: sp.csr_array) -> float:
    r"""The share of the weight that is returned over the same pair.

        sum min(w_ij, w_ji) / sum w_ij

    Squartini, Picciolo, Ruzzenenti, Garlaschelli: Reciprocity of weighted networks, Sci. Rep. 3,
    2729 (2013). O of free units is at most 1 - reciprocity / 2 without self-connections; what is
    lost beyond that is lost in longer cycles. NaN without weight. Cost: linear.

    Examples:
        >>> pair = sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))
        >>> round(reciprocity(pair), 6)
        0.666667
    """
    if not weights.nnz:
        return float("nan")
    returned = weights.minimum(sp.csr_array(weights.T)).sum()
    return float(returned / weights.data.sum())
