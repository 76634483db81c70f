"""Studies, what names their results, and what is refused."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from orderedness.network import uniform, zeros
from orderedness.pruning import DynamicTopK, NoPruning, Pruner, RandomPruning, TopK
from orderedness.study import NETWORKS_A_SEED, Arm, Record, Study, named, study_seeds
from orderedness.study.describe import UnnamedError, describe, digest
from orderedness.training import Experiment, Optimiser, Task, adam, sine, untrained, xor

BASE = Experiment(xor())


def key(experiment=BASE, **record):
    study = Study("s", {"a": experiment}, 1, block=1, record=Record(**record))
    return study.blocks()[0].place.key


DIFFERENT = {
    "task": Experiment(xor("written")),
    "epochs": Experiment(xor(epochs=999)),
    "points": Experiment(sine("written", seed=0)),
    "other points": Experiment(sine("written", seed=1)),
    "untrained": Experiment(untrained()),
    "hidden": Experiment(xor(), hidden=4),
    "iterations": Experiment(xor(), iterations=4),
    "weights": Experiment(xor(), weights=uniform),
    "values": Experiment(xor(), values=zeros),
    "bias": Experiment(xor(), bias=zeros),
    "topk": Experiment(xor(), pruner=TopK(0.5)),
    "dynamic": Experiment(xor(), pruner=DynamicTopK(0.5)),
    "sparsity": Experiment(xor(), pruner=TopK(0.5000001)),
    "random": Experiment(xor(), pruner=RandomPruning(0.5)),
    "mask": Experiment(xor(), pruner=RandomPruning(0.5, mask_seed=0)),
    "rate": Experiment(xor(), optimiser=adam(0.02)),
    "optimiser": Experiment(xor(), optimiser=Optimiser.of(optax.sgd, learning_rate=0.01)),
    "activation": Experiment(xor(), activation=jnp.tanh),
    "relu": Experiment(xor(), activation=jax.nn.relu),
    "named": Experiment(xor(), activation=named("tanh", 1, jnp.tanh)),
    "named again": Experiment(xor(), activation=named("tanh", 2, jnp.tanh)),
}


def test_different_experiments_have_different_names():
    keys = [key(), *map(key, DIFFERENT.values())]
    assert len(set(keys)) == len(keys)


def test_different_records_have_different_names_unless_they_keep_the_same():
    records = [{"loss_every": 3}, {"nulls": ["entries"]}, {"weights": True}, {"count_inputs": True}]
    assert len({key(), *(key(**record) for record in records)}) == 5
    assert key(null_draws=7) == key()
    assert key(nulls=["entries", "roles"]) == key(nulls=["roles", "entries", "roles"])


def test_equal_experiments_have_equal_names():
    again = Experiment(
        xor(), hidden=5, iterations=3, pruner=NoPruning(), optimiser=Optimiser.of(
            optax.adam, b1=0.9, b2=0.999, eps=1e-8, learning_rate=0.01
        )
    )  # fmt: skip
    assert key(again) == key()
    assert key(Experiment(xor(), pruner=TopK(1))) == key(Experiment(xor(), pruner=TopK(1.0)))


def test_names_do_not_change_by_accident():
    """Were this to fail, every store would lose its results: raise RESULTS_VERSION if it must."""
    told = {"a": 1, "b": [0.1, "x", None]}
    assert digest(told) == "97449a1e74117079d066"


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("weights", lambda key, shape: jnp.zeros(shape)),
        ("activation", lambda x: x),
        ("optimiser", optax.sgd(0.1)),
        ("optimiser", optax.chain(optax.clip(1.0), optax.adam(0.1))),
    ],
)
def test_what_has_no_name_is_named_in_the_message(part, value):
    with pytest.raises(UnnamedError, match=rf"^{part}.* has no name and version"):
        describe(Experiment(xor(), **{part: value}))


def test_a_pruner_class_of_ones_own_is_named_by_itself():
    @dataclasses.dataclass(frozen=True)
    class Halving(TopK):
        pass

    @dataclasses.dataclass(frozen=True)
    class Stored(TopK):
        stored_as = ("halving", 1)

    with pytest.raises(UnnamedError, match="pruner is"):
        describe(Experiment(xor(), pruner=Halving(0.5)))
    assert issubclass(Stored, Pruner)
    assert key(Experiment(xor(), pruner=Stored(0.5))) != key(Experiment(xor(), pruner=Stored(0.6)))
    assert key(Experiment(xor(), pruner=Stored(0.5))) != key(Experiment(xor(), pruner=TopK(0.5)))


def test_a_function_that_bears_a_librarys_name_is_not_taken_for_it():
    def sigmoid(x):
        return x

    sigmoid.__module__, sigmoid.__qualname__ = jax.nn.sigmoid.__module__, "sigmoid"
    with pytest.raises(UnnamedError):
        describe(Experiment(xor(), activation=sigmoid))


def test_seeds():
    assert study_seeds(3, 2) == range(2 * NETWORKS_A_SEED, 2 * NETWORKS_A_SEED + 3)
    assert study_seeds(NETWORKS_A_SEED, 4095).stop == 2**32


def test_a_task_of_ones_own_is_named_by_its_numbers():
    def task(offset):
        rows = np.arange(6).reshape(3, 2) + offset
        return Task("mine", rows, rows[:, :1], batch_size=3, epochs=2)

    assert key(Experiment(task(0))) == key(Experiment(task(0)))
    assert key(Experiment(task(0))) != key(Experiment(task(1)))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"name": "a/b"}, "name is 'a/b'"),
        ({"name": ""}, "name is ''"),
        ({"networks": 0}, "networks is 0"),
        ({"networks": 2**20 + 1}, "networks is 1048577, but must be at most 1048576"),
        ({"seed": 4096}, "seed is 4096"),
        ({"seed": -1}, "seed is -1"),
        ({"block": 3}, "block is 3, but must be a power of two"),
        ({"block": 0}, "block is 0"),
        ({"arms": {}}, "arms is empty"),
        ({"arms": [("a", BASE), ("a", BASE)]}, "two arms are labelled"),
        ({"arms": [({"a": 1}, BASE), ({"b": 1}, BASE)]}, "other labels"),
        ({"arms": [({"o_after": 1}, BASE)]}, "label 'o_after'"),
        ({"arms": [({"a b": 1}, BASE)]}, "label 'a b'"),
        ({"arms": [({"a": "x"}, BASE), ({"a": 1}, BASE)]}, "label 'a'"),
    ],
)
def test_impossible_studies_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Study(**({"name": "s", "arms": {"a": BASE}, "networks": 4} | given))


@pytest.mark.parametrize(
    "given",
    [
        {"arms": {"a": "xor"}},
        {"arms": [({"a": [1]}, BASE)]},
        {"arms": [BASE]},
        {"arms": 7},
        {"record": {"loss_every": 3}},
    ],
)
def test_what_is_of_the_wrong_kind_is_refused(given):
    with pytest.raises(TypeError):
        Study(**({"name": "s", "arms": {"a": BASE}, "networks": 4} | given))


@pytest.mark.parametrize(
    "given",
    [{"loss_every": 0}, {"null_draws": 0}, {"nulls": ("entry",)}],
)
def test_impossible_records_are_refused(given):
    with pytest.raises(ValueError, match=next(iter(given))):
        Record(**given)


def test_labels_may_be_several_and_arms_may_be_given_as_such():
    study = Study("s", [Arm({"row": "a", "k": 0.5}, BASE), ({"row": "b", "k": 1}, BASE)], 1)
    assert [dict(arm.labels) for arm in study.arms] == [
        {"row": "a", "k": 0.5},
        {"row": "b", "k": 1},
    ]
