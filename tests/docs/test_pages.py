"""What the pages show, works: Python runs, commands are understood, links lead somewhere."""

import doctest
import importlib.util
import re
import shlex
import subprocess

import pytest
import yaml
from pages import PAGES, ROOT, blocks, links

import orderedness
from orderedness import cli
from orderedness.commands.paper import Paper
from orderedness.commands.train import Train
from orderedness.explorer.command import Explore
from orderedness.measuring.command import Measure
from orderedness.study import load_study
from orderedness.study.command import Results, Run

SYNAPSES = "source,target,weight\nAVA,DA1,5\nDA1,AVA,1\nAVA,AVB,2\n"
COMMANDS = [
    (block, line)
    for block in blocks("sh")
    for line in block.code.splitlines()
    if line.startswith("orderedness ") and "--version" not in line
]


def same(shown, printed):
    return doctest.OutputChecker().check_output(
        shown, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )


@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_python(block, tmp_path, monkeypatch, capsys):
    if "import torch" in block.code and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "synapses.csv").write_text(SYNAPSES)
    exec(compile(block.smaller, str(block), "exec"), {"__name__": "example"})
    printed = capsys.readouterr().out
    assert printed or "print(" not in block.code
    if block.shown is not None:
        assert block.smaller == block.code, "what is printed must not depend on what is left out"
        assert same(block.shown, printed), printed


def test_examples_of_own_parts_are_short():
    lengths = [len(b.code.splitlines()) for b in blocks("python") if b.page == "docs/extending"]
    assert len(lengths) == 5
    assert max(lengths) < 30


@pytest.mark.parametrize("block", blocks("toml"), ids=str)
def test_study_files(block, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(block.code)
    study = load_study(path)
    assert len(study.arms) == 3 * (1 + 3 + 3)
    assert study.record.nulls == ("entries",)


@pytest.mark.parametrize(("block", "line"), COMMANDS, ids=str)
def test_commands_are_understood(block, line, monkeypatch):
    ran = []
    for command in (Explore, Measure, Paper, Results, Run, Train):
        monkeypatch.setattr(command, "run", lambda self: ran.append(self) or 0)
    assert cli.main(shlex.split(line, comments=True)[1:]) == 0
    assert len(ran) == 1


def test_make_targets_exist():
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
    named = [
        name for block in blocks("sh") for name in re.findall(r"^make (\w+)", block.code, re.M)
    ]
    assert {"setup", "paper", "test", "docs"} <= set(named) <= set(targets)


def test_the_first_measurement_says_what_the_start_page_shows(tmp_path, monkeypatch, capsys):
    [block] = [b for b in blocks("sh") if b.page == "docs/start" and "printf" in b.code]
    write, command = block.code.splitlines()
    subprocess.run(write, shell=True, cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    assert cli.main(shlex.split(command)[1:]) == 0
    printed = capsys.readouterr().out
    [shown] = [b.code for b in blocks("text") if b.page == "docs/start" and "certified" in b.code]
    assert same(f"...{shown}...", printed), printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in links(page):
        path = link.partition("#")[0]
        assert not path or (page.parent / path).exists(), link


def test_versions_agree():
    version = orderedness.__version__
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["version"] == version
    assert cited["preferred-citation"]["title"] in (ROOT / "README.md").read_text()
    latest = re.search(r"^## .*$", (ROOT / "CHANGELOG.md").read_text(), re.M)[0]
    assert version in latest
