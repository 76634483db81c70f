"""A line that says how far training is."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress_line(
    networks: int, doing: str = "training", workers: Callable[[], int] | None = None
) -> Iterator[Callable[[int], None]]:
    """Show networks done, their rate and the time left on a terminal; in a pipe, nothing.

    Args:
        networks: how many there are in all.
        doing: what is being done to them.
        workers: how many are at it, asked again and again; nothing is said of them if None.

    Yields:
        A function to call with the number of networks just finished.

    Examples:
        >>> with progress_line(10) as finished:
        ...     finished(4)
        ...     finished(6)
    """
    if not sys.stderr.isatty():
        yield lambda finished: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task
    from rich.progress import TimeRemainingColumn as TimeLeft
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("compiling" if speed is None else f"{speed:,.0f} networks/s")

    class Workers(ProgressColumn):
        def render(self, task: Task) -> Text:
            count = workers() if workers else 0
            return Text(f"on {count} worker{'s' if count != 1 else ''}" if workers else "")

    columns = (
        "{task.description}",
        Workers(),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeLeft(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(doing, total=networks)
        yield lambda finished: progress.advance(task, finished)
