import json
import subprocess
import sys
from pathlib import Path

import pytest

import orderedness
from orderedness.cli import main

COMMAND = [str(Path(sys.executable).with_name("orderedness"))]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=300, check=False
    )


def test_version_and_help():
    assert run("--version").stdout.strip() == f"orderedness {orderedness.__version__}"
    done = run("paper", "table1", "--help")
    assert done.returncode == 0
    assert "--replay" in done.stdout


def test_table1_as_json(capsys):
    assert main(["paper", "table1", "--networks", "2", "--json", "--seed", "3"]) == 0
    cells = json.loads(capsys.readouterr().out)
    assert len(cells) == 27
    assert all(len(cell["networks"]) == 2 for cell in cells)


def test_table1_for_people(capsys):
    assert main(["paper", "table1", "--networks", "2", "--shared-mask", "--as", "written"]) == 0
    shown = capsys.readouterr().out
    assert "dynamic tril-damp" in shown
    assert "one mask shared by all networks" in shown
    assert "0.672 ± 0.050" in shown


def test_replay_says_that_all_cells_match(capsys):
    assert main(["paper", "table1", "--replay"]) == 0
    shown = capsys.readouterr().out
    assert "27 of the 27 printed cells match" in shown
    assert "differs" not in shown


def test_figure1(tmp_path, capsys):
    assert main(["paper", "figure1", "--out", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure1.pdf", "figure1.png"]
    assert str(tmp_path / "figure1.png") in capsys.readouterr().out


def test_train(tmp_path, capsys):
    arguments = ["train", "--task", "xor", "--pruner", "dynamic-topk", "--networks", "3"]
    assert main([*arguments, "--out", str(tmp_path / "w.npz"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["after"]) == 3
    assert main(arguments) == 0
    assert "orderedness" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["paper", "table1", "--networks", "0"], "networks is 0"),
        (["paper", "table1", "--seed", "-1"], "seed is -1"),
        (["paper", "figure1", "--out", "/dev/null/here"], "/dev/null/here"),
        (["paper", "figure2", "--replay"], "belong to table1"),
        (["paper", "--networks", "2", "--out", "/dev/null/here"], "/dev/null/here"),
        (["run", "nowhere.toml"], "nowhere.toml: No such file"),
        (["train", "--task", "xro"], "task is 'xro'"),
        (["train", "--pruner", "top"], "pruner is 'top'"),
        (["train", "--sparsity", "2"], "sparsity is 2.0"),
        (["train", "--hidden", "-1"], "hidden is -1"),
        (["train", "--iterations", "0"], "iterations is 0"),
        (["train", "--networks", "0"], "networks is 0"),
        (["train", "--seed", "-1"], "seeds[0] is -1"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_unknown_commands_and_flags_exit_with_2():
    for arguments in (["papers"], ["paper", "table2"], ["paper", "table1", "--net", "x"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
