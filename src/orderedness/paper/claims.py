"""The paper's nine claims, each judged by a rule that was fixed before looking.

"Above", "below" and "inside" mean that the whole 95 % interval lies there, corrected by Holm over
the comparisons of that claim. Nothing here knows how the verdicts come out: they follow from the
tables that are passed in.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

import numpy as np
import polars as pl
import scipy.stats
from jaxtyping import Float

from orderedness.paper.arms import HIDDEN, PRUNERS, SPARSITIES
from orderedness.paper.studies import CONTROL_OF
from orderedness.paper.verdict import Cells, Claim, Part, Values
from orderedness.study.statistics import Comparison, Estimate, estimate, judge

# A change of O, or of the share solved, smaller than these does not matter.
MATTERS = 0.02
SHARE_MATTERS = 0.05
# Networks a cell that the rules ask for: with fewer, most intervals are too wide.
ENOUGH = 1000
LEARNED = ("xor", "sine")
OverChance = tuple[tuple[str, Estimate], ...]
_SAY = {"xor": "XOR", "sine": "Sine"}


def claims(tables: Mapping[str, pl.DataFrame]) -> list[Claim]:
    """Judge all nine claims from the tables of `studies`, by name."""
    return [claim(tables) for claim in CLAIMS]


def smooth_share(losses: Float[np.ndarray, "networks steps"]) -> float:
    """The share of steps at which the median loss is at most 5 % over its lowest value so far.

    The median over networks is first averaged over 5 % of the steps.

    Examples:
        >>> smooth_share(np.linspace(1, 0.1, 100)[None])
        1.0
        >>> smooth_share(np.linspace(0.1, 1, 100)[None]) < 0.2
        True
    """
    median = np.median(losses, axis=0)
    window = max(1, round(0.05 * len(median)))
    averaged = np.convolve(median, np.ones(window) / window, mode="valid")
    return float(np.mean(averaged <= 1.05 * np.minimum.accumulate(averaged)))


def _parts(named: Mapping[str, list[Comparison]]) -> tuple[Part, ...]:
    """Judge all comparisons together; a part holds if all of its own do."""
    every = [comparison for comparisons in named.values() for comparison in comparisons]
    judged = iter(judge(every))
    parts = []
    for name, comparisons in named.items():
        own = tuple(next(judged) for _ in comparisons)
        parts.append(Part(name, all(one.holds for one in own), own))
    return tuple(parts)


def _over_chance(cells: Cells, named: Mapping[str, tuple[str | float, ...]]) -> OverChance:
    """The mean excess over the entry-shuffle null of the cells at some places."""
    return tuple((name, estimate(cells.excess(*place))) for name, place in named.items())


def _trains(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["training"], "task", "pruner")
    arms = [
        (task, pruner, f"{label}, {_SAY[task]}")
        for pruner, label in (("none", "no pruning"), ("dynamic_topk", "dynamic top-k"))
        for task in LEARNED
    ]
    parts = list(
        _parts(
            {
                f"{name}: share solved above 0.9": [
                    Comparison(name, cells.solved(task, pruner), "above", 0.9, "share")
                ]
                for task, pruner, name in arms
            }
        )
    )
    for task, pruner, name in arms:
        losses = np.stack(cells[task, pruner]["losses"].to_list())
        share = smooth_share(losses)
        parts.append(Part(f"{name}: smooth", share >= 0.95, fact=f"in {share:.1%} of the steps"))
    return Claim(
        1,
        "Complete layers train, pruned or not, and their loss descends smoothly.",
        "curves only (figure 5)",
        "Share solved (loss below 0.01 after the last pruning) above 0.9; median loss, averaged "
        "over 5 % of the steps, at most 5 % over its lowest value so far in 95 % of the steps.",
        tuple(parts),
    )


def _initialisation(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["table1"], "row", "column")
    rows = {"uniform_weights": "uniform W", "zero_values": "zero v"}
    return Claim(
        2,
        "Initialisation plays no large role.",
        "0.032, 0.075, 0.049 (XOR); 0.023, 0.076, -0.004 (Sine)",
        f"Change of O, minus that of the default: inside ±{MATTERS}.",
        _parts(
            {
                f"{label}, {_SAY[task]}": [
                    Comparison(
                        f"{label} - default, {_SAY[task]}",
                        cells.change(row, task) - cells.change("default", task),
                        "inside",
                        MATTERS,
                    )
                ]
                for row, label in rows.items()
                for task in LEARNED
            }
        ),
        _over_chance(
            cells,
            {
                f"{label}, {_SAY[task]}": (row, task)
                for row, label in ({"default": "default"} | rows).items()
                for task in LEARNED
            },
        ),
    )


def _not_sufficient(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["table1"], "row", "column")
    return Claim(
        3,
        "Training alone is not sufficient to induce orderedness.",
        "0.032 (XOR), 0.023 (Sine)",
        f"Without pruning, change of O inside ±{MATTERS}.",
        _parts(
            {
                _SAY[task]: [
                    Comparison(_SAY[task], cells.change("default", task), "inside", MATTERS)
                ]
                for task in LEARNED
            }
        ),
        _over_chance(cells, {_SAY[task]: ("default", task) for task in LEARNED}),
    )


def _beyond_control(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["table1"], "row", "column")
    named: dict[str, list[Comparison]] = {}
    for row, label in (("topk", "top-k"), ("dynamic_topk", "dynamic top-k")):
        for task in LEARNED:
            change, control = cells.change(row, task), cells.change(row, CONTROL_OF[task])
            excess = cells.excess(row, task) - cells.excess("default", task)
            place = f"{label}, {_SAY[task]}"
            named[f"{place}: above the untrained control"] = [
                Comparison(f"{place}, minus control", change - control, "above")
            ]
            named[f"{place}: more above chance than without pruning"] = [
                Comparison(f"{place}, excess over the null, minus no pruning", excess, "above")
            ]
    return Claim(
        4,
        "Top-k and dynamic top-k increase orderedness beyond what they do to an untrained network.",
        "0.116, 0.149 (XOR) and 0.086, 0.086 (Sine), untrained 0.039, 0.038",
        "Change of O minus the control's above 0; excess over the entry-shuffle null above that of "
        "training without pruning.",
        _parts(named),
        _over_chance(
            cells,
            {
                f"{label}, {_SAY[task]}": (row, task)
                for row, label in (
                    ("default", "no pruning"),
                    ("topk", "top-k"),
                    ("dynamic_topk", "dynamic top-k"),
                )
                for task in LEARNED
            },
        ),
    )


def _damping_most(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["table1"], "row", "column")
    dampings = {"tril_damp": "tril-damping", "dynamic_tril_damp": "dynamic tril-damping"}
    others = {"random": "random", "topk": "top-k", "dynamic_topk": "dynamic top-k"}
    return Claim(
        5,
        "Tril-damping increases orderedness most.",
        "0.280 (XOR), 0.343 (Sine), both forms",
        "Change of O above that of each other pruner (random, top-k, dynamic top-k).",
        _parts(
            {
                f"{label}, {_SAY[task]}": [
                    Comparison(
                        f"{label} - {other}, {_SAY[task]}",
                        cells.change(row, task) - cells.change(name, task),
                        "above",
                    )
                    for name, other in others.items()
                ]
                for row, label in dampings.items()
                for task in LEARNED
            }
        ),
        _over_chance(
            cells,
            {
                f"{label}, {_SAY[task]}": (row, task)
                for row, label in dampings.items()
                for task in LEARNED
            },
        ),
    )


def _artefact(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["table1"], "row", "column")
    named: dict[str, list[Comparison]] = {}
    for task in LEARNED:
        control = cells.change("random", CONTROL_OF[task])
        trained = cells.change("random", task)
        size = f"size of {_SAY[task]}"
        named[f"untrained, {size}: increases"] = [
            Comparison(f"untrained, {size}", control, "above", MATTERS)
        ]
        named[f"{_SAY[task]}: no more than that"] = [
            Comparison(f"{_SAY[task]}, minus control", trained - control, "inside", MATTERS)
        ]
    return Claim(
        6,
        "The increase under random pruning is an artefact of the measure.",
        "0.170 untrained; 0.243 (XOR), 0.104 (Sine), all under one mask",
        f"Untrained change above {MATTERS}; trained minus untrained inside ±{MATTERS}.",
        _parts(named),
        _over_chance(
            cells,
            {
                **{f"untrained, size of {_SAY[t]}": ("random", CONTROL_OF[t]) for t in LEARNED},
                **{_SAY[task]: ("random", task) for task in LEARNED},
            },
        ),
    )


def _spike(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["figure2"], "task", "hidden", "iterations")
    return Claim(
        7,
        "On XOR orderedness spikes at T = 2 for every number of hidden units.",
        "a surface only (figure 2)",
        "Change of O at T = 2 above that at T = 1 and at T = 3.",
        _parts(
            {
                f"{hidden} hidden": [
                    Comparison(
                        f"{hidden} hidden, T = 2 - T = {other}",
                        cells.change("xor", hidden, 2) - cells.change("xor", hidden, other),
                        "above",
                    )
                    for other in (1, 3)
                ]
                for hidden in HIDDEN
            }
        ),
        _over_chance(
            cells, {f"{h} hidden, T = {t}": ("xor", h, t) for h in HIDDEN for t in (1, 2, 3)}
        ),
    )


def _grows(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["figure3"], "task", "pruner", "strength")
    strengths = SPARSITIES[1:]
    named: dict[str, list[Comparison]] = {}
    for pruner, label in (("topk", "top-k"), ("dynamic_topk", "dynamic top-k")):
        for task in LEARNED:
            above = {
                s: cells.after(task, pruner, s) - cells.after(CONTROL_OF[task], pruner, s)
                for s in strengths
            }
            place = f"{label}, {_SAY[task]}"
            named[f"{place}: above the control at most sparsities"] = [
                Comparison(f"{place}, s = {s}", values, "above") for s, values in above.items()
            ]
            named[f"{place}: grows with sparsity"] = [
                Comparison(
                    f"{place}, rank correlation with s",
                    rank_correlations(strengths, np.stack(list(above.values()))),
                    "above",
                )
            ]
    parts = tuple(
        dataclasses.replace(part, holds=2 * sum(one.holds for one in part.judged) > len(strengths))
        if len(part.judged) == len(strengths)
        else part
        for part in _parts(named)
    )
    return Claim(
        8,
        "Orderedness grows with sparsity for top-k methods, above the untrained control.",
        "a trend only (figure 3)",
        "For s = 0.1 to 0.9, O minus the control's above 0 at most s; its rank correlation with s, "
        "network by network, above 0.",
        parts,
        _over_chance(
            cells,
            {
                f"{label}, {_SAY[task]}, s = {s}": (task, pruner, s)
                for pruner, label in (("topk", "top-k"), ("dynamic_topk", "dynamic top-k"))
                for task in LEARNED
                for s in (0.0, 0.5, 0.9)
            },
        ),
    )


def rank_correlations(
    strengths: tuple[float, ...], values: Float[np.ndarray, "strengths networks"]
) -> Values:
    """Spearman's correlation with the strengths, network by network; NaN where one is undefined.

    Examples:
        >>> rank_correlations((1, 2, 3), np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]]))
        array([ 1., -1.])
    """
    ranks = scipy.stats.rankdata(values, axis=0)
    ranks[:, np.isnan(values).any(axis=0)] = np.nan
    ranks -= ranks.mean(axis=0)
    steps = scipy.stats.rankdata(strengths) - (len(strengths) + 1) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return steps @ ranks / np.sqrt((steps**2).sum() * (ranks**2).sum(axis=0))


def _performance(tables: Mapping[str, pl.DataFrame]) -> Claim:
    cells = Cells(tables["table1"], "row", "column")
    return Claim(
        9,
        "Pruning does not compromise performance.",
        "said in the abstract; no number",
        f"Drop in the share solved against no pruning below {SHARE_MATTERS}.",
        _parts(
            {
                f"{row.replace('_', ' ')}, {_SAY[task]}": [
                    Comparison(
                        f"no pruning - {row.replace('_', ' ')}, {_SAY[task]}",
                        cells.solved("default", task) - cells.solved(row, task),
                        "below",
                        SHARE_MATTERS,
                        "difference of shares",
                    )
                ]
                for row in PRUNERS
                for task in LEARNED
            }
        ),
    )


CLAIMS: tuple[Callable[[Mapping[str, pl.DataFrame]], Claim], ...] = (
    _trains,
    _initialisation,
    _not_sufficient,
    _beyond_control,
    _damping_most,
    _artefact,
    _spike,
    _grows,
    _performance,
)
