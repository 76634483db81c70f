"""Imports flow one way, and what is light stays light."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import orderedness

SOURCE = Path(orderedness.__file__).parent

# What each part may know of the others.
MAY_IMPORT = {
    "network": set(),
    "pruning": set(),
    "ordering": set(),
    "measuring": {"ordering"},
    "training": {"network", "pruning", "ordering"},
    "study": {"network", "pruning", "ordering", "training"},
    "paper": {"network", "pruning", "ordering", "training", "study"},
    "report": {"network", "pruning", "ordering", "training", "study", "paper"},
    "explorer": {"network", "pruning", "ordering", "training", "study", "paper", "measuring"},
}
SHARED = {"_checks", "_files", "_lazy", "_version"}


def parts_imported(file: Path) -> set[str]:
    names = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    ours = [name.split(".") for name in names if name.split(".")[0] == "orderedness"]
    return {path[1] for path in ours if len(path) > 1}


@pytest.mark.parametrize("part", sorted(MAY_IMPORT))
def test_imports_flow_one_way(part):
    for file in (SOURCE / part).rglob("*.py"):
        foreign = parts_imported(file) - {part} - SHARED - MAY_IMPORT[part]
        assert not foreign, f"{file.relative_to(SOURCE)} may not import {sorted(foreign)}"


def test_the_explorer_uses_public_names_only():
    for file in (SOURCE / "explorer").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                assert not any(alias.name.startswith("orderedness") for alias in node.names)
            if not isinstance(node, ast.ImportFrom) or not node.module.startswith("orderedness"):
                continue
            path = node.module.split(".")[1:]
            if not path or path[0] in SHARED | {"explorer"}:
                continue
            public = importlib.import_module(f"orderedness.{path[0]}").__all__
            for alias in node.names:
                assert len(path) == 1, f"{file.name} imports from {node.module}"
                assert alias.name in public, f"{file.name} imports {alias.name} of {node.module}"


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def test_measuring_does_not_import_jax():
    code = "import sys, orderedness.ordering; print('jax' in sys.modules)"
    assert run_python(code).stdout.strip() == "False"


def test_the_core_needs_only_the_core_libraries():
    """`network`, `pruning`, `ordering` and `training` work without the rest being installed."""
    code = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("tyro", "rich", "matplotlib", "highspy", "networkx", "igraph",
                                  "polars", "plotly", "pandas", "torch"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
import orderedness.network, orderedness.pruning, orderedness.ordering, orderedness.training
from orderedness import Experiment, TopK, orderedness, train, xor
outcome = train(Experiment(xor(epochs=2), pruner=TopK(0.5)), [0])
print(orderedness(outcome.final.weights, outputs=1).value.shape)
"""
    done = run_python(code)
    assert done.stdout.strip() == "(1,)", done.stderr


def test_help_and_version_import_nothing_heavy():
    code = """
import sys
from orderedness.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
main(["--version"])
heavy = {"jax", "numpy", "numba", "scipy", "matplotlib", "polars"} & set(sys.modules)
assert not heavy, heavy
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert "paper" in done.stdout
    assert orderedness.__version__ in done.stdout


def test_every_public_name_is_there():
    for name in orderedness.__all__:
        assert getattr(orderedness, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = orderedness.nonsense
