"""Real processes on one store: killed at any moment, resumed, and two at once."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from orderedness.pruning import DynamicTopK, TopK
from orderedness.study import Record, Store, Study, run_study
from orderedness.training import Experiment, xor

SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from test_kill import study
from orderedness.study import run_study
run_study(study(), {store!r})
print("finished")
"""


def study():
    task = xor(epochs=400)
    arms = {
        "dense": Experiment(task),
        "topk": Experiment(task, pruner=TopK(0.5)),
        "dynamic": Experiment(task, pruner=DynamicTopK(0.5)),
    }
    return Study("killed", arms, networks=500, block=32, record=Record(loss_every=50))


def start(store):
    code = SCRIPT.format(here=str(Path(__file__).parent), store=str(store))
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def parts(store):
    """Every finished part, and what would differ if it were written again."""
    paths = (Path(store) / part.name for part in Store(store).parts())
    told = ((path, path.stat()) for path in paths)
    return {path.name + path.parts[-3]: (s.st_ino, s.st_mtime_ns) for path, s in told}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return run_study(study(), tmp_path_factory.mktemp("undisturbed"))


def test_killed_at_any_moment_nothing_finished_is_lost_or_computed_again(tmp_path, undisturbed):
    chance = random.Random()
    total = len(study().blocks())
    finished = {}
    killed_in_the_middle = 0
    for _ in range(2):
        process = start(tmp_path)
        goal = len(finished) + chance.randrange(1, total // 3)
        while process.poll() is None and len(parts(tmp_path)) < goal:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = parts(tmp_path)
        assert finished.items() <= now.items()
        killed_in_the_middle += len(finished) < len(now) < total
        finished = now
    assert killed_in_the_middle >= 1
    process = start(tmp_path)
    assert process.communicate()[0] == "finished\n"
    now = parts(tmp_path)
    assert finished.items() <= now.items()
    assert len(now) == total
    assert Store(tmp_path).table(study()).equals(undisturbed)


def test_two_processes_on_one_store_do_not_harm_each_other(tmp_path, undisturbed):
    processes = [start(tmp_path) for _ in range(2)]
    for process in processes:
        told, errors = process.communicate()
        assert told == "finished\n", errors
    assert len(parts(tmp_path)) == len(study().blocks())
    assert Store(tmp_path).table(study()).equals(undisturbed)
    assert not list(tmp_path.rglob("*.partial"))
    assert not list(tmp_path.rglob("*.damaged"))
