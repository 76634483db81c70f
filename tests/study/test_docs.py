"""What docs/studies.md shows, works."""

import re
from pathlib import Path

import pytest

from orderedness.study import load_study

PAGE = (Path(__file__).parents[2] / "docs" / "studies.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_file(tmp_path):
    path = tmp_path / "sparsity.toml"
    [text] = blocks("toml")
    path.write_text(text)
    study = load_study(path)
    assert len(study.arms) == 3 * (1 + 3 + 3)
    assert study.record.nulls == ("entries",)


@pytest.mark.parametrize("code", blocks("python"))
def test_the_examples(code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = re.sub(r"\b1000\b", "4, block=4", code).replace("100)", "4, block=4)")
    exec(compile(code, "studies.md", "exec"), {})
    assert (tmp_path / "results" / "store" / "store.json").exists()
