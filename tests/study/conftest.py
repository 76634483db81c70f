import pytest

from orderedness.pruning import DynamicTopK, RandomPruning, TopK
from orderedness.study import Record, Study
from orderedness.training import Experiment, sine, untrained, xor


@pytest.fixture(scope="session")
def arms():
    task = xor(epochs=6)
    return {
        "dense": Experiment(task),
        "topk": Experiment(task, pruner=TopK(0.5)),
        "dynamic": Experiment(task, pruner=DynamicTopK(0.5)),
        "random": Experiment(task, pruner=RandomPruning(0.9)),
        "control": Experiment(untrained(task), pruner=TopK(0.5)),
        "sine": Experiment(sine(epochs=1), hidden=3, iterations=2),
    }


@pytest.fixture(scope="session")
def small(arms):
    """A small study; what is given differs from it."""

    def build(**given):
        usual = {"networks": 10, "block": 8, "record": Record(loss_every=2)}
        return Study(**({"name": "small", "arms": arms} | usual | given))

    return build
