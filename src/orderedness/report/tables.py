"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table

from orderedness.paper import Cell
from orderedness.report.words import HEADINGS, ROW_NAMES, pair


def table1(cells: Sequence[Cell], title: str, *, mark: bool, notes: Iterable[str] = ()) -> Table:
    """Table 1, ours above the published number in each cell.

    Args:
        cells: what was computed.
        title: what the table is.
        mark: whether to mark cells that differ from the published ones in the third decimal.
        notes: remarks below the table.
    """
    table = Table(title=title, caption="\n".join(notes) or None, caption_justify="left")
    table.add_column("")
    for heading in HEADINGS.values():
        table.add_column(heading, justify="right")
    by_place = {(cell.row, cell.column): cell for cell in cells}
    for row, name in ROW_NAMES.items():
        found = [by_place.get((row, column)) for column in HEADINGS]
        table.add_row(name, *(_text(cell, mark=mark) for cell in found), end_section=True)
    return table


def _text(cell: Cell | None, *, mark: bool) -> str:
    if cell is None:
        return ""
    lost = f" ({cell.undefined} undefined)" if cell.undefined else ""
    ours = f"{pair(cell.mean, cell.std)}{lost}"
    if cell.published is None:
        return f"{ours}\n[dim]not printed[/dim]"
    if mark and not cell.agrees:
        ours = f"[bold red]differs[/bold red] {ours}"
    return f"{ours}\n[dim]{pair(*cell.published)}[/dim]"
