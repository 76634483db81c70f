"""What the machine is, or is like, changes no bit and breaks nothing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CODE = """
import hashlib, os, sys
if sys.argv[1] == "one core":
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import jax
from orderedness import DynamicTopK, Experiment, sine, train, xor
arms = [Experiment(xor(epochs=40), pruner=DynamicTopK(0.5)), Experiment(sine(epochs=2)),
        Experiment(xor(epochs=10), hidden=60, pruner=DynamicTopK(0.5))]
digest = hashlib.sha256()
for outcome in train(arms, range(700)):
    for array in jax.tree.leaves((outcome.final, outcome.losses, outcome.final_loss)):
        digest.update(array.tobytes())
print(len(jax.local_devices()), digest.hexdigest())
"""


def run(how: str, cache: Path, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, how],
        env=os.environ | {"XDG_CACHE_HOME": str(cache)} | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def usual(cache):
    devices, digest = run("as it is", cache)
    assert devices == "1"
    return digest


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cannot choose cores here")
def test_one_core_gives_the_same_bits(usual, cache):
    assert run("one core", cache) == ["1", usual]


def test_several_devices_give_the_same_bits(usual, cache):
    flags = "--xla_force_host_platform_device_count=3"
    assert run("as it is", cache, XLA_FLAGS=flags) == ["3", usual]


def test_a_broken_cache_is_ignored(usual, cache):
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert files, "programs are kept"
    for path in files:
        path.write_bytes(b"nonsense")
    assert run("as it is", cache) == ["1", usual]


def test_a_cache_that_cannot_be_written_is_ignored(usual):
    assert run("as it is", Path("/dev/null/nowhere")) == ["1", usual]


def test_ctrl_c_stops_cleanly(tmp_path):
    command = [sys.executable, "-m", "orderedness.cli", "train", "--networks", "200000"]
    process = subprocess.Popen(
        [*command, "--out", str(tmp_path / "never.npz")], stderr=subprocess.PIPE, text=True
    )
    time.sleep(6)  # long enough to be training
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.strip().endswith("orderedness: stopped")
    assert "Traceback" not in told
    assert not list(tmp_path.iterdir())
