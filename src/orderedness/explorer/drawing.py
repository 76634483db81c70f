"""Drawing as text: SVG that follows the page's light or dark, and stands alone when downloaded."""

from __future__ import annotations

import html
import importlib.resources
from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Float

WIDTH = 460  # of every figure, in its own units; the page scales it


def figure(height: float, label: str, parts: Iterable[str], *, key: str = "") -> str:
    """A whole figure.

    Args:
        height: in the figure's own units.
        label: what it shows, in words, for those who hear it.
        parts: its elements.
        key: what it was drawn from; tests wait for it to change.

    Examples:
        >>> figure(10, "a < b", [], key="k").startswith('<svg class="figure"')
        True
    """
    return (
        f'<svg class="figure" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'role="img" aria-label="{html.escape(label)}" data-key="{html.escape(key)}">'
        f"{''.join(parts)}</svg>"
    )


def alone(drawn: str) -> str:
    """The same figure as a file of its own: light, on white, with its style inside.

    Examples:
        >>> "<style>" in alone(figure(10, "", []))
        True
    """
    start = drawn.index(">") + 1
    style = f"<style>{css('figure.css')}</style>"
    paper = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return f"{drawn[:start]}{style}{paper}{drawn[start:]}"


def css(name: str) -> str:
    """One of the page's style sheets."""
    return (importlib.resources.files("orderedness.explorer") / "page" / name).read_text("utf-8")


def text(x: float, y: float, words: str, kind: str = "") -> str:
    """Words, escaped."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(words)}</text>'


def told(element: str, words: str) -> str:
    """An element that says something under the pointer; `element` must end in `/>`.

    Examples:
        >>> told('<rect width="1"/>', "a & b")
        '<rect width="1"><title>a &amp; b</title></rect>'
    """
    tag = element[1 : element.index(" ")]
    return f"{element[:-2]}><title>{html.escape(words)}</title></{tag}>"


def rect(x: float, y: float, width: float, height: float, kind: str, fill: str = "") -> str:
    """A rectangle."""
    coloured = f' fill="{fill}"' if fill else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'class="{kind}"{coloured}/>'
    )


def line(points: Sequence[tuple[float, float]], kind: str, *, closed: bool = False) -> str:
    """A line through points; a closed one is an area.

    Examples:
        >>> line([(0, 0), (1, 2.25)], "axis")
        '<path d="M0.0 0.0L1.0 2.2" class="axis"/>'
    """
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path d="M{path}{"Z" if closed else ""}" class="{kind}"/>'


class Scale:
    """From numbers to places along an axis; logarithmic if asked."""

    def __init__(
        self, least: float, most: float, start: float, stop: float, *, log: bool = False
    ) -> None:
        self._log = log
        self._least, self._most = (
            (float(np.log10(least)), float(np.log10(most))) if log else (least, most)
        )
        self._start, self._stop = start, stop

    def __call__(self, value: float) -> float:
        """The place of one number."""
        number = float(np.log10(value)) if self._log else value
        span = self._most - self._least or 1.0
        share = min(1.0, max(0.0, (number - self._least) / span))
        return self._start + share * (self._stop - self._start)

    def all(self, values: Float[np.ndarray, " n"]) -> list[float]:
        """The places of many."""
        return [self(float(value)) for value in values]


def ticks(least: float, most: float, count: int = 5) -> list[float]:
    """Round numbers from `least` to `most`.

    Examples:
        >>> ticks(0.4, 1.0), ticks(0, 1000)
        ([0.4, 0.6, 0.8, 1.0], [0, 200, 400, 600, 800, 1000])
    """
    rough = (most - least) / count or 1.0
    size = 10.0 ** np.floor(np.log10(rough))
    step = next(size * n for n in (1, 2, 5, 10) if size * n >= rough * 0.999)
    places = np.arange(np.ceil(least / step - 1e-9), np.floor(most / step + 1e-9) + 1) * step
    return [int(p) if step >= 1 else round(float(p), 6) for p in places]
