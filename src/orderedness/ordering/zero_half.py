r"""Zero-half cuts for the linear ordering relaxation: odd closed walks over pairs of units.

The relaxation has a variable x_p for each pair p = (a, b), a < b: whether a comes before b. For
each triple a < b < c,

    x_ab + x_bc - x_ac <= 1    and    -x_ab - x_bc + x_ac <= 0.

Add up some of these and some bounds (x <= 1, -x <= 0) so that every coefficient is even and the
right side odd: half of it, rounded down, is an inequality that all orders satisfy, and a fractional
x violates it if the slacks add up to less than 1. One bound takes the third pair out of a triple,
so a triple links two pairs, at a price (its slack and the bound's) for each parity of the right
side, and the cuts are closed walks of odd parity shorter than 1 (Caprara and Fischetti 1996). The
Moebius ladder inequalities are among them.
"""

import numpy as np
from jaxtyping import Float, Int

from orderedness.ordering._compiled import compiled
from orderedness.ordering._heap import pop, push


@compiled
def _prices(
    x: Float[np.ndarray, "n n"], kept: int, u: int, v: int
) -> tuple[float, float, bool, bool]:
    """Prices of linking pairs {kept, u} and {kept, v}, for an even and an odd right side.

    Also whether the upper triple inequality is the one to use, for either parity.
    """
    a, c = min(kept, u, v), max(kept, u, v)
    b = kept + u + v - a - c
    value = min(1.0, max(0.0, x[a, b] + x[b, c] - x[a, c]))
    dropped = min(1.0, max(0.0, x[min(u, v), max(u, v)]))
    even_upper, even_lower = 1.0 - value + 1.0 - dropped, value + dropped
    odd_upper, odd_lower = 1.0 - value + dropped, value + 1.0 - dropped
    return (
        min(even_upper, even_lower),
        min(odd_upper, odd_lower),
        even_upper < even_lower,
        odd_upper < odd_lower,
    )


@compiled
def _links(
    x: Float[np.ndarray, "n n"], most: float
) -> tuple[Int[np.ndarray, " nodes1"], Int[np.ndarray, " links"], Float[np.ndarray, " links"]]:
    """All links not dearer than `most`, by the pair they start from: targets 2 * pair + parity."""
    n = x.shape[0]
    starts = np.zeros(n * n + 1, np.int64)
    targets = np.empty(0, np.int64)
    prices = np.empty(0)
    for fill in range(2):
        count = 0
        for i in range(n):
            for j in range(n):
                starts[i * n + j] = count
                if i >= j:
                    continue
                for c in range(n):
                    if c in (i, j):
                        continue
                    for side in range(2):
                        kept, other = (i, j) if side == 0 else (j, i)
                        even, odd, _, _ = _prices(x, kept, other, c)
                        for parity in range(2):
                            price = odd if parity else even
                            if price <= most:
                                if fill:
                                    pair = min(kept, c) * n + max(kept, c)
                                    targets[count] = 2 * pair + parity
                                    prices[count] = price
                                count += 1
        starts[n * n] = count
        if not fill:
            targets = np.empty(count, np.int64)
            prices = np.empty(count)
    return starts, targets, prices


@compiled
def _odd_walk(
    source: int,
    limit: float,
    starts: Int[np.ndarray, " nodes1"],
    targets: Int[np.ndarray, " links"],
    prices: Float[np.ndarray, " links"],
    distance: Float[np.ndarray, " nodes"],
    parent: Int[np.ndarray, " nodes"],
    touched: Int[np.ndarray, " nodes"],
    keys: Float[np.ndarray, " heap"],
    items: Int[np.ndarray, " heap"],
) -> tuple[int, int]:
    """The cheapest odd closed walk from a pair, if cheaper than `limit`, as its middle link.

    Half of the walk is no longer than half of the limit, so it is enough to know the nodes
    (2 * pair + parity) this near to the source, and to look for a link between two of them.
    Returns the ends of that link, -1 if there is none.
    """
    best = limit
    best_a, best_b = -1, -1
    used = 0
    start = 2 * source
    distance[start] = 0.0
    parent[start] = -1
    touched[0] = start
    used = 1
    keys[0], items[0] = 0.0, start
    size = 1
    while size > 0:
        key, node = pop(keys, items, size)
        size -= 1
        if key > distance[node]:
            continue
        if 2.0 * key >= best:
            break
        for link in range(starts[node >> 1], starts[(node >> 1) + 1]):
            reach = key + prices[link]
            target = targets[link] ^ (node & 1)
            if reach + distance[target ^ 1] < best - 1e-9:
                best = reach + distance[target ^ 1]
                best_a, best_b = node, target
            if 2.0 * reach < best and reach < distance[target] - 1e-9 and size < keys.size:
                if distance[target] == np.inf:
                    touched[used] = target
                    used += 1
                distance[target] = reach
                parent[target] = node
                push(keys, items, size, reach, target)
                size += 1
    for k in range(used):
        distance[touched[k]] = np.inf
    return best_a, best_b


@compiled
def _add_link(
    x: Float[np.ndarray, "n n"], p: int, q: int, odd: int, sums: Float[np.ndarray, "n n"]
) -> float:
    """Add the triple inequality and the bound of one link to `sums`; return their right side."""
    n = x.shape[0]
    i, j, k, m = p // n, p % n, q // n, q % n
    # The two pairs share one unit; the other two make up the dropped pair.
    if i == k:
        kept, u, v = i, j, m
    elif i == m:
        kept, u, v = i, j, k
    elif j == k:
        kept, u, v = j, i, m
    else:
        kept, u, v = j, i, k
    _, _, even_upper, odd_upper = _prices(x, kept, u, v)
    upper = odd_upper if odd else even_upper
    bound_upper = upper != bool(odd)
    a, c = min(kept, u, v), max(kept, u, v)
    b = kept + u + v - a - c
    sign = 1.0 if upper else -1.0
    sums[a, b] += sign
    sums[b, c] += sign
    sums[a, c] -= sign
    sums[min(u, v), max(u, v)] += 1.0 if bound_upper else -1.0
    return (1.0 if upper else 0.0) + (1.0 if bound_upper else 0.0)


@compiled
def zero_half_cuts(
    x: Float[np.ndarray, "n n"],
    least: float,
    sources: Int[np.ndarray, " sources"],
    rows: Float[np.ndarray, "most pairs"],
    rights: Float[np.ndarray, " most"],
    violations: Float[np.ndarray, " most"],
) -> int:
    """Find cuts ``sum of rows[k] * x over a < b <= rights[k]`` violated by at least `least`.

    Args:
        x: the point; entries with a < b are read.
        least: the least violation, below a half.
        sources: pairs a * n + b to start walks from.
        rows: overwritten, coefficients over a * n + b.
        rights: overwritten.
        violations: overwritten.

    Returns:
        How many were found, at most ``len(rights)``.

    Example:
        The bound x <= 1/2 for all pairs of four units, in no contradiction to any triple:

        >>> x = np.full((4, 4), 0.5)
        >>> room = np.zeros((5, 16)), np.zeros(5), np.zeros(5)
        >>> zero_half_cuts(x, 0.1, np.array([1]), *room)
        0
    """
    n = x.shape[0]
    limit = 1.0 - 2.0 * least
    starts, targets, prices = _links(x, 0.5 * limit)
    distance = np.full(2 * n * n, np.inf)
    parent = np.empty(2 * n * n, np.int64)
    touched = np.empty(2 * n * n, np.int64)
    keys = np.empty(16 * n * n)
    items = np.empty(16 * n * n, np.int64)
    sums = np.empty((n, n))
    found = 0
    for source in sources:
        if found == rights.size:
            break
        end_a, end_b = _odd_walk(
            source, limit, starts, targets, prices, distance, parent, touched, keys, items
        )
        if end_a < 0:
            continue
        sums[:] = 0.0
        right = _add_link(x, end_a >> 1, end_b >> 1, (end_a ^ end_b) & 1, sums)
        for end in (end_a, end_b ^ 1):
            node = end
            while parent[node] >= 0:
                above = parent[node]
                right += _add_link(x, above >> 1, node >> 1, (above ^ node) & 1, sums)
                node = above
        right = np.floor(0.5 * right + 1e-9)
        value = 0.0
        for a in range(n):
            for b in range(a + 1, n):
                sums[a, b] *= 0.5
                value += sums[a, b] * x[a, b]
        if value - right >= least:
            rows[found] = sums.ravel()
            rights[found] = right
            violations[found] = value - right
            found += 1
    return found
