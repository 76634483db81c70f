"""From a trained population to rows: one a network."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from jaxtyping import Float

from orderedness.network import CompletePerceptron
from orderedness.ordering import orderedness
from orderedness.ordering.nulls import null_orderedness
from orderedness.study.record import Record
from orderedness.training import Outcome


def measure(outcome: Outcome, record: Record) -> pl.DataFrame:
    """The rows of a population, in the order of its seeds.

    Examples:
        >>> from orderedness.training import Experiment, train, xor
        >>> outcome = train(Experiment(xor(epochs=3)), range(4), loss_every=2)
        >>> rows = measure(outcome, Record())
        >>> rows.shape[0], rows["seed"].to_list(), rows["losses"].list.len().to_list()
        (4, [0, 1, 2, 3], [2, 2, 2, 2])
    """
    before, after = outcome.initial, outcome.final
    columns: dict[str, Any] = {"seed": outcome.seeds.astype(np.uint32)}
    measured = {
        when: orderedness(layer.weights, outputs=layer.outputs, count_inputs=record.count_inputs)
        for when, layer in (("before", before), ("after", after))
    }
    columns |= {f"o_{when}": found.value for when, found in measured.items()}
    columns |= {f"hidden_{when}": found.hidden for when, found in measured.items()}
    columns["certified"] = np.logical_and(measured["before"].certified, measured["after"].certified)
    columns["loss"] = outcome.final_loss.astype(np.float32)
    for when, layer in (("before", before), ("after", after)):
        columns |= {f"{name}_{when}": share for name, share in densities(layer).items()}
    for model in sorted(record.nulls):
        columns |= _null_columns(model, outcome, record)
    columns["losses"] = _lists(outcome.losses)
    if record.weights:
        for when, layer in (("before", before), ("after", after)):
            for name in ("weights", "values", "bias"):
                array = getattr(layer, name)
                if array is not None:
                    columns[f"{name}_{when}"] = _lists(np.asarray(array))
    return pl.DataFrame(columns)


def densities(layer: CompletePerceptron) -> dict[str, Float[np.ndarray, " networks"]]:
    """The share of non-zero weights in each block of W; NaN for a block without entries.

    Examples:
        >>> layer = CompletePerceptron(np.tri(3, 4)[..., None], np.zeros((3, 1)))
        >>> {name: round(float(share[0]), 2) for name, share in densities(layer).items()}
        {'density': 0.5, 'density_square': 0.67, 'density_hidden': 0.75, 'density_inputs': 0.0,
         'density_to_outputs': 0.0, 'density_from_outputs': 1.0}
    """
    kept = np.asarray(layer.weights) != 0
    o, u = layer.outputs, layer.units
    blocks = {
        "density": kept,
        "density_square": kept[:, :u],
        "density_hidden": kept[o:, o:u],
        "density_inputs": kept[:, u:],
        "density_to_outputs": kept[:o, o:u],
        "density_from_outputs": kept[o:, :o],
    }
    networks = kept.shape[-1]
    return {
        name: block.mean(axis=(0, 1)) if block.size else np.full(networks, np.nan)
        for name, block in blocks.items()
    }


def weights_of(table: pl.DataFrame, column: str) -> Float[np.ndarray, "units sources networks"]:
    """Stored weights as an array again: those in `column`, of rows of one shape.

    Examples:
        >>> from orderedness.training import Experiment, train, xor
        >>> outcome = train(Experiment(xor(epochs=3)), range(4))
        >>> rows = measure(outcome, Record(weights=True))
        >>> rows = rows.with_columns(hidden=5, outputs=1, inputs=2)
        >>> bool((weights_of(rows, "weights_after") == outcome.final.weights).all())
        True
    """
    if column not in table.columns:
        raise ValueError(f"column is {column!r}, but the table has none: record them with weights")
    shapes = table.select("outputs", "hidden", "inputs").unique()
    if len(shapes) != 1:
        raise ValueError(f"the table has {len(shapes)} shapes of W, but must have one")
    outputs, hidden, inputs = shapes.row(0)
    units = outputs + hidden
    flat = table[column].explode().to_numpy().reshape(len(table), units, units + inputs)
    return np.moveaxis(flat, 0, -1)


def _null_columns(model: str, outcome: Outcome, record: Record) -> dict[str, np.ndarray]:
    found = null_orderedness(
        outcome.final.weights,
        model,
        draws=record.null_draws,
        seeds=outcome.seeds,
        outputs=outcome.final.outputs,
        count_inputs=record.count_inputs,
        reference=outcome.initial.weights if model == "masks" else None,
    )
    return {
        f"null_{model}_{block}{name}": getattr(excess, name)
        for block, excess in (("", found.full), ("hidden_", found.hidden))
        for name in ("mean", "std", "p")
    }


def _lists(array: np.ndarray) -> pl.Series:
    """An array whose last axis enumerates networks, as one flat list a network."""
    flat = np.moveaxis(array.astype(np.float32), -1, 0).reshape(array.shape[-1], -1)
    return pl.Series(flat, dtype=pl.Array(pl.Float32, flat.shape[1])).cast(pl.List(pl.Float32))
