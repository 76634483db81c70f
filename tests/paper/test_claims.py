"""Verdicts follow from results: synthetic ones are judged both ways."""

import itertools

import numpy as np
import polars as pl
import pytest

from orderedness.paper.arms import HIDDEN, ITERATIONS, PRUNERS, SPARSITIES
from orderedness.paper.claims import CLAIMS, claims, rank_correlations, smooth_share
from orderedness.paper.published import ROWS
from orderedness.paper.studies import SINE_CONTROL, studies

NETWORKS = 300
COLUMNS = ("none", "xor", "sine", SINE_CONTROL)
DAMPINGS = ("tril_damp", "dynamic_tril_damp")


def rows(random, labels, *, change=0.0, excess=0.0, solved=1.0, losses=None):
    """One cell: the mean change of O, excess over the null, share solved."""
    before = random.normal(0.6, 0.02, NETWORKS)
    after = before + change + random.normal(0, 0.005, NETWORKS)
    data = {
        "seed": np.arange(NETWORKS),
        "o_before": before,
        "o_after": after,
        "null_entries_mean": after - excess - random.normal(0, 0.005, NETWORKS),
        "loss": np.where(np.arange(NETWORKS) < round(solved * NETWORKS), 0.001, 0.2),
    }
    if losses is not None:
        data["losses"] = np.tile(losses, (NETWORKS, 1)) * random.uniform(0.9, 1.1, (NETWORKS, 1))
    return pl.DataFrame(data).select(*(pl.lit(v).alias(k) for k, v in labels.items()), pl.all())


def paper_as_it_claims(random, **wrong):
    """Tables under which all claims hold, except for what `wrong` says."""
    falling, rising = np.linspace(1, 0.1, 100), np.linspace(0.1, 1, 100)
    training = [
        rows(
            random,
            {"task": task, "pruner": pruner},
            solved=wrong.get("solved", 1.0),
            losses=rising if "rising" in wrong else falling,
        )
        for task in ("xor", "sine")
        for pruner in ("none", "dynamic_topk")
    ]

    def change(row, column):
        trained = column in ("xor", "sine")
        if row in DAMPINGS:
            return wrong.get("damping", 0.3)
        if row == "random":
            return wrong.get("masked_trained", 0.1) if trained else wrong.get("masked", 0.1)
        if row in ("topk", "dynamic_topk"):
            return wrong.get("topk", 0.15) if trained else 0.05
        if row in ("uniform_weights", "zero_values"):
            return wrong.get("initialised", 0.0)
        return wrong.get("default", 0.0)

    table1 = [
        rows(
            random,
            {"row": row, "column": column},
            change=change(row, column),
            excess=wrong.get("excess", 0.1) if row in ("topk", "dynamic_topk") else 0.0,
            solved=wrong.get("pruned_solved", 1.0) if row in PRUNERS else 1.0,
        )
        for row in ROWS
        for column in COLUMNS
    ]
    figure2 = [
        rows(
            random,
            {"task": "xor", "hidden": h, "iterations": t},
            change=wrong.get("spike", 0.2) if t == 2 else 0.1,
        )
        for h in HIDDEN
        for t in ITERATIONS
    ]
    figure3 = [
        rows(
            random,
            {"task": task, "pruner": pruner, "strength": s},
            change=s * wrong.get("slope", 0.2) if task in ("xor", "sine") else 0.0,
        )
        for task, pruner, s in itertools.product(COLUMNS, PRUNERS, SPARSITIES)
    ]
    found = {"training": training, "table1": table1, "figure2": figure2, "figure3": figure3}
    return {name: pl.concat(parts) for name, parts in found.items()}


def verdicts(**wrong):
    tables = paper_as_it_claims(np.random.default_rng(0), **wrong)
    return {claim.number: claim.verdict for claim in claims(tables)}


def test_all_are_supported_by_results_as_the_paper_has_them():
    assert verdicts() == dict.fromkeys(range(1, 10), "supported")


@pytest.mark.parametrize(
    ("wrong", "number"),
    [
        ({"solved": 0.5, "rising": True}, 1),
        ({"initialised": 0.05}, 2),
        ({"default": 0.05}, 3),
        ({"default": -0.05}, 3),
        ({"topk": 0.05, "excess": -0.01}, 4),
        ({"damping": 0.1}, 5),
        ({"masked": 0.0, "masked_trained": 0.05}, 6),
        ({"spike": 0.1}, 7),
        ({"slope": -0.2}, 8),
        ({"pruned_solved": 0.9}, 9),
    ],
)
def test_none_is_supported_by_results_that_say_otherwise(wrong, number):
    assert verdicts(**wrong)[number] == "not supported"


@pytest.mark.parametrize(
    ("wrong", "number"),
    [({"rising": True}, 1), ({"excess": 0.0}, 4), ({"masked_trained": 0.2}, 6)],
)
def test_it_depends_when_some_parts_hold(wrong, number):
    assert verdicts(**wrong)[number] == "depends"


def test_the_claims_name_what_failed():
    tables = paper_as_it_claims(np.random.default_rng(0), excess=0.0)
    claim = claims(tables)[3]
    failed = [part.name for part in claim.parts if not part.holds]
    assert len(failed) == 4
    assert all("more above chance" in name for name in failed)
    assert claim.over_chance
    assert len(CLAIMS) == 9


def test_undefined_networks_are_left_out():
    tables = paper_as_it_claims(np.random.default_rng(0))
    table1 = tables["table1"].with_columns(
        pl.when(pl.col("seed") % 7 == 0).then(float("nan")).otherwise("o_after").alias("o_after")
    )
    found = claims(tables | {"table1": table1})
    assert {claim.verdict for claim in found} == {"supported"}
    assert found[2].parts[0].judged[0].estimate.undefined == 43


def test_smoothness_forgives_noise_and_sees_bumps():
    steps = np.linspace(1, 0.1, 1000)
    noise = np.random.default_rng(0).uniform(0.97, 1.03, (5, 1000))
    assert smooth_share(steps * noise) > 0.99
    bump = steps.copy()
    bump[500:700] += 0.5
    assert smooth_share(bump[None]) < 0.9


def test_rank_correlations_are_spearmans():
    import scipy.stats

    values = np.random.default_rng(0).normal(size=(9, 4))
    ours = rank_correlations(SPARSITIES[1:], values)
    theirs = [scipy.stats.spearmanr(SPARSITIES[1:], values[:, n])[0] for n in range(4)]
    np.testing.assert_allclose(ours, theirs)
    values[3, 1] = np.nan
    assert (
        np.isnan(rank_correlations(SPARSITIES[1:], values)).tolist() == [False, True] + [False] * 2
    )


def test_studies_hold_what_the_claims_ask_for():
    found = studies(20, "written", seed=1)
    assert {study.block for study in found.values()} == {32}
    assert studies(5000)["table1"].block == 256
    assert not any(study.record.count_inputs for study in found.values())
    counted = studies(20, "written", count_inputs=True)
    assert all(study.record.count_inputs for study in counted.values())
    assert {s.name for s in found.values()}.isdisjoint(s.name for s in counted.values())
    assert found["training"].record.loss_every == 1
    controls = {
        (arm.labels["row"], arm.experiment.hidden)
        for arm in found["table1"].arms
        if arm.labels["column"] == SINE_CONTROL
    }
    assert controls == {(row, 10) for row in ROWS}
