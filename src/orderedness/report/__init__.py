"""Tables and figures for people."""

from orderedness.report.figure1 import figure1
from orderedness.report.tables import table1
from orderedness.report.weights import draw_weights, new_figure, save

__all__ = ["draw_weights", "figure1", "new_figure", "save", "table1"]
