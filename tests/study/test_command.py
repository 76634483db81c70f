"""`orderedness run` and `orderedness results`."""

import subprocess
import sys

import polars as pl
import pytest

from orderedness.cli import main
from orderedness.study import Store

STUDY = """
[study]
name = "short"
networks = 6
block = 4
[grid]
task = ["xor", "untrained"]
epochs = 3
pruner = ["none", "topk"]
sparsity = [0.5, 1.0]
"""


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text(STUDY)
    return str(path)


@pytest.fixture
def store(tmp_path):
    return str(tmp_path / "store")


def test_run_list_export_clean(tmp_path, study, store, capsys):
    assert main(["run", study, "--store", store]) == 0
    shown = capsys.readouterr().out
    assert "undefined" in shown
    assert "0 networks were in" in shown
    assert "48 were computed" in shown
    assert main(["run", study, "--store", store, "--networks", "9"]) == 0
    assert "24 were computed" in capsys.readouterr().out

    assert main(["results", "list", "--store", store]) == 0
    shown = capsys.readouterr().out
    assert "short" in shown
    assert "18 of 18" in shown

    for name in ("t.csv", "t.parquet"):
        out = tmp_path / "new" / name
        assert main(["results", "export", str(out), "--store", store]) == 0
        read = pl.read_csv if out.suffix == ".csv" else pl.read_parquet
        table = read(out)
        assert table.height == 6 * 9
        assert table["sparsity"].null_count() == 2 * 9
    assert "54 networks" in capsys.readouterr().out

    part = tmp_path / "store" / next(Store(store).parts()).name
    part.write_bytes(b"?")
    assert main(["results", "export", str(tmp_path / "u.csv"), "--store", store]) == 2
    assert part.name in capsys.readouterr().err
    assert not (tmp_path / "u.csv").exists()
    for flags in (["--dry-run"], []):
        assert main(["results", "clean", "--store", store, *flags]) == 0
        assert f"{part.name}.damaged: damaged, 1 B" in capsys.readouterr().out
    assert main(["results", "clean", "--store", store]) == 0
    assert "0 removed" in capsys.readouterr().out
    assert main(["results", "list", "--store", store]) == 0
    assert "17 of 18" in capsys.readouterr().out

    (tmp_path / "store" / next(Store(store).parts()).name).write_bytes(b"?")
    assert main(["run", study, "--store", store, "--networks", "9"]) == 0
    told = capsys.readouterr()
    assert "is damaged" in told.err
    assert f"{16 * 4} networks were in" in told.out
    assert "8 were computed" in told.out


def test_one_of_several_studies_must_be_named(tmp_path, study, store, capsys):
    other = tmp_path / "other.toml"
    other.write_text(STUDY.replace("short", "other"))
    for path in (study, str(other)):
        assert main(["run", path, "--store", store]) == 0
    out = str(tmp_path / "t.csv")
    for flags, message in (
        ([], "holds 2 studies, so one must be named: other, short"),
        (["--study", "othr"], "did you mean 'other'"),
        (["--study", "other", "--setting", "x"], "setting is 'x'"),
    ):
        assert main(["results", "export", out, "--store", store, *flags]) == 2
        assert message in capsys.readouterr().err
    assert main(["results", "export", out, "--store", store, "--study", "other"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "none.toml"], "none.toml"),
        (["run", "STUDY", "--networks", "0"], "networks is 0"),
        (["run", "STUDY", "--seed", "-1"], "seed is -1"),
        (["run", "STUDY", "--store", "/dev/null"], "must be a folder"),
        (["run", "STUDY", "--store", "/dev/null/here"], "/dev/null"),
        (["results", "list", "--store", "none"], "store is 'none', but there is no store"),
        (["results", "clean", "--store", "none"], "there is no store"),
        (["results", "export", "a.txt", "--store", "none"], "must end in .csv or .parquet"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(study, arguments, message, capsys):
    assert main([study if word == "STUDY" else word for word in arguments]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.strip().splitlines()) == 1


def test_an_empty_store_and_an_output_that_cannot_be_written(tmp_path, study, store, capsys):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "store.json").write_text('{"format": 1}')
    assert main(["results", "export", str(tmp_path / "t.csv"), "--store", store]) == 2
    assert "holds no study" in capsys.readouterr().err
    assert main(["run", study, "--store", store]) == 0
    capsys.readouterr()
    assert main(["results", "export", "/dev/null/t.csv", "--store", store]) == 2
    assert "/dev/null" in capsys.readouterr().err


def test_asking_for_help_imports_nothing_heavy():
    code = """
import sys
from orderedness.cli import main
for arguments in (["run", "--help"], ["results", "export", "--help"]):
    try:
        main(arguments)
    except SystemExit:
        pass
heavy = {"jax", "numpy", "numba", "polars"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--store" in done.stdout
