"""Writing a report: the page, a text to paste, tables as CSV, figures as PNG and PDF."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from orderedness._files import writing
from orderedness.paper.claims import ENOUGH, LEARNED
from orderedness.paper.curves import Curve, against_sparsity, surface, training_losses
from orderedness.paper.results import Results, baseline_losses
from orderedness.report import figures
from orderedness.report.figure1 import figure1
from orderedness.report.html import report_html
from orderedness.report.viewer import viewer_data
from orderedness.report.weights import save
from orderedness.report.words import HEADINGS, ROW_NAMES, interval, pair
from orderedness.training import Reading

# The studies whose tables each figure needs.
STUDY_OF: dict[str, tuple[str, ...]] = {
    "figure1": (),
    "figure2": ("figure2",),
    "figure3": ("figure3",),
    "figure4": (),
    "figure5": ("training",),
}


def write_report(results: Results, out: Path) -> Path:
    """Write everything into a folder; each file whole or not at all.

    Returns:
        The path of the page.
    """
    for name in STUDY_OF:
        for suffix, drawn in _drawn(
            name, results.tables, lambda: results.baselines, results.networks, results.seed
        ):
            save(drawn, out, f"{name}{suffix}")
    write_tables(results, out)
    _write(out / "report.md", report_text(results))
    page = report_html(results, viewer_data(seed=results.seed), _figure1_address())
    _write(out / "report.html", page)
    return out / "report.html"


def write_figure(
    name: str,
    tables: Mapping[str, pl.DataFrame],
    out: Path,
    *,
    networks: int,
    reading: Reading,
    seed: int,
) -> Iterator[Path]:
    """Draw one figure, in the paper's form and, where it has bands, with intervals too."""

    def baselines() -> Mapping[str, Curve]:
        return baseline_losses(networks, reading, seed=seed)

    for suffix, drawn in _drawn(name, tables, baselines, networks, seed):
        yield from save(drawn, out, f"{name}{suffix}")


def write_tables(results: Results, out: Path) -> None:
    """Table 1 and the claims as CSV."""
    table1 = [
        {
            "row": one.cell.row,
            "column": one.cell.column,
            "networks": one.change.networks,
            "undefined": one.cell.undefined,
            "mean": one.cell.mean,
            "std": one.cell.std,
            "low": one.change.low,
            "high": one.change.high,
            "published_mean": one.cell.published[0] if one.cell.published else None,
            "published_std": one.cell.published[1] if one.cell.published else None,
            "excess": one.excess.mean if one.excess else None,
            "excess_low": one.excess.low if one.excess else None,
            "excess_high": one.excess.high if one.excess else None,
            "hidden_change": one.hidden.mean if one.hidden else None,
            "solved": one.solved.mean if one.solved else None,
        }
        for one in results.table1
    ]
    claims = [
        {
            "claim": claim.number,
            "verdict": claim.verdict,
            "part": part.name,
            "part_holds": part.holds,
            "comparison": one.name if one else part.fact,
            "mean": one.estimate.mean if one else None,
            "low": one.estimate.low if one else None,
            "high": one.estimate.high if one else None,
            "level": one.estimate.level if one else None,
            "effect": one.estimate.effect if one else None,
            "p": one.p if one else None,
            "required": f"{one.direction} {one.bound:g}" if one else None,
            "holds": one.holds if one else part.holds,
        }
        for claim in results.claims
        for part in claim.parts
        for one in (part.judged or (None,))
    ]
    for name, rows in (("table1", table1), ("claims", claims)):
        _write(out / f"{name}.csv", pl.DataFrame(rows, infer_schema_length=None).write_csv())


def report_text(results: Results) -> str:
    """Verdicts and Table 1 in Markdown."""
    few = (
        [f"With fewer than {ENOUGH:,} networks a cell, most intervals are too wide.", ""]
        if results.networks < ENOUGH
        else []
    )
    lines = [
        f"# The paper with {results.networks:,} networks a cell, as {results.reading}",
        "",
        *few,
        "| # | claim | verdict | parts that hold |",
        "| --- | --- | --- | --- |",
    ]
    for claim in results.claims:
        holding = [part.name for part in claim.parts if part.holds]
        told = "all" if len(holding) == len(claim.parts) else "; ".join(holding) or "none"
        lines.append(f"| {claim.number} | {claim.statement} | **{claim.verdict}** | {told} |")
    found = {(one.cell.row, one.cell.column): one for one in results.table1}
    lines += [
        "",
        "Change of orderedness: mean ± standard deviation, [95 % interval of the mean], published.",
        "",
        "| | " + " | ".join(HEADINGS.values()) + " |",
        "| --- |" + " --- |" * len(HEADINGS),
    ]
    for row, name in ROW_NAMES.items():
        cells = []
        for column in HEADINGS:
            one = found.get((row, column))
            if one is None:
                cells.append("")
                continue
            published = pair(*one.cell.published) if one.cell.published else "not printed"
            cells.append(
                f"{pair(one.cell.mean, one.cell.std)} [{interval(one.change)}], {published}"
            )
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _drawn(
    name: str,
    tables: Mapping[str, pl.DataFrame],
    baselines: Callable[[], Mapping[str, Curve]],
    networks: int,
    seed: int,
) -> Iterator[tuple[str, Any]]:
    """The forms of a figure, each with what its file's name ends in."""
    if name == "figure1":
        yield "", figure1(seed=seed)
    elif name == "figure2":
        surfaces = {task: surface(tables[name], task) for task in LEARNED}
        yield "", figures.figure2(surfaces, networks)
    elif name == "figure3":
        curves = {task: against_sparsity(tables[name], task) for task in ("none", *LEARNED)}
        yield "", figures.figure3(curves)
        yield "-intervals", figures.figure3(curves, "interval")
    else:
        of_mlps = name == "figure4"
        losses = (
            baselines()
            if of_mlps
            else {task: training_losses(tables["training"], task) for task in LEARNED}
        )
        label = "epoch" if of_mlps else "step"
        yield "", figures.losses(losses, label)
        yield "-intervals", figures.losses(losses, label, "interval")


def _figure1_address() -> str:
    buffer = io.BytesIO()
    figure1().savefig(buffer, format="png")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def _write(path: Path, text: str) -> None:
    with writing(path) as partial:
        partial.write_text(text, encoding="utf-8")
