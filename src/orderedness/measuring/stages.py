"""What is being done, shown on a terminal while it is done."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Stages:
    """Where to tell how far things are.

    Attributes:
        doing: starts another stage, in words.
        bytes_read: is told how many bytes were read since it was told last.
    """

    doing: Callable[[str], None]
    bytes_read: Callable[[int], None]


@contextlib.contextmanager
def showing_stages(file_size: int) -> Iterator[Stages]:
    """Show stages with their times on standard error if that is a terminal; in a pipe, nothing.

    Args:
        file_size: of the file that is read first.

    Examples:
        >>> with showing_stages(10) as stages:
        ...     stages.bytes_read(10)
        ...     stages.doing("looking for the best order")
    """
    if not sys.stderr.isatty():
        yield Stages(lambda doing: None, lambda count: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), "{task.description}", BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        reading = progress.add_task("reading", total=file_size)

        def doing(words: str) -> None:
            for task in progress.tasks:
                progress.update(task.id, total=1, completed=1)
            progress.add_task(words, total=None)

        yield Stages(doing, lambda count: progress.advance(reading, count))
