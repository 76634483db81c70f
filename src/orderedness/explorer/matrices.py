"""W as coloured cells, with what flows back outlined."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int

from orderedness.explorer.drawing import WIDTH, figure, line, rect, text, told
from orderedness.explorer.watched import Watched

TOP, LEFT = 64, 44
NUMBERS = 11  # columns whose cells have room for a number
PUSHES, HOLDS_BACK, NOTHING = (178, 24, 43), (33, 102, 172), (247, 247, 247)


def draw_matrix(seen: Watched, *, best: bool) -> str:
    """W with units as numbered, or in their best order.

    Cells below the staircase flow back and are outlined; red pushes, blue holds back.
    """
    units, sources = seen.weights.shape
    order = seen.order if best else np.arange(units)
    columns = np.concatenate([order, np.arange(units, sources)])
    cell = min((WIDTH - LEFT - 6) / sources, 46)
    x0 = LEFT + (WIDTH - LEFT - 6 - cell * sources) / 2
    parts = []
    back = []
    for row, to in enumerate(order):
        for column, source in enumerate(columns):
            weight = float(seen.weights[to, source])
            x, y = x0 + column * cell, TOP + row * cell
            flows_back = column < row and weight != 0
            says = f"{seen.names[source]} → {seen.names[to]}: {weight:+.3f}"
            says += " (flows back)" if flows_back else ""
            fill = colour(weight, seen.limit)
            parts.append(told(rect(x, y, cell, cell, "cell", fill), says))
            if flows_back:
                back.append(rect(x + 2.5, y + 2.5, cell - 5, cell - 5, "back"))
            if sources <= NUMBERS and weight != 0:
                kind = "mid light" if abs(weight) > 0.45 * seen.limit else "mid dark-ink"
                parts.append(text(x + cell / 2, y + cell / 2 + 4.5, _short(weight), kind))
    parts += back
    stairs = [(x0, TOP)]
    for row in range(units):
        stairs += [(x0 + row * cell, TOP + row * cell), (x0 + row * cell, TOP + (row + 1) * cell)]
    foot = TOP + units * cell
    parts.append(line([*stairs, (x0 + units * cell, foot)][1:], "stairs"))
    parts.append(_frame(x0, cell, units, sources, seen.outputs))
    for place, unit in enumerate(columns):
        words = seen.names[unit]
        parts.append(text(x0 + (place + 0.5) * cell, TOP - 6, words, "soft mid"))
    for place, unit in enumerate(order):
        parts.append(text(x0 - 6, TOP + (place + 0.5) * cell + 4, seen.names[unit], "soft end"))
    below = f"{seen.below(order):.1%}".replace("%", " %")
    title = "in its best order" if best else "as numbered"
    parts.append(text(6, 17, f"W {title}: {below} of the weight flows back", "bold"))
    parts.append(text(6, 38, "columns feed rows; outlined cells flow back", "soft"))
    spoken = f"{seen.told}. W {title}; {below} of the weight flows back"
    return figure(foot + 8, spoken, parts, key=_key(seen, order))


def colour(weight: float, limit: float) -> str:
    """Red for weights that push, blue for those that hold back; small ones can still be seen.

    Examples:
        >>> colour(0.0, 1.0), colour(-1.0, 1.0)
        ('#f7f7f7', '#2166ac')
    """
    share = float(np.sqrt(min(1.0, abs(weight) / limit)))
    far = PUSHES if weight > 0 else HOLDS_BACK
    mixed = (round(n + (f - n) * share) for n, f in zip(NOTHING, far, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _short(weight: float) -> str:
    told = f"{weight:.1f}"
    return "0" if told in ("0.0", "-0.0") else told


def _frame(x0: float, cell: float, units: int, sources: int, outputs: int) -> str:
    right, foot = x0 + sources * cell, TOP + units * cell
    inputs, hidden = x0 + units * cell, TOP + outputs * cell
    return (
        line([(x0, TOP), (right, TOP), (right, foot), (x0, foot)], "part", closed=True)
        + line([(inputs, TOP), (inputs, foot)], "part")
        + line([(x0, hidden), (right, hidden)], "part")
        + line([(x0 + outputs * cell, TOP), (x0 + outputs * cell, foot)], "part")
    )


def _key(seen: Watched, order: Int[np.ndarray, " units"]) -> str:
    return f"{seen.number} {seen.step} {order.tolist()} {float(np.abs(seen.weights).sum()):.6g}"
