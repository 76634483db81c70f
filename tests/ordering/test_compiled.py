"""Where compiled code is kept, and that a damaged cache costs time but no error."""

import os
import subprocess
import sys

PROGRAM = """
import numba, numpy as np
before = numba.config.CACHE_DIR
from orderedness.ordering.population_dp import lower_sum
assert numba.config.CACHE_DIR == before
assert lower_sum(np.ones((3, 3)), np.arange(3)) == 3.0
print(sum(lower_sum.stats.cache_hits.values()))
"""


def hits(**variables):
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | variables
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return int(run.stdout)


def test_code_is_kept_in_the_cache_folder_and_damage_is_forgiven(tmp_path):
    place = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    assert hits(**place) == 0
    kept = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert kept
    assert all("numba" in file.parts and "orderedness" in file.parts for file in kept)
    assert hits(**place) == 1
    for file in kept:
        file.write_bytes(b"damaged")
    assert hits(**place) == 0
    assert hits(**place) == 1


def test_the_users_own_folder_wins(tmp_path):
    assert hits(NUMBA_CACHE_DIR=str(tmp_path / "own"), XDG_CACHE_HOME=str(tmp_path / "x")) == 0
    assert list((tmp_path / "own").rglob("*.nbi"))
    assert not (tmp_path / "x").exists()


def test_a_cache_that_is_no_folder_is_not_fatal(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert hits(NUMBA_CACHE_DIR=str(tmp_path / "file"), HOME=str(tmp_path / "file")) >= 0
