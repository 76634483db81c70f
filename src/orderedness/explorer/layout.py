"""The parts of the page, as HTML."""

from __future__ import annotations

import functools
import html
from collections.abc import Sequence
from typing import Protocol

from orderedness.explorer.compute import Result
from orderedness.explorer.curves import draw_baseline, draw_losses
from orderedness.explorer.distribution import draw_distribution
from orderedness.explorer.drawing import css
from orderedness.explorer.graph import draw_graph
from orderedness.explorer.matrices import draw_matrix
from orderedness.explorer.setting import Setting
from orderedness.explorer.watched import watch
from orderedness.explorer.words import Verdict
from orderedness.training import sine_baseline, train_baseline, xor_baseline

BASELINES = {"XOR": xor_baseline, "Sine": sine_baseline}
BASELINE_NETWORKS = 10

_compiled: set[tuple[object, ...]] = set()


class Shown(Protocol):
    """Something of marimo's that can be put into HTML."""

    @property
    def text(self) -> str:
        """Its HTML."""


def head() -> str:
    """Style, title, and what this is."""
    return (
        f"<style>{css('page.css')}{css('figure.css')}</style>"
        '<div class="explorer"><h1>What does pruning do to order?</h1>'
        "<p>Every unit of these networks feeds every unit. They are trained and pruned at the same "
        "time; then each is asked how much of its weight flows forward in the best order of its "
        "units (its orderedness O, 1 if nothing flows back). Sparse networks are ordered by chance "
        "already, so O is compared with that of the same weights in random places.</p></div>"
    )


def controls(shown: Sequence[Shown], note: str) -> str:
    """The controls side by side, and a word on where they started."""
    cells = "".join(f"<div>{one.text}</div>" for one in shown)
    return (
        f'<div class="explorer controls">{cells}</div>'
        f'<div class="explorer"><p class="soft">{html.escape(note)}</p></div>'
    )


def working(setting: Setting) -> str:
    """What is being done, and why it may take a moment."""
    if setting.program in _compiled:
        return f"Training {setting.networks:,} networks"
    return (
        f"Compiling for {setting.task} with {setting.hidden} hidden units: a few seconds, once; "
        "then changes show at once"
    )


def status(result: Result) -> str:
    """What is shown, how long it took, and what to know about the setting."""
    _compiled.add(result.setting.program)
    notes = "".join(f" <strong>{html.escape(note)}</strong>" for note in result.setting.notes())
    return (
        f'<div class="explorer status"><span class="soft">Shown: '
        f"{html.escape(result.setting.told())}; computed in {result.seconds:.2f} s.</span>"
        f"{notes}</div>"
    )


def verdict_box(found: Verdict, setting: Setting) -> str:
    """The finding, and the numbers behind it."""
    kind = found.kind.replace(" ", "-")
    return (
        f'<div class="explorer verdict {kind}" role="status" data-key="{html.escape(repr(setting))}">'
        f"<strong>{html.escape(found.sentence)}</strong><p>{html.escape(found.because)}</p></div>"
    )


def population(result: Result, *, baseline: bool = False) -> str:
    """The views of all networks together."""
    figures = [draw_distribution(result), draw_losses(result)]
    if baseline and result.setting.task in BASELINES:
        figures.append(_baseline(result.setting.task))
    return _figures(figures)


def watching(shown: Sequence[Shown]) -> str:
    """The controls of the views of one network."""
    cells = "".join(f"<div>{one.text}</div>" for one in shown)
    return (
        '<div class="explorer"><h2>One network through training</h2></div>'
        f'<div class="explorer controls">{cells}</div>'
    )


def watched(result: Result, network: int, share: float) -> str:
    """The views of one network."""
    seen = watch(result, network, share)
    pictures = [draw_matrix(seen, best=False), draw_matrix(seen, best=True), draw_graph(seen)]
    told = f'<div class="explorer"><p aria-live="polite">{html.escape(seen.told)}</p></div>'
    return told + _figures(pictures)


def _figures(drawn: Sequence[str]) -> str:
    cells = "".join(f"<figure>{one}</figure>" for one in drawn)
    return f'<div class="explorer views">{cells}</div>'


@functools.cache
def _baseline(task: str) -> str:
    return draw_baseline(train_baseline(BASELINES[task](), range(BASELINE_NETWORKS)))
