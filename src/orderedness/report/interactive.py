"""The figures as Plotly specifications, for a page that shows numbers under the pointer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from orderedness.paper.arms import HIDDEN, ITERATIONS
from orderedness.paper.curves import Curve
from orderedness.report.figures import STYLES, TASKS

Spec = dict[str, Any]


def surfaces_spec(surfaces: Mapping[str, Mapping[str, np.ndarray]]) -> Spec:
    """Figure 2."""
    limit = max(float(np.nanmax(np.abs(s["mean"]))) for s in surfaces.values())
    traces: list[Spec] = []
    for place, surface in enumerate(surfaces.values(), start=1):
        text = [
            [f"{m:.3f} ± {h:.3f}" for m, h in zip(*rows, strict=True)]
            for rows in zip(surface["mean"], surface["half"], strict=True)
        ]
        traces.append(
            {
                "type": "heatmap",
                "x": list(ITERATIONS),
                "y": [str(h) for h in HIDDEN],
                "z": _plain(surface["mean"]),
                "customdata": text,
                "hovertemplate": "h = %{y}, T = %{x}: %{customdata}<extra></extra>",
                "texttemplate": "%{z:.2f}",
                "coloraxis": "coloraxis",
                "xaxis": f"x{place}",
                "yaxis": f"y{place}",
            }
        )
    layout = _panels([TASKS[task] for task in surfaces], "iterations T", "hidden units")
    layout["coloraxis"] = {
        "cmin": -limit,
        "cmax": limit,
        "colorscale": [[0, "#2166ac"], [0.5, "#f7f7f7"], [1, "#b2182b"]],
        "colorbar": {"title": {"text": "change of O"}},
    }
    for place in range(1, len(surfaces) + 1):
        layout[f"yaxis{place}"]["autorange"] = "reversed"
        layout[f"yaxis{place}"]["type"] = "category"
        layout[f"xaxis{place}"]["dtick"] = 1
    return {"data": traces, "layout": layout}


def sparsity_spec(curves: Mapping[str, Sequence[Curve]], band: str) -> Spec:
    """Figure 3; `band` is "interval" or "least to most"."""
    traces: list[Spec] = []
    for place, found in enumerate(curves.values(), start=1):
        for curve in found:
            colour, label, dash = STYLES[curve.name]
            traces += _line(curve, place, colour, label, dash, band, legend=place == 1)
    layout = _panels([TASKS[task] for task in curves], "strength s", "orderedness O")
    for place in range(1, len(curves) + 1):
        layout[f"yaxis{place}"]["range"] = [0, 1.03]
    layout["showlegend"] = True
    return {"data": traces, "layout": layout}


def losses_spec(curves: Mapping[str, Curve], x_label: str, band: str) -> Spec:
    """Figures 4 and 5."""
    traces: list[Spec] = []
    for place, curve in enumerate(curves.values(), start=1):
        traces += _line(_thinned(curve), place, "#0072B2", "mean loss", "solid", band, legend=False)
    layout = _panels([TASKS[task] for task in curves], x_label, "training loss")
    for place in range(1, len(curves) + 1):
        layout[f"yaxis{place}"]["rangemode"] = "tozero"
    return {"data": traces, "layout": layout}


def _line(
    curve: Curve, place: int, colour: str, label: str, dash: str, band: str, *, legend: bool
) -> list[Spec]:
    low, high = (curve.low, curve.high) if band == "interval" else (curve.least, curve.most)
    axes = {"xaxis": f"x{place}", "yaxis": f"y{place}", "legendgroup": label}
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    outline = {
        **axes,
        "type": "scatter",
        "x": [*curve.x.tolist(), *curve.x[::-1].tolist()],
        "y": _plain(np.concatenate([high, low[::-1]])),
        "fill": "toself",
        "fillcolor": f"rgba({red},{green},{blue},0.15)",
        "line": {"width": 0},
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
    }
    told = [
        f"{m:.3f} ({a:.3f} to {b:.3f})" + (f", {int(u)} undefined" if u else "")
        for m, a, b, u in zip(curve.mean, low, high, curve.undefined, strict=True)
    ]
    middle = {
        **axes,
        "type": "scatter",
        "x": curve.x.tolist(),
        "y": _plain(curve.mean),
        "name": label,
        "customdata": told,
        "hovertemplate": f"{label}, %{{x}}: %{{customdata}}<extra></extra>",
        "line": {"color": colour, "dash": dash},
        "mode": "lines",
        "showlegend": legend,
    }
    return [outline, middle]


def _thinned(curve: Curve, most: int = 250) -> Curve:
    """Every n-th place of a long curve: a screen shows no more."""
    step = max(1, len(curve.x) // most)
    arrays = ("x", "mean", "least", "most", "low", "high", "undefined")
    return Curve(curve.name, *(getattr(curve, name)[::step] for name in arrays))


def _panels(titles: Sequence[str], x_label: str, y_label: str) -> Spec:
    layout: Spec = {"annotations": [], "showlegend": False}
    width = 1 / len(titles)
    for place, title in enumerate(titles, start=1):
        start = (place - 1) * width
        domain = [start + (0.04 if place > 1 else 0), place * width - 0.02]
        layout[f"xaxis{place}"] = {
            "domain": domain, "anchor": f"y{place}", "title": {"text": x_label}
        }  # fmt: skip
        layout[f"yaxis{place}"] = {"anchor": f"x{place}"}
        layout["annotations"].append(
            {
                "text": f"<b>{title}</b>",
                "x": domain[0],
                "y": 1.1,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "showarrow": False,
            }
        )
    layout["yaxis1"]["title"] = {"text": y_label}
    return layout


def _plain(array: np.ndarray) -> Any:
    """Lists with None for what JSON cannot say, to five digits."""
    if array.ndim > 1:
        return [_plain(row) for row in array]
    return [None if not np.isfinite(x) else float(f"{x:.5g}") for x in array.tolist()]
