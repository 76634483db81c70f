"""The distribution of O before and after training, and by chance, in one picture."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from orderedness.explorer.compute import Result
from orderedness.explorer.drawing import WIDTH, Scale, figure, line, rect, text, ticks, told

BINS = 30
LEFT, RIGHT, TOP, ROW = 14, 14, 8, 92


def draw_distribution(result: Result) -> str:
    """Three rows over one axis: before, after with the weights shuffled, and after.

    Examples:
        >>> from orderedness.explorer import Setting, explore
        >>> drawn = draw_distribution(explore(Setting(task="untrained control", networks=8)))
        >>> "mean 0." in drawn
        True
    """
    rows = (
        ("before", "before training", result.before, _mean(result.before)),
        ("chance", "by chance (final weights shuffled)", result.by_chance,
         _mean(result.null.mean)),
        ("after", "after training and pruning", result.after, _mean(result.after)),
    )  # fmt: skip
    every = np.concatenate([values for _, _, values, _ in rows])
    every = every[np.isfinite(every)]
    least = float(np.floor(every.min() * 10 - 1e-9) / 10) if every.size else 0.0
    scale = Scale(least, 1.0, LEFT, WIDTH - RIGHT)
    base = TOP + len(rows) * ROW
    parts = []
    for tick in ticks(least, 1.0):
        parts.append(line([(scale(tick), TOP), (scale(tick), base)], "grid"))
        parts.append(text(scale(tick), base + 17, f"{tick:g}", "soft mid"))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(text(middle, base + 35, "orderedness O (1: nothing flows back)", "mid"))
    for place, (kind, label, values, mean) in enumerate(rows):
        foot = TOP + (place + 1) * ROW - 4
        parts += _histogram(kind, values, least, scale, foot)
        parts.append(line([(LEFT, foot), (WIDTH - RIGHT, foot)], "axis"))
        undefined = int(np.isnan(values).sum())
        number = "undefined" if np.isnan(mean) else f"mean {mean:.3f}"
        lost = f", {undefined:,} undefined" if undefined and not np.isnan(mean) else ""
        parts.append(text(LEFT, foot - ROW + 20, f"{label}: {number}{lost}", "bold"))
        if not np.isnan(mean):
            parts.append(line([(scale(mean), foot - ROW + 26), (scale(mean), foot)], "mean"))
    chance = rows[1][3]
    if np.isfinite(chance):
        parts += _gap(scale, chance)
    spoken = "; ".join(f"{label}: mean O {mean:.3f}" for _, label, _, mean in rows)
    return figure(
        base + 44, f"Distribution of orderedness. {spoken}", parts, key=repr(result.setting)
    )


def _histogram(
    kind: str, values: Float[np.ndarray, " networks"], least: float, scale: Scale, foot: float
) -> list[str]:
    counts, edges = np.histogram(values[np.isfinite(values)], BINS, (least, 1.0 + 1e-9))
    tallest = max(1, int(counts.max()))
    bars = []
    for count, start, stop in zip(counts.tolist(), edges[:-1], edges[1:], strict=True):
        if count:
            tall = (ROW - 34) * count / tallest
            left, right = scale(float(start)), scale(float(stop))
            networks = "network" if count == 1 else "networks"
            bar = rect(left + 0.5, foot - tall, right - left - 1, tall, kind)
            bars.append(told(bar, f"O from {start:.3f} to {stop:.3f}: {count:,} {networks}"))
    return bars


def _gap(scale: Scale, chance: float) -> list[str]:
    """The mean by chance once more, in the row of what was found: between them is the excess."""
    foot = TOP + 3 * ROW - 4
    return [line([(scale(chance), foot - ROW + 28), (scale(chance), foot)], "gap")]


def _mean(values: Float[np.ndarray, " networks"]) -> float:
    defined = values[np.isfinite(values)]
    return float(defined.mean()) if defined.size else float("nan")
