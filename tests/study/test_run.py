"""Running studies: what is computed, what is found again, and that it is the same to the bit."""

import numpy as np
import polars as pl
import pytest

from orderedness.network import normal
from orderedness.ordering import orderedness
from orderedness.ordering.nulls import null_orderedness
from orderedness.pruning import CustomPruning, TopK
from orderedness.study import (
    Record,
    Store,
    StoreWarning,
    Study,
    named,
    run_study,
    study_seeds,
    weights_of,
)
from orderedness.study import run as running
from orderedness.training import Experiment, train, xor


@pytest.fixture
def computed(monkeypatch):
    """The places that are computed, in order."""
    places = []
    real = running.compute

    def counting(blocks, record):
        for block, rows in real(blocks, record):
            places.append(block.place)
            yield block, rows

    monkeypatch.setattr(running, "compute", counting)
    return places


def test_rows_are_what_training_and_measuring_give(tmp_path, arms):
    record = Record(loss_every=2, nulls=("masks", "entries"), null_draws=7, weights=True)
    study = Study("s", arms, 10, seed=3, block=8, record=record)
    table = run_study(study, tmp_path)
    assert table["arm"].unique(maintain_order=True).to_list() == list(arms)
    for label, experiment in arms.items():
        rows = table.filter(arm=label)
        outcome = train(experiment, study_seeds(10, 3), loss_every=2)
        before, after = (
            orderedness(layer.weights, outputs=1) for layer in (outcome.initial, outcome.final)
        )
        null = null_orderedness(
            outcome.final.weights, "entries", draws=7, seeds=outcome.seeds, outputs=1
        )
        want = {
            "seed": outcome.seeds,
            "o_before": before.value,
            "o_after": after.value,
            "hidden_before": before.hidden,
            "hidden_after": after.hidden,
            "loss": outcome.final_loss,
            "certified": np.full(10, True),
            "density_after": (outcome.final.weights != 0).mean(axis=(0, 1)),
            "null_entries_mean": null.full.mean,
            "null_entries_hidden_p": null.hidden.p,
        }
        for name, array in want.items():
            np.testing.assert_array_equal(rows[name].to_numpy(), array, err_msg=name)
        losses = np.stack(rows["losses"].to_list(), axis=-1)
        np.testing.assert_array_equal(losses, outcome.losses)
        np.testing.assert_array_equal(weights_of(rows, "weights_after"), outcome.final.weights)
        np.testing.assert_array_equal(weights_of(rows, "weights_before"), outcome.initial.weights)


def test_the_table_says_what_each_arm_is(tmp_path, small):
    table = run_study(small(), tmp_path)
    row = table.filter(arm="topk").row(0, named=True)
    told = {"task": "xor", "pruner": "TopK", "sparsity": 0.5, "fraction": None, "hidden": 5}
    assert {name: row[name] for name in told} == told
    assert table.schema["losses"] == pl.List(pl.Float32)
    assert table.schema["loss"] == pl.Float32
    assert table.schema["seed"] == pl.UInt32


def test_a_table_is_the_same_to_the_bit_whichever_way_it_was_asked_for(tmp_path, small, arms):
    whole = run_study(small(networks=20), tmp_path / "whole")
    store = Store(tmp_path / "grown")
    run_study(small(networks=3, arms={"topk": arms["topk"]}, name="less"), store)
    run_study(small(networks=9), store)
    grown = run_study(small(networks=20), store)
    assert grown.equals(whole, null_equal=True)
    assert store.table(small(networks=20)).equals(whole)
    first = store.table(small(networks=3))
    assert first.equals(whole.filter(pl.col("seed") < 3))


def test_only_what_is_missing_is_computed(tmp_path, small, arms, computed):
    store = Store(tmp_path)
    assert len(store.missing(small())) == 12
    run_study(small(), store)
    assert len(computed) == len(set(computed)) == 12
    computed.clear()
    run_study(small(), store)
    assert not computed
    run_study(small(networks=17), store)
    assert {(place.start, place.stop) for place in computed} == {(16, 24)}
    assert len(computed) == 6
    computed.clear()
    both = {"a": arms["topk"], "b": arms["topk"], "new": Experiment(xor(epochs=6), hidden=2)}
    table = run_study(small(arms=both, name="other"), store)
    assert len(computed) == 2
    assert table.filter(arm="a").drop("arm").equals(table.filter(arm="b").drop("arm"))


def test_progress_counts_every_network_once(tmp_path, small):
    for networks, found in ((3, 0), (20, 6 * 8)):
        seen = []
        study = small(networks=networks)
        run_study(study, tmp_path, seen.append)
        assert seen[0] == found
        assert sum(seen) == study.size
    assert Store(tmp_path).missing(study) == []


def test_arms_share_initial_draws_and_seeds_of_studies_do_not_meet(tmp_path, small):
    one = run_study(small(), tmp_path)
    assert one.filter(arm="dense")["o_before"].equals(one.filter(arm="topk")["o_before"])
    two = run_study(small(seed=1), tmp_path)
    assert not set(one["seed"]) & set(two["seed"])


def test_undefined_orderedness_is_nan_and_counted(tmp_path):
    arms = {"gone": Experiment(xor(epochs=2), pruner=TopK(1.0))}
    table = run_study(Study("s", arms, 4, block=4), tmp_path)
    assert table["o_after"].is_nan().all()
    assert table["density_after"].to_list() == [0.0] * 4
    no_hidden = run_study(
        Study("h", {"none": Experiment(xor(epochs=2), hidden=0)}, 4, block=4), tmp_path
    )
    assert no_hidden["hidden_after"].is_nan().all()
    assert no_hidden["density_hidden_after"].is_nan().all()


def test_a_function_without_a_name_trains_but_is_not_stored_and_says_so(tmp_path, arms, computed):
    mine = Experiment(xor(epochs=3), pruner=CustomPruning(lambda w, x, key: w / 2))
    study = Study("s", {"mine": mine, "topk": arms["topk"]}, 5, block=8)
    with pytest.warns(StoreWarning, match="not stored, arm {'arm': 'mine'}: pruner.function is"):
        table = run_study(study, tmp_path)
    assert table["arm"].to_list() == ["mine"] * 5 + ["topk"] * 5
    with pytest.warns(StoreWarning):
        assert run_study(study, tmp_path).equals(table)
    assert len(computed) == 3
    with pytest.raises(ValueError, match="no store can hold arm"):
        Store(tmp_path).table(study)


def test_a_named_function_is_stored_under_its_name_and_version(tmp_path, computed):
    def study(version):
        halving = named("halving", version, lambda w, x, key: w / 2)
        drawn = named("drawn", 1, lambda key, shape: normal(key, shape))
        mine = Experiment(xor(epochs=3), weights=drawn, pruner=CustomPruning(halving))
        return Study("s", {"mine": mine}, 5, block=8)

    for version in (1, 1, 2, 1):
        table = run_study(study(version), tmp_path)
    assert len(computed) == 2
    assert table["weights"].unique().to_list() == ["drawn"]
