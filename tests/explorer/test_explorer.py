"""What the page shows, without a browser."""

import csv
import dataclasses
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderedness import orderedness
from orderedness.explorer import PRESETS, Setting, explore, recipe, verdict
from orderedness.explorer.curves import draw_baseline, draw_losses
from orderedness.explorer.distribution import draw_distribution
from orderedness.explorer.drawing import alone, ticks
from orderedness.explorer.export import losses_csv, networks_csv, page_html, weights_csv
from orderedness.explorer.graph import draw_graph, layers
from orderedness.explorer.matrices import draw_matrix
from orderedness.explorer.own_matrix import EXAMPLES, measure_upload
from orderedness.explorer.setting import PRUNERS, TASKS
from orderedness.explorer.watched import watch
from orderedness.explorer.words import MATTERS, kind_of
from orderedness.paper import ROWS, TABLE1, experiments
from orderedness.paper.arms import figure2, figure3, figure5
from orderedness.study import estimate
from orderedness.training import train_baseline, xor_baseline

SMALL = Setting(task="untrained control", networks=40, iterations=1)


@pytest.fixture(scope="module")
def result():
    return explore(SMALL)


def same(one, other):
    parts = ("task", "hidden", "iterations", "weights", "values", "pruner")
    told = [[getattr(e, part) for part in parts] for e in (one, other)]
    return all(
        (a.fingerprint == b.fingerprint) if hasattr(a, "fingerprint") else a == b
        for a, b in zip(*told, strict=True)
    )


def test_every_row_of_table1_has_presets_that_are_its_experiments():
    from orderedness.explorer.presets import _ROWS

    arms = experiments()
    for row in ROWS:
        for column in ("none", "xor", "sine"):
            if (row, column) not in TABLE1:
                continue
            task = {"none": "untrained control", "xor": "XOR", "sine": "Sine"}[column]
            preset = PRESETS[f"Table 1: {_ROWS[row][0]}, {task}"]
            assert same(preset.setting.experiment, arms[row, column]), preset.name
            assert f"{TABLE1[row, column][0]:+.3f}" in preset.note


def test_every_figure_has_presets_that_belong_to_it():
    arms = {"2": list(figure2()), "3": list(figure3()), "5": list(figure5())}
    for figure, found in arms.items():
        presets = [p for name, p in PRESETS.items() if name.startswith(f"Figure {figure}")]
        assert presets
        for preset in presets:
            made = preset.setting.experiment
            assert any(same(made, arm.experiment) for arm in found), preset.name
    assert {p.matrix for p in PRESETS.values() if p.name.startswith("Figure 1")} == set(EXAMPLES)
    assert [p.baseline for p in PRESETS.values() if p.name.startswith("Figure 4")] == [True, True]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"task": "xro"}, "task is 'xro'"),
        ({"pruner": "top"}, "pruner is 'top'"),
        ({"strength": 1.5}, "strength is 1.5"),
        ({"hidden": 0}, "hidden is 0"),
        ({"iterations": 11}, "iterations is 11"),
        ({"networks": 5000}, "networks is 5000"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_impossible_settings_are_explained(wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Setting(**wrong)


def test_a_change_of_strength_needs_no_new_program():
    for pruner in PRUNERS:
        start = Setting(pruner=pruner)
        for change in ({"strength": 0.9}, {"iterations": 7}, {"networks": 8}, {"seed": 4}):
            assert dataclasses.replace(start, **change).program == start.program
        assert dataclasses.replace(start, hidden=6).program != start.program


def test_the_result_is_what_the_library_says(result):
    before = orderedness(np.asarray(result.moments.weights[0]), outputs=1).value
    assert np.allclose(before, result.before[:12])
    assert np.allclose(result.moments.value[-1], result.after[:12])
    assert result.excess == estimate(result.after - result.null.mean)
    assert explore(dataclasses.replace(SMALL)) is result


@given(st.floats(-1, 1), st.floats(0, 0.2))
def test_the_verdict_follows_from_the_interval(low, wide):
    high = low + wide
    kind = kind_of(low, high)
    assert (kind == "chance") == (low > -MATTERS and high < MATTERS)
    if kind in ("more", "slightly more"):
        assert low > 0
    if kind in ("less", "slightly less"):
        assert high < 0
    if kind == "unclear":
        assert low <= 0 <= high
        assert max(-low, high) >= MATTERS


def test_the_sentence_tells_sparsity_from_chance_and_order(result):
    def told(low, high, **setting):
        made = dataclasses.replace(
            result,
            setting=dataclasses.replace(SMALL, **setting),
            excess=dataclasses.replace(result.excess, mean=(low + high) / 2, low=low, high=high),
        )
        return verdict(made).sentence

    assert told(-0.01, 0.01, pruner="top-k").startswith("This is what sparsity alone gives")
    assert told(-0.01, 0.01, pruner="none").startswith("This is what chance alone gives")
    assert told(0.08, 0.12) == "More ordered than chance by 0.100."
    assert told(-0.12, -0.08) == "Less ordered than chance by 0.100."
    assert "train more" in told(-0.1, 0.1)


def test_networks_without_weights_are_undefined_and_said_to_be():
    empty = explore(dataclasses.replace(SMALL, pruner="top-k", strength=1.0))
    assert empty.undefined == 40
    assert verdict(empty).kind == "undefined"
    seen = watch(empty, 0, 1.0)
    for drawn in (
        draw_distribution(empty), draw_losses(empty), draw_graph(seen), draw_matrix(seen, best=True)
    ):  # fmt: skip
        assert "nan" not in re.sub(r"<title>.*?</title>|aria-label=\".*?\"", "", drawn)
        ET.fromstring(drawn)


def test_one_network_is_no_error():
    alone_ = explore(dataclasses.replace(SMALL, networks=1))
    assert "no interval" in verdict(alone_).because
    ET.fromstring(draw_distribution(alone_))
    assert watch(alone_, 11, 1.0).number == 1


@pytest.mark.parametrize("pruner", PRUNERS)
def test_every_figure_is_whole_and_stands_alone(pruner):
    result = explore(dataclasses.replace(SMALL, pruner=pruner))
    seen = watch(result, 3, 1.0)
    figures = [
        draw_distribution(result),
        draw_losses(result),
        draw_matrix(seen, best=False),
        draw_matrix(seen, best=True),
        draw_graph(seen),
    ]
    for drawn in figures:
        element = ET.fromstring(alone(drawn))
        assert element.get("role") == "img"
        assert len(element.get("aria-label")) > 20
        assert "NaN" not in drawn
    cells = [e for e in ET.fromstring(figures[3]).iter() if e.get("class") == "cell"]
    outlined = [e for e in ET.fromstring(figures[3]).iter() if e.get("class") == "back"]
    order = np.abs(seen.weights[seen.order][:, seen.order])
    assert len(cells) == 6 * 8
    assert len(outlined) == np.count_nonzero(np.tril(order, -1))
    page = page_html(result, figures)
    assert not re.findall(r'(?:src|href)="(?!data:|#)', page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_the_histograms_hold_every_network(result):
    told = re.findall(r"<title>O from .*?: ([\d,]+) networks?</title>", draw_distribution(result))
    assert sum(int(count) for count in told) == 3 * 40


def test_layers_run_from_inputs_to_outputs():
    rng = np.random.default_rng(0)
    for _ in range(50):
        weights = rng.normal(size=(7, 9)) * (rng.random((7, 9)) < 0.3)
        order = np.concatenate([[0, 1], 2 + rng.permutation(5)])
        found = layers(weights, order, 2)
        depth = {unit: d for d, layer in enumerate(found) for unit in layer}
        assert sorted(depth) == list(range(9))
        place = {unit: p for p, unit in enumerate(order)}
        assert depth[7] == depth[8] == 0
        assert {depth[0], depth[1]} == {max(depth.values())}
        for to, source in np.argwhere(weights):
            if source >= 7 or (place[source] > place[to] and source >= 2):
                assert depth[source] < depth[to]


def test_tables_hold_what_was_computed(result):
    rows = list(csv.DictReader(io.StringIO(networks_csv(result))))
    assert [float(row["O after"]) for row in rows] == result.after.tolist()
    assert [int(row["seed"]) for row in rows] == result.seeds.tolist()
    assert len(list(csv.reader(io.StringIO(losses_csv(result))))) == 1 + len(result.loss_steps)


def test_downloaded_weights_are_read_and_measured_the_same(result):
    seen = watch(result, 2, 1.0)
    table = weights_csv(seen)
    found = measure_upload("weights.csv", table.encode(), outputs=1)
    assert found.network.units == 6
    assert found.orderedness == pytest.approx(seen.value, abs=1e-6)


@pytest.mark.parametrize("task", TASKS)
def test_the_lines_make_the_experiment(task):
    setting = dataclasses.replace(
        SMALL, task=task, networks=2, pruner="random", initialiser="normal W, zero v"
    )
    made = {}
    lines = recipe(setting).partition("outcome = ")[0]
    exec(compile(lines, "explorer.py", "exec"), made)
    assert same(made["experiment"], setting.experiment)


def test_the_lines_print_what_is_shown(result, capsys):
    exec(compile(recipe(SMALL), "explorer.py", "exec"), {})
    said = capsys.readouterr().out
    assert f"above chance {result.excess}" in said
    assert f"O after {estimate(result.after)}" in said


def test_figure4_is_drawn():
    few = train_baseline(dataclasses.replace(xor_baseline(), epochs=20), range(3))
    assert "3 ordinary MLPs" in draw_baseline(few)
    ET.fromstring(draw_baseline(few))


def test_ticks_are_round_and_inside():
    assert ticks(0.0, 0.0) == [0.0]
    for least, most in ((0.1, 1), (0, 3), (0, 1234)):
        found = ticks(least, most)
        assert least <= min(found)
        assert max(found) <= most
        assert 2 <= len(found) <= 9


@pytest.mark.parametrize(
    ("name", "contents", "message"),
    [
        ("a.pkl", b"x", "a.pkl is of a kind"),
        ("../../etc/passwd", b"x", "passwd is of a kind"),
        ("empty.csv", b"", "empty.csv is empty"),
        ("<b>.csv", b"1,2\n3\n", "_b_.csv"),
        ("object.npy", b"\x93NUMPY\x01\x00garbage", "object.npy"),
        ("big.csv", b"0," * (11 << 20), "at most 20,971,520 here"),
    ],
)
def test_bad_uploads_are_refused_in_a_sentence(name, contents, message):
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        measure_upload(name, contents)
    assert "/tmp" not in str(refused.value)


def test_pickles_are_not_loaded(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"a\.npy"):
        measure_upload("a.npy", path.read_bytes())


def test_too_many_units_are_refused_before_any_work():
    edges = "source,target\n" + "\n".join(f"{k},{k + 1}" for k in range(3000))
    with pytest.raises(ValueError, match="3,001 units"):
        measure_upload("long.csv", edges.encode())
