"""What is shown, as files: tables, figures, and a page that needs no network."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from orderedness._version import __version__
from orderedness.explorer.compute import Result
from orderedness.explorer.drawing import css
from orderedness.explorer.python_lines import recipe
from orderedness.explorer.watched import Watched
from orderedness.explorer.words import verdict


def networks_csv(result: Result) -> str:
    """One line a network: O before, after and by chance, and its loss; empty where undefined.

    Examples:
        >>> from orderedness.explorer import Setting, explore
        >>> told = networks_csv(explore(Setting(task="untrained control", networks=8)))
        >>> told.splitlines()[0]
        'seed,O before,O after,null mean,null std,excess,p,final loss'
    """
    null = result.null
    columns = (
        result.before, result.after, null.mean, null.std, null.excess, null.p, result.final_loss
    )  # fmt: skip
    names = ["seed", "O before", "O after", "null mean", "null std", "excess", "p", "final loss"]
    rows = zip(result.seeds.tolist(), *(column.tolist() for column in columns), strict=True)
    return _table(names, rows)


def losses_csv(result: Result) -> str:
    """One line a recorded step: quantiles of the loss and the share of losses below 0.01."""
    low, middle, high = np.quantile(result.losses, (0.05, 0.5, 0.95), axis=1)
    solved = (result.losses < 0.01).mean(axis=1)
    names = ["step", "loss 5 %", "loss median", "loss 95 %", "share solved"]
    columns = (low, middle, high, solved)
    rows = zip(result.loss_steps.tolist(), *(c.tolist() for c in columns), strict=True)
    return _table(names, rows)


def weights_csv(seen: Watched) -> str:
    """W as numbered, with names, as `orderedness measure` reads it: from columns to rows."""
    units = len(seen.weights)
    rows = (
        [name, *row.tolist()] for name, row in zip(seen.names[:units], seen.weights, strict=True)
    )
    return _table(["", *seen.names], rows)


def page_html(result: Result, figures: Sequence[str], notes: Sequence[str] = ()) -> str:
    """Everything shown, as a page of its own."""
    found = verdict(result)
    cells = "".join(f"<figure>{drawn}</figure>" for drawn in figures)
    told = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{html.escape(found.sentence)}</title>
<style>body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 84rem; margin: 1.5rem auto;
padding: 0 1rem; color: #1c1e21; background: #ffffff }}
{css("page.css")}{css("figure.css")}</style></head>
<body class="explorer"><h1>{html.escape(found.sentence)}</h1>
<p>{html.escape(found.because)}</p>
<p>{html.escape(result.setting.told())}</p>{told}
<div class="explorer views">{cells}</div>
<h2>The Python lines that make it</h2>
<pre>{html.escape(recipe(result.setting))}</pre>
<p>orderedness {__version__}</p>
</body></html>
"""


def _table(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow("" if isinstance(x, float) and np.isnan(x) else x for x in row)
    return written.getvalue()
