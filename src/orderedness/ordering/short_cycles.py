"""Cycles of a directed graph that are short when arcs have lengths."""

import numpy as np
from jaxtyping import Bool, Float, Int

from orderedness.ordering._compiled import compiled
from orderedness.ordering._heap import pop, push


@compiled
def short_cycles(
    starts: Int[np.ndarray, " n1"],
    heads: Int[np.ndarray, " m"],
    length: Float[np.ndarray, " m"],
    closing: Bool[np.ndarray, " m"],
    sources: Int[np.ndarray, " k"],
    limit: float,
    most_settled: int,
    ends: Int[np.ndarray, " c1"],
    arcs: Int[np.ndarray, " room"],
) -> int:
    """For each closing arc u -> v, v among the sources, the shortest cycle through it.

    Dijkstra from v to every such u, over arcs of any kind, in the graph whose arcs u -> heads[e]
    are starts[u] <= e < starts[u + 1].

    Args:
        starts: where the arcs of each unit start.
        heads: where arcs lead to.
        length: lengths, none negative.
        closing: arcs to close cycles with; if every cycle has one, no short cycle is missed.
        sources: units to start from.
        limit: only cycles shorter than this.
        most_settled: give up on a source after this many units.
        ends: overwritten: cycle k has the arcs ``arcs[ends[k]:ends[k + 1]]``.
        arcs: overwritten.

    Returns:
        How many cycles were found; fewer than there are if `ends` or `arcs` is full.

    Example:
        >>> triangle = np.arange(4), np.array([1, 2, 0]), np.full(3, 0.1)
        >>> ends, arcs = np.zeros(9, np.int64), np.zeros(20, np.int64)
        >>> closing = np.array([False, False, True])
        >>> short_cycles(*triangle, closing, np.array([0]), 1.0, 9, ends, arcs)
        1
        >>> arcs[: ends[1]]
        array([2, 1, 0])
    """
    units = starts.size - 1
    # For each unit, the closing arcs that lead to it.
    into = np.zeros(units + 2, np.int64)
    tails = np.empty(heads.size, np.int64)
    for u in range(units):
        for e in range(starts[u], starts[u + 1]):
            tails[e] = u
            if closing[e]:
                into[heads[e] + 2] += 1
    for u in range(units):
        into[u + 2] += into[u + 1]
    closers = np.empty(into[units + 1], np.int64)
    for e in range(heads.size):
        if closing[e]:
            closers[into[heads[e] + 1]] = e
            into[heads[e] + 1] += 1
    distance = np.full(units, np.inf)
    via = np.full(units, -1, np.int64)
    touched = np.empty(units, np.int64)
    keys = np.empty(heads.size + 1)
    items = np.empty(heads.size + 1, np.int64)
    found = 0
    used_arcs = 0
    ends[0] = 0
    for source in sources:
        if into[source] == into[source + 1]:
            continue
        touched[0] = source
        used = 1
        distance[source] = 0.0
        via[source] = -1
        keys[0], items[0] = 0.0, source
        size = 1
        settled = 0
        while size > 0 and settled < most_settled:
            key, unit = pop(keys, items, size)
            size -= 1
            if key > distance[unit]:
                continue
            settled += 1
            for e in range(starts[unit], starts[unit + 1]):
                reach = key + length[e]
                head = heads[e]
                if reach < limit and reach < distance[head]:
                    if distance[head] == np.inf:
                        touched[used] = head
                        used += 1
                    distance[head] = reach
                    via[head] = e
                    push(keys, items, size, reach, head)
                    size += 1
        for k in range(into[source], into[source + 1]):
            arc = closers[k]
            if distance[tails[arc]] + length[arc] < limit:
                steps = 1
                unit = tails[arc]
                while unit != source:
                    unit = tails[via[unit]]
                    steps += 1
                if found + 1 >= ends.size or used_arcs + steps > arcs.size:
                    return found
                arcs[used_arcs] = arc
                used_arcs += 1
                unit = tails[arc]
                while unit != source:
                    arcs[used_arcs] = via[unit]
                    used_arcs += 1
                    unit = tails[via[unit]]
                found += 1
                ends[found] = used_arcs
        for k in range(used):
            distance[touched[k]] = np.inf
    return found
