"""The paper as data and as studies: published numbers, draws, tables."""

from orderedness.paper.draws import Draws, draws
from orderedness.paper.published import (
    COLUMNS,
    PRINTED_TWICE,
    ROWS,
    TABLE1,
    UNTRAINED_ORDEREDNESS,
)
from orderedness.paper.renders import mlp_layer, ordered_layer
from orderedness.paper.table1 import Cell, afresh, experiments, replay

__all__ = [
    "COLUMNS",
    "PRINTED_TWICE",
    "ROWS",
    "TABLE1",
    "UNTRAINED_ORDEREDNESS",
    "Cell",
    "Draws",
    "afresh",
    "draws",
    "experiments",
    "mlp_layer",
    "ordered_layer",
    "replay",
]
