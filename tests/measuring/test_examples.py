"""The examples run, and the page about measuring names everything."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FIXTURES = Path(__file__).parent / "fixtures"
PAGE = ROOT / "docs" / "measure.md"


def run_example(name, monkeypatch, *arguments):
    path = ROOT / "examples" / name
    monkeypatch.setattr(sys, "argv", [str(path), *map(str, arguments)])
    runpy.run_path(str(path), run_name="__main__")


def test_torch_rnn_from_a_file(monkeypatch, capsys):
    run_example("torch_rnn.py", monkeypatch, FIXTURES / "lstm.safetensors")
    shown = capsys.readouterr().out
    assert "lstm.safetensors: O = 0.685 (certified)" in shown
    assert "gate forget" in shown


def test_torch_rnn_trained_here(monkeypatch, capsys):
    pytest.importorskip("torch")
    run_example("torch_rnn.py", monkeypatch)
    assert "trained: O = " in capsys.readouterr().out


def test_worm(monkeypatch, capsys, tmp_path):
    rng = np.random.default_rng(0)
    synapses = tmp_path / "synapses.csv"
    pairs = rng.integers(0, 12, size=(40, 2))
    synapses.write_text("".join(f"N{a},N{b},{rng.integers(1, 9)}\n" for a, b in pairs))
    run_example("worm.py", monkeypatch, synapses, tmp_path / "worm.png")
    shown = capsys.readouterr().out
    assert "certified" in shown
    assert "degrees: " in shown
    assert (tmp_path / "worm.png").exists()
    with pytest.raises(SystemExit, match=r"synapses\.csv"):
        run_example("worm.py", monkeypatch)


def test_prune_your_own(monkeypatch, capsys):
    run_example("prune_your_own.py", monkeypatch, 20)
    shown = capsys.readouterr().out
    assert "DynamicTopK" in shown
    assert shown.count("gate update") == 2


def test_the_page_names_every_option_and_measure():
    from orderedness import measure
    from orderedness.measuring import NULL_MODELS
    from orderedness.measuring.readers.read import BY_SUFFIX

    text = PAGE.read_text()
    for word in (*BY_SUFFIX, *NULL_MODELS, *measure([[0, 2], [1, 0]]).measures):
        assert f"`{word}`" in text, word
