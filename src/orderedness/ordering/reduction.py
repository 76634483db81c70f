"""What can be settled before any search: 2-cycles and the order of strong components."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from jaxtyping import Int
from scipy.sparse.csgraph import connected_components

from orderedness.ordering._compiled import compiled
from orderedness.ordering.problem import Problem


@dataclass(frozen=True, eq=False)
class Reduction:
    """The free units of a problem, taken apart.

    Attributes:
        net: net weights among free units: of each pair in both directions, only the excess.
        free: the units that `net` is about.
        components: rows of `net`, one array for each strongly connected component, in an order
            such that nothing between components lies below the diagonal.
        settled: weight below the diagonal that no order of free units avoids.
    """

    net: sp.csr_array
    free: Int[np.ndarray, " m"]
    components: list[Int[np.ndarray, " k"]]
    settled: float


@compiled
def _topological(
    starts: Int[np.ndarray, " k1"], targets: Int[np.ndarray, " edges"]
) -> Int[np.ndarray, " k"]:
    """Nodes of an acyclic graph so that every edge leads from an earlier to a later one."""
    nodes = starts.size - 1
    waiting = np.zeros(nodes, np.int64)
    for target in targets:
        waiting[target] += 1
    order = np.empty(nodes, np.int64)
    ready = 0
    for node in range(nodes):
        if waiting[node] == 0:
            order[ready] = node
            ready += 1
    done = 0
    while done < ready:
        node = order[done]
        done += 1
        for edge in range(starts[node], starts[node + 1]):
            waiting[targets[edge]] -= 1
            if waiting[targets[edge]] == 0:
                order[ready] = targets[edge]
                ready += 1
    return order


def strong_components(net: sp.csr_array) -> list[Int[np.ndarray, " k"]]:
    """The strongly connected components, those that feed none below the diagonal first.

    Example:
        >>> net = sp.csr_array(np.array([[0.0, 0.0], [1.0, 0.0]]))
        >>> strong_components(net)
        [array([1]), array([0])]
    """
    count, labels = connected_components(net, directed=True, connection="strong")
    if count == 1:
        return [np.arange(net.shape[0])]
    rows = np.repeat(labels, np.diff(net.indptr)).astype(np.int64)
    columns = labels[net.indices]
    between = rows != columns
    edges = np.unique(rows[between] * count + columns[between])
    starts = np.searchsorted(edges // count, np.arange(count + 1))
    order = _topological(starts.astype(np.int64), (edges % count).astype(np.int64))
    by_label = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=count))
    units = np.split(by_label, ends[:-1])
    return [units[label] for label in order]


def reduce_problem(problem: Problem) -> Reduction:
    """Cancel 2-cycles, take out pinned units, split into strong components.

    Example:
        >>> problem = Problem.from_edges([0, 1, 1], [1, 0, 2], [3.0, 2.0, 1.0])
        >>> reduction = reduce_problem(problem)
        >>> reduction.settled, len(reduction.components)
        (2.0, 3)
    """
    weights = problem.weights
    place = np.zeros(problem.size, np.int64)  # 0 for free units, between front and back ones
    place[list(problem.front)] = np.arange(-len(problem.front), 0)
    place[list(problem.back)] = np.arange(1, 1 + len(problem.back))
    free = np.flatnonzero(place == 0)
    settled = 0.0
    if free.size < problem.size:
        rows = np.repeat(place, np.diff(weights.indptr))
        settled += float(weights.data[rows > place[weights.indices]].sum())
        weights = sp.csr_array(weights[free][:, free])
    transposed = sp.csr_array(weights.T)
    settled += 0.5 * float(weights.minimum(transposed).sum())
    net = sp.csr_array(weights - transposed)
    net.data = np.maximum(net.data, 0.0)
    net.eliminate_zeros()
    net.sort_indices()
    return Reduction(net, free, strong_components(net), settled)
