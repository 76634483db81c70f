"""The line that says how far training is."""

import io
import sys

from orderedness.training.progress import progress_line


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_workers_are_shown_as_they_come_and_go(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "stderr", Terminal())
    workers = 3
    with progress_line(10, workers=lambda: workers) as finished:
        finished(4)
        workers = 1
        finished(6)
    shown = sys.stderr.getvalue()
    assert "on 3 workers" in shown
    assert "on 1 worker " in shown
    assert "10/10" in shown


def test_without_workers_nothing_is_said_of_them(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_line(10) as finished:
        finished(10)
    assert "worker" not in sys.stderr.getvalue()
