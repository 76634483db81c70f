"""Studies as TOML files."""

import pytest

from orderedness.network import uniform
from orderedness.pruning import TopK, TrilDamping
from orderedness.study import load_study

FULL = """
[study]
name = "full"
networks = 12
seed = 3
block = 4

[record]
loss_every = 50
nulls = ["entries", "roles"]
null_draws = 9
count_inputs = true
weights = true

[[grid]]
task = ["xor", "sine"]
reading = "written"
pruner = ["none", "topk", "tril-damping"]
sparsity = [0.25, 0.5]
fraction = 0.8
hidden = [3, 5]
iterations = 2
weights = "uniform"
learning_rate = 0.02

[[grid]]
task = "untrained"
epochs = 4
"""


@pytest.fixture
def load(tmp_path):
    def read(text, **given):
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return load_study(path, **given)

    return read


def test_everything_that_can_be_said(load):
    study = load(FULL)
    assert (study.name, study.networks, study.seed, study.block) == ("full", 12, 3, 4)
    assert study.record.nulls == ("entries", "roles")
    assert (study.record.loss_every, study.record.null_draws) == (50, 9)
    assert study.record.count_inputs
    assert study.record.weights
    assert len(study.arms) == 2 * 2 * (1 + 2 + 1) + 1
    found = {tuple(arm.labels.values()): arm.experiment for arm in study.arms}
    topk = found["sine", "written", None, 3, 2, "uniform", 0.02, "topk", 0.25, None]
    assert topk.pruner == TopK(0.25)
    assert topk.weights is uniform
    assert (topk.hidden, topk.iterations, topk.task.progress_by) == (3, 2, "step")
    assert dict(topk.optimiser.numbers)["learning_rate"] == 0.02
    damped = found["xor", "written", None, 5, 2, "uniform", 0.02, "tril-damping", None, 0.8]
    assert damped.pruner == TrilDamping(0.8)
    assert study.arms[-1].experiment.task.epochs == 4


def test_the_same_is_the_same_as_in_python(load, small):
    from orderedness.study import Study
    from orderedness.training import Experiment, xor

    read = load('[grid]\ntask = "xor"\npruner = "topk"\nsparsity = 0.5', networks=4)
    written = Study("other", {"a": Experiment(xor(), pruner=TopK(0.5))}, 4)
    assert read.blocks()[0].place == written.blocks()[0].place


def test_the_command_line_has_the_last_word(load):
    study = load(FULL, networks=2, seed=0)
    assert (study.networks, study.seed) == (2, 0)
    assert load('[grid]\ntask = "xor"').name == "mine"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[grid", r"mine.toml is no TOML"),
        ("[study]\nname = 'a'", r"no \[grid\]"),
        ("[gird]\ntask = 'xor'", "did you mean 'grid'"),
        ("grid = 3", r"grid is 3, but must be a table"),
        ("grid = [3]", r"grid is 3, but must be a table"),
        ("study = 3\n[grid]\ntask = 'xor'", "study is 3"),
        ("[study]\nnetwork = 3\n[grid]\ntask = 'xor'", "did you mean 'networks'"),
        ("[study]\nnetworks = 0\n[grid]\ntask = 'xor'", "networks is 0"),
        ("[study]\nnetworks = '9'\n[grid]\ntask = 'xor'", "networks is '9'"),
        ("[study]\nname = 7\n[grid]\ntask = 'xor'", "name is 7"),
        ("[study]\nblock = 100\n[grid]\ntask = 'xor'", "block is 100"),
        ("[record]\nnull = 3\n[grid]\ntask = 'xor'", "did you mean 'nulls'"),
        ("[record]\nnulls = ['entry']\n[grid]\ntask = 'xor'", "did you mean 'entries'"),
        ("[record]\nnulls = [3]\n[grid]\ntask = 'xor'", r"nulls\[0\] is 3"),
        ("[record]\nweights = 1\n[grid]\ntask = 'xor'", "weights is 1"),
        ("[record]\nloss_every = 1.5\n[grid]\ntask = 'xor'", "loss_every is 1.5"),
        ("[grid]\npruner = 'topk'", r"\[grid\] has no task"),
        ("[grid]\ntask = 'xro'", "did you mean 'xor'"),
        ("[grid]\ntask = []", r"task is \[\]"),
        ("[grid]\ntask = 3", "task is 3, but must be a text"),
        ("[grid]\ntask = ['xor', 'xor']", "must not repeat a value"),
        ("[grid]\ntask = 'xor'\nprunner = 'topk'", "did you mean 'pruner'"),
        ("[grid]\ntask = 'xor'\npruner = 'top'", "did you mean 'topk'"),
        ("[grid]\ntask = 'xor'\nsparsity = 0.5", "none of its pruners has one: none"),
        ("[grid]\ntask = 'xor'\npruner = 'topk'\nfraction = 0.5", "none of its pruners has one"),
        ("[grid]\ntask = 'xor'\npruner = 'topk'\nsparsity = 1.5", "sparsity is 1.5"),
        ("[grid]\ntask = 'xor'\npruner = 'topk'\nsparsity = '0.5'", "sparsity is '0.5'"),
        ("[grid]\ntask = 'xor'\npruner = 'topk'\nsparsity = nan", "sparsity is nan"),
        ("[grid]\ntask = 'xor'\nhidden = [1, -1]", "hidden is -1"),
        ("[grid]\ntask = 'xor'\nhidden = 1.5", "hidden is 1.5"),
        ("[grid]\ntask = 'xor'\niterations = 0", "iterations is 0"),
        ("[grid]\ntask = 'xor'\nlearning_rate = 0", "learning_rate is 0"),
        ("[grid]\ntask = 'xor'\nlearning_rate = inf", "learning_rate is inf"),
        ("[grid]\ntask = 'xor'\nweights = 'zero'", "did you mean 'zeros'"),
        ("[grid]\ntask = 'xor'\nreading = 'ran'", "did you mean 'run'"),
        ("[grid]\ntask = [['xor']]", "must be a text"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(load, text, message):
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        load(text)
    assert "\n" not in str(caught.value)
    assert "mine.toml" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(OSError, match=r"none.toml"):
        load_study(tmp_path / "none.toml")
