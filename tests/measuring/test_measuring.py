"""One function for everything, and the command line around it."""

import itertools
import json
import math
import subprocess
import sys
from pathlib import Path

import equinox as eqx
import jax
import networkx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import orderedness
from orderedness import CompletePerceptron, Recurrent, measure
from orderedness.cli import main
from orderedness.measuring.function import as_problem, default_time_limit
from orderedness.measuring.network import Network
from orderedness.measuring.pictures.write import write_picture
from orderedness.ordering import Annealing

FIXTURES = Path(__file__).parent / "fixtures"
KEYS = [
    "orderedness", "lower", "upper", "certified", "hidden_orderedness", "order", "nodes", "edges",
    "seconds", "measures", "null",
]  # fmt: skip


def least_below(matrix, outputs):
    magnitudes = np.abs(matrix)
    return min(
        np.tril(magnitudes[np.ix_(order, order)], -1).sum()
        for middle in itertools.permutations(range(outputs, len(matrix)))
        for order in [[*range(outputs), *middle]]
    )


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    units=st.integers(1, 5),
    outputs=st.integers(0, 2),
    inputs=st.integers(0, 2),
    own=st.booleans(),
    counted=st.booleans(),
    scale=st.sampled_from([1.0, 1e-300, 1e300]),
)
def test_it_is_the_best_of_all_orders(seed, units, outputs, inputs, own, counted, scale):
    outputs = min(outputs, units)
    weights = np.random.default_rng(seed).normal(size=(units, units + inputs)) * scale
    found = measure(
        weights,
        outputs=outputs,
        self_loops="count" if own else "ignore",
        count_inputs=counted,
        company=False,
    )
    weights /= scale
    square = weights[:, :units]
    total = np.abs(weights if counted else square).sum() - (0 if own else np.trace(np.abs(square)))
    assert found.certified
    if total == 0:
        assert math.isnan(found.orderedness)
        return
    assert found.orderedness == pytest.approx(1 - least_below(square, outputs) / total)
    ordered = np.abs(square[np.ix_(found.permutation, found.permutation)])
    assert np.tril(ordered, -1).sum() == pytest.approx(least_below(square, outputs))
    assert found.order == tuple(found.permutation[::-1].tolist())
    assert sum(found.reasons) == pytest.approx(1 - found.orderedness)
    assert found.order[::-1][:outputs] == tuple(range(outputs))
    hidden = np.abs(square[outputs:, outputs:])
    if outputs and hidden.sum() - (0 if own else np.trace(hidden)) > 0:
        whole = hidden.sum() - (0 if own else np.trace(hidden))
        assert found.hidden == pytest.approx(1 - least_below(hidden, 0) / whole)


def test_direction_turns_the_order_round_and_not_the_value():
    matrix = np.random.default_rng(1).random((6, 6))
    columns = measure(matrix)
    rows = measure(matrix, direction="rows-feed-columns")
    assert rows.orderedness == pytest.approx(columns.orderedness)
    assert rows.order == columns.order[::-1]


def test_pins_hold():
    matrix = np.random.default_rng(2).random((6, 6))
    found = measure(matrix, outputs=1, upstream=[3, 4], downstream=[1, 2])
    assert found.order[:2] == (3, 4)
    assert found.order[-3:] == (1, 2, 0)
    assert found.reasons.pinned > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"upstream": [9]}, "upstream names 9, which is no unit of a matrix"),
        ({"upstream": [2], "downstream": [2]}, "2 is pinned twice"),
        ({"outputs": 2, "downstream": [1]}, "downstream names 1, which is an output already"),
        ({"outputs": 4}, "outputs is 4, but must be from 0 to the 3 units"),
        ({"outputs": -1}, "outputs is -1"),
        ({"inputs": 1}, "unit 2, one of the last 1, receives connections; inputs only send"),
        ({"inputs": 7}, "inputs is 7, but must be from 0 to the 3 sources"),
        ({"self_loops": "maybe"}, "self_loops is 'maybe'"),
        ({"direction": "up"}, "direction is 'up'"),
        ({"null": "no"}, "null is 'no'"),
        ({"null": "entries", "draws": 0}, "draws is 0"),
        ({"time_limit": -1}, "time_limit must be at least 0"),
        ({"array": "W"}, "array is 'W', but a ndarray holds only one network"),
        ({"gate": "update"}, "gate is 'update', but a matrix has state"),
    ],
)
def test_what_is_asked_wrongly(options, message):
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        measure(np.ones((3, 3)), **options)


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (np.zeros((3, 2)), r"has shape \(3, 2\), but a network needs one row for each unit"),
        ([[1.0, 2.0], [3.0]], "rows of one length"),
        (7, "the network is a int, but must be a path"),
        (object(), "the network is a object"),
        (networkx.Graph([(0, 1)]), "order needs a directed graph"),
        (np.zeros((2, 2, 2)), "must have two axes"),
        ({"W": np.zeros(3)}, "a network is a matrix with a row for each unit"),
    ],
)
def test_what_is_no_network(network, message):
    with pytest.raises((ValueError, TypeError), match=message):
        measure(network)


def test_objects_of_other_libraries():
    matrix = np.random.default_rng(3).normal(size=(5, 5))
    expected = measure(matrix)
    graph = networkx.from_numpy_array(matrix.T, create_using=networkx.DiGraph)
    same = [matrix.tolist(), jax.numpy.asarray(matrix), sp.coo_array(matrix), graph]
    same += [sp.csc_matrix(matrix), {"layer": {"weight_hh_l0": matrix, "bias": matrix[0]}}]
    same += [networkx.MultiDiGraph(graph), jax.numpy.asarray(matrix, "bfloat16")]
    for other in same:
        assert measure(other).orderedness == pytest.approx(expected.orderedness, rel=5e-3)
        assert measure(other).order == expected.order


def test_equinox_modules():
    key = jax.random.key(0)
    layer = CompletePerceptron.init(2, 5, 1, key=key)
    expected = orderedness.orderedness(layer.weights, outputs=1)
    for module in (layer, Recurrent.of(layer)):
        found = measure(module)
        assert found.orderedness == pytest.approx(expected.value)
        assert found.hidden == pytest.approx(expected.hidden)
        assert found.network.outputs == 1

    class Model(eqx.Module):
        cell: eqx.nn.GRUCell
        readout: eqx.nn.Linear

    model = Model(eqx.nn.GRUCell(3, 4, key=key), eqx.nn.Linear(4, 4, key=key))
    found = measure(model)
    assert found.network.about == "cell.weight_hh of a Model"
    reset = measure(np.asarray(model.cell.weight_hh)[:4])
    assert found.gates["reset"] == pytest.approx(reset.orderedness)
    assert measure(model, gate="reset").orderedness == pytest.approx(reset.orderedness)


def test_torch_modules():
    torch = pytest.importorskip("torch")
    found = measure(torch.nn.LSTM(3, 4))
    assert list(found.gates) == ["input", "forget", "cell", "output"]


def test_no_weight_is_undefined_and_still_json():
    found = measure(np.zeros((3, 3)), null="entries", draws=3)
    record = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert record["orderedness"] is None
    assert "undefined (0/0)" in str(found)
    assert list(record) == KEYS


def test_text_says_what_it_is():
    matrix = np.array([[0.0, -2.0, 1.0], [1.0, 3.0, 0.0], [2.0, 0.0, 0.0]])
    text = str(measure(matrix, outputs=1, null="orientation", draws=4))
    for part in (
        "a matrix: 3 units (1 output), 5 connections",
        "Negative weights count by magnitude (1 of them).",
        "certified: no order does better",
        "O of the units that are no outputs",
        "at units that were given their places",
        "upstream first (entry [r, c] runs from c to r)",
        "0 -> 2  2",
        "agony hierarchy",
        "Null model (orientation), 4 draws",
        "p =",
    ):
        assert part in text
    assert "from r to c" in str(measure(matrix, direction="rows-feed-columns"))


def test_an_open_interval_says_so():
    matrix = np.random.default_rng(0).random((60, 60))
    found = measure(matrix, solver=Annealing(sweeps=2), company=False)
    assert not found.certified
    assert found.lower <= found.orderedness <= found.upper < 1
    assert "Not certified" in str(found)


def test_time_limits():
    assert default_time_limit(100) == default_time_limit(5) == 10
    assert default_time_limit(10**6) == 600


def test_extreme_weights_keep_the_share_of_inputs():
    small = Network.from_matrix(np.array([[0.0, 1.0, 5.0], [1.0, 0.0, 3.0]]) * 1e305)
    problem = as_problem(small, count_inputs=True)
    assert problem.total == pytest.approx(5 * problem.weights.sum())


# The command line.


def run(*arguments):
    command = [str(Path(sys.executable).with_name("orderedness")), "measure", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


HOSTILE = "[bold red]<script>$x_{$\x1b[31m"


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text(f"source,target,weight\na,b,3\nb,{HOSTILE},2\n{HOSTILE},a,1\na,a,1\n")
    return path


def test_json_has_these_keys(listed, capsys):
    assert main(["measure", str(listed), "--json", "--null", "degrees", "--draws", "3"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert list(record) == KEYS
    assert record["orderedness"] == pytest.approx(1 - 1 / 7)
    assert record["hidden_orderedness"] == record["orderedness"]
    assert record["order"] == ["a", "b", HOSTILE]
    assert (record["nodes"], record["edges"], record["certified"]) == (3, 4, True)
    assert set(record["null"]) >= {"model", "draws", "mean", "sd", "z", "p", "excess"}


def test_options(listed, capsys):
    main(["measure", str(listed), "--json", "--self-loops", "ignore", "--pin", "b=upstream"])
    record = json.loads(capsys.readouterr().out)
    assert record["orderedness"] == pytest.approx(0.5)
    assert record["order"][0] == "b"
    main(["measure", str(FIXTURES / "gru.safetensors"), "--gate", "new", "--solver", "memetic"])
    assert "gate new of tensor weight_hh_l0" in capsys.readouterr().out
    main(["measure", str(FIXTURES / "lstm.safetensors"), "--json"])
    gates = json.loads(capsys.readouterr().out)["measures"]["gates"]
    assert list(gates) == ["input", "forget", "cell", "output"]


def test_names_are_escaped_wherever_they_are_shown(listed, tmp_path, capsys):
    page, picture = tmp_path / "out.html", tmp_path / "out.png"
    assert main(["measure", str(listed), "--plot", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "[bold red]<script>" in shown
    text = page.read_text()
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "\x1b" not in text
    assert main(["measure", str(listed), "--plot", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("units", [1, 5, 50, 500])
def test_pictures_of_all_sizes(units, tmp_path):
    matrix = sp.random_array((units, units), density=min(1.0, 3 / units), rng=0)
    for weights in (matrix, matrix * 0):
        found = measure(weights, time_limit=0.2, company=False)
        write_picture(found, tmp_path / "a.png")
        assert (tmp_path / "a.png").stat().st_size > 1000
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plot", "out.gif"], "plot is out.gif, but must end in .png or .html"),
        (["--pin", "b"], "pin is 'b', but must be NAME=upstream or NAME=downstream"),
        (["--pin", "z=upstream"], "upstream names z, which is no unit of"),
        (["--outputs", "9"], "outputs is 9"),
        (["--direction", "rows-feed-columns"], "is a list of edges, which run from source"),
        (["--time-limit", "-1"], "time_limit must be at least 0"),
        (["--format", "npy"], "is not a NumPy array"),
        (["--array", "x"], "holds only one"),
    ],
)
def test_wrong_options_get_one_sentence_and_exit_code_2(options, message, listed):
    done = run(str(listed), *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not done.stdout


def test_a_missing_file_gets_exit_code_2(tmp_path):
    done = run(str(tmp_path / "no\x1b[31m.npy"))
    assert done.returncode == 2
    assert "does not exist" in done.stderr
    assert "\x1b" not in done.stderr


def test_help_imports_nothing_heavy():
    code = """
import sys
from orderedness.cli import main
try:
    main(["measure", "--help"])
except SystemExit:
    pass
import orderedness.measuring
heavy = {"jax", "numpy", "numba", "scipy", "matplotlib", "polars", "networkx"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--self-loops" in done.stdout


def test_measuring_imports_neither_jax_nor_matplotlib(tmp_path):
    np.save(tmp_path / "a.npy", np.eye(3, k=1))
    code = f"""
import sys
from orderedness import measure
assert measure({str(tmp_path / "a.npy")!r}).orderedness == 1
heavy = {{"jax", "matplotlib", "polars", "networkx", "torch", "equinox"}} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
