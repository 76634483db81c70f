"""The computation as a layered graph: inputs at the top, outputs at the bottom."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from orderedness.explorer.drawing import WIDTH, figure, line, text, told
from orderedness.explorer.watched import Watched

TOP, LAYER, RADIUS = 74, 62, 15
LEAST_SHARE = 0.1  # weaker connections, as a share of the strongest, are not drawn
MOST_EDGES = 48


def layers(
    weights: Float[np.ndarray, "units sources"], order: Int[np.ndarray, " units"], outputs: int
) -> list[list[int]]:
    """Sources in layers: inputs, then each unit one below the deepest that feeds it forward.

    Outputs share the last layer.

    Args:
        weights: those that are drawn; others are zero.
        order: units in best order, outputs first.
        outputs: output units.

    Examples:
        >>> chain = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
        >>> layers(chain, np.arange(3), 1)
        [[3], [2], [1], [0]]
    """
    units, sources = weights.shape
    place = np.empty(units, int)
    place[order] = np.arange(units)
    depth = np.zeros(sources, int)
    for unit in order[::-1]:  # upstream first
        feeders = [c for c in np.flatnonzero(weights[unit]) if c >= units or place[c] > place[unit]]
        depth[unit] = 1 + max((int(depth[c]) for c in feeders), default=0)
    deepest = int(depth[outputs:units].max(initial=0))
    depth[:outputs] = max(deepest + 1, int(depth[:outputs].max(initial=0)))
    by_depth = [[u for u in range(sources) if depth[u] == d] for d in range(int(depth.max()) + 1)]
    return [layer for layer in by_depth if layer]


def draw_graph(seen: Watched) -> str:
    """Units in layers of the best order; what flows forward and what flows back told apart."""
    units, sources = seen.weights.shape
    strong, left_out = _strongest(seen.weights)
    places = _places(layers(strong, seen.order, seen.outputs), strong)
    rank = np.full(sources, units)
    rank[seen.order] = np.arange(units)
    largest = float(np.abs(strong).max()) or 1.0
    parts = []
    for to, source in sorted(np.argwhere(strong), key=lambda e: abs(strong[e[0], e[1]])):
        weight = float(strong[to, source])
        kind = "feedback" if source < units and rank[source] < rank[to] else "forward"
        if source == to:
            kind = "self"
        thick = 0.8 + 4.2 * abs(weight) / largest
        parts.append(_edge(places[source], places[to], kind, thick, weight, seen, source, to))
    for unit, (x, y) in places.items():
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" class="unit"/>')
        parts.append(text(x, y + 4.5, seen.names[unit], "mid"))
    height = max(y for _, y in places.values()) + (52 if left_out else 28)
    parts.append(text(6, 17, "What feeds what: inputs at the top, outputs at the bottom", "bold"))
    parts.append(line([(6, 34), (34, 34)], "forward"))
    parts.append(text(40, 38, "forward", "soft"))
    parts.append(line([(106, 34), (134, 34)], "feedback"))
    parts.append(text(140, 38, "feedback", "soft"))
    parts.append(line([(214, 34), (242, 34)], "self"))
    parts.append(text(248, 38, "onto itself", "soft"))
    if left_out:
        parts.append(text(6, height - 8, f"Not drawn: {left_out} weak connections", "soft"))
    spoken = f"{seen.told}. Its units in layers, with {int((strong != 0).sum())} connections"
    return figure(height, spoken, parts, key=f"{seen.number} {seen.step} {strong.sum():.6g}")


def _strongest(weights: Float[np.ndarray, "units sources"]) -> tuple[np.ndarray, int]:
    """Zeros for what is too weak to draw, and how many those are."""
    magnitudes = np.abs(weights)
    bar = LEAST_SHARE * float(magnitudes.max(initial=0.0))
    ranked = np.sort(magnitudes, axis=None)[::-1]
    if ranked.size > MOST_EDGES:
        bar = max(bar, float(ranked[MOST_EDGES]) * 1.000001)
    strong = np.where((magnitudes >= bar) & (magnitudes > 0), weights, 0.0)
    return strong, int(((weights != 0) & (strong == 0)).sum())


def _places(
    by_layer: list[list[int]], weights: Float[np.ndarray, "units sources"]
) -> dict[int, tuple[float, float]]:
    """Where to draw each: layers below each other, and in them near what feeds them."""
    places: dict[int, tuple[float, float]] = {}
    for number, layer in enumerate(by_layer):
        wishes = {}
        for unit in layer:
            feeders = np.flatnonzero(weights[unit]) if unit < len(weights) else np.array([], int)
            xs = [places[c][0] for c in feeders if c in places]
            wishes[unit] = float(np.mean(xs)) if xs else WIDTH / 2
        # Layers of one unit take turns left and right, or long chains would hide their edges.
        shift = (0, -90, 90)[number % 3] if len(layer) == 1 and len(by_layer) > 3 else 0
        for rank, unit in enumerate(sorted(layer, key=lambda u: wishes[u])):
            x = WIDTH * (rank + 0.5) / len(layer) + shift
            places[unit] = (x, TOP + number * LAYER)
    return places


def _edge(
    start: tuple[float, float],
    stop: tuple[float, float],
    kind: str,
    thick: float,
    weight: float,
    seen: Watched,
    source: int,
    to: int,
) -> str:
    says = f"{seen.names[source]} → {seen.names[to]}: {weight:+.3f}"
    if kind == "self":
        x, y = start[0] + RADIUS * 0.8, start[1]
        path = f"M{x:.1f} {y - 8:.1f}c30 -14 30 30 0 16"
        return told(f'<path d="{path}" class="{kind}" stroke-width="{thick:.1f}"/>', says)
    (x0, y0), (x1, y1) = start, stop
    length = float(np.hypot(x1 - x0, y1 - y0)) or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    bend = 0.16 * length if length > 1.2 * LAYER or kind == "feedback" else 0.0
    mx, my = (x0 + x1) / 2 - uy * bend, (y0 + y1) / 2 + ux * bend
    # Ends lie on the circles, in the direction of the curve.
    ax, ay = _towards((x0, y0), (mx, my), RADIUS)
    bx, by = _towards((x1, y1), (mx, my), RADIUS + 6)
    tx, ty = _towards((x1, y1), (mx, my), RADIUS)
    nx, ny = (by - ty) * 0.75, (tx - bx) * 0.75
    head = line([(tx, ty), (bx + nx, by + ny), (bx - nx, by - ny)], f"{kind}-head", closed=True)
    path = f"M{ax:.1f} {ay:.1f}Q{mx:.1f} {my:.1f} {bx:.1f} {by:.1f}"
    curve = f'<path d="{path}" class="{kind}" stroke-width="{thick:.1f}"/>'
    return told(curve, says) + head


def _towards(
    start: tuple[float, float], goal: tuple[float, float], far: float
) -> tuple[float, float]:
    length = float(np.hypot(goal[0] - start[0], goal[1] - start[1])) or 1.0
    return (
        start[0] + (goal[0] - start[0]) * far / length,
        start[1] + (goal[1] - start[1]) * far / length,
    )
