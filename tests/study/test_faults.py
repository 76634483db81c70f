"""A real scheduler and real workers on loopback, some of which are killed, slow or odd.

`pytest tests/study/test_faults.py -rP` shows the figures.
"""

import collections
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from orderedness.cli import main
from orderedness.pruning import CustomPruning, TopK
from orderedness.study import (
    FailedError,
    Store,
    Study,
    UnlikeError,
    cluster,
    load_study,
    named,
    run_study,
)
from orderedness.training import Experiment, xor

HERE = Path(__file__).parent
STUDY = """
[study]
name = "file"
networks = 600
block = 32
[grid]
task = "xor"
epochs = 300
pruner = ["none", "topk", "dynamic-topk"]
sparsity = 0.5
"""


class Fleet:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.writes = folder / "writes"
        self.on = f"dask://127.0.0.1:{self.port}"
        self.begin()

    def begin(self):
        self.scheduler = self._start("dask_scheduler", "--port", self.port, "--no-dashboard")

    def worker(self, **odd):
        preload = ("--preload", HERE / "odd_worker.py", "--no-nanny", "--nthreads", 1)
        told = {name: str(value) for name, value in odd.items()} | {"WRITES": str(self.writes)}
        return self._start("dask_worker", f"127.0.0.1:{self.port}", *preload, **told)

    def _start(self, what, *arguments, **told):
        command = [sys.executable, "-m", f"distributed.cli.{what}", "--host", "127.0.0.1"]
        command += ["--dashboard-address", "127.0.0.1:0"] if what == "dask_worker" else []
        return subprocess.Popen(
            [*command, *map(str, arguments)],
            env=os.environ | told,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def wait_for(self, workers):
        """Until there are this many."""
        with cluster(self.on) as found:
            until(lambda: len(found.client.nthreads()) == workers)

    def figures(self, folder, faults):
        """Check that nothing was lost, or written over; tell."""
        parts = [part.name for part in Store(folder).parts()]
        written = collections.Counter(self.writes.read_text().split())
        lost, twice = set(written) - set(parts), written.total() - len(written)
        print(f"{faults}; {len(parts)} blocks, {len(lost)} lost, {twice} computed twice")
        self.writes.unlink()
        assert not lost
        return twice


def until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to this"
        time.sleep(0.02)


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    with contextlib.ExitStack() as stack:
        started = Fleet(tmp_path_factory.mktemp("fleet"))
        real = started._start

        def start(*told, **odd):
            process = real(*told, **odd)
            stack.callback(kill, process)
            return process

        started._start = start
        stack.callback(kill, started.scheduler)
        yield started


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "file.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="module")
def undisturbed(study, tmp_path_factory):
    return run_study(load_study(study), tmp_path_factory.mktemp("undisturbed"))


def failing(weights, progress, key):
    raise ArithmeticError("this one never works")


def client(study, store, fleet):
    """A client of its own process."""
    command = [str(Path(sys.executable).with_name("orderedness")), "run", str(study)]
    return subprocess.Popen(
        [*command, "--store", str(store), "--on", fleet.on],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def parts(store):
    return len(list(Store(store).parts()))


@pytest.fixture(scope="module")
def workers(fleet):
    """The usual two, one of them slow."""
    found = [fleet.worker(), fleet.worker(SLOW=0.3)]
    fleet.wait_for(2)
    return found


def test_a_worker_killed_a_slow_one_and_a_task_that_always_fails(
    fleet, workers, study, undisturbed, tmp_path
):
    good = load_study(study)
    bad = CustomPruning(named("failing", 1, lambda weights, progress, key: 1 / 0))
    labels = dict(good.arms[0].labels) | {"pruner": "failing"}
    extra = (labels, Experiment(xor(epochs=3), pruner=bad))
    arms = [(dict(arm.labels), arm.experiment) for arm in good.arms]
    whole = Study("whole", [*arms, extra], good.networks, block=good.block, record=good.record)
    errors = []

    def run():
        with cluster(fleet.on) as executor:
            try:
                run_study(whole, tmp_path, executor=executor)
            except FailedError as error:
                errors.append(error)

    running = threading.Thread(target=run)
    running.start()
    until(lambda: parts(tmp_path) >= 5)
    kill(workers[0])
    at = parts(tmp_path)
    workers[0] = fleet.worker()
    running.join()
    [error] = errors
    assert at < len(good.blocks())
    assert {(f.start, f.stop) for f in error.failures} == {
        (b.start, b.stop) for b in (block.seeds for block in whole.blocks()[-19:])
    }
    assert all("ZeroDivisionError" in f.reason and f.tries == 3 for f in error.failures)
    assert Store(tmp_path).missing(good) == []
    assert Store(tmp_path).table(good).equals(undisturbed)
    faults = f"1 worker killed, 1 slow, {len(error.failures)} blocks failed 3 times each"
    assert fleet.figures(tmp_path, faults) == 0


def test_the_client_is_killed_and_run_again(fleet, workers, study, undisturbed, tmp_path, capsys):
    process = client(study, tmp_path, fleet)
    until(lambda: parts(tmp_path) >= 3)
    kill(process)
    at = parts(tmp_path)
    assert main(["run", str(study), "--store", str(tmp_path), "--on", fleet.on]) == 0
    told = capsys.readouterr().out
    found = int(told.partition(" networks were in")[0].split()[-1])
    assert 3 * 32 <= at * 32 <= found < 3 * 608
    assert Store(tmp_path).table(load_study(study)).equals(undisturbed)
    # What the workers were at when the client died may be finished by them and by others.
    assert fleet.figures(tmp_path, "1 client killed") <= 2 * len(workers)


def test_workers_that_are_not_alike_are_refused(fleet, workers, tmp_path):
    task = xor(epochs=3)
    arms = {"dense": Experiment(task), "topk": Experiment(task, pruner=TopK(0.5))}
    small = Study("small", arms, 128, block=4)
    for odd, message in (
        ({"VERSION": "9.9"}, r"worker tcp://127.0.0.1:\d+ has orderedness 9.9, but this client"),
        ({"DEVICE": "nvidia-h200"}, r"computes on .*, but others on .* allow --mixed-devices"),
    ):
        process = fleet.worker(**odd)
        fleet.wait_for(3)
        with cluster(fleet.on) as executor, pytest.raises(UnlikeError, match=message):
            run_study(small, tmp_path, executor=executor)
        if "VERSION" in odd:
            kill(process)
            fleet.wait_for(2)
    with cluster(fleet.on) as executor:
        table = run_study(small, tmp_path, executor=executor, mixed_devices=True)
    assert table.select("arm", "seed").n_unique() == table.height == 256
    assert len(set(table["device"])) >= 1
    plain = run_study(small, tmp_path / "here")
    assert table.drop("device").equals(plain.drop("device"))
    kill(process)
    fleet.wait_for(2)
    fleet.writes.unlink(missing_ok=True)


def test_the_scheduler_is_killed_and_started_again(fleet, workers, study, undisturbed, tmp_path):
    process = client(study, tmp_path, fleet)
    until(lambda: parts(tmp_path) >= 3)
    kill(fleet.scheduler)
    told = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert "the connection to the scheduler was lost; everything finished is in the" in told
    assert "Traceback" not in told
    at = parts(tmp_path)
    for worker in workers:
        kill(worker)
    assert at < len(load_study(study).blocks())
    fleet.begin()
    fleet.worker()
    process = client(study, tmp_path, fleet)
    told, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert Store(tmp_path).table(load_study(study)).equals(undisturbed)
    assert fleet.figures(tmp_path, "1 scheduler killed, 2 workers with it") <= len(workers)
    kill(fleet.scheduler)
    begun = time.monotonic()
    with pytest.raises(ConnectionError, match="no scheduler answers there"), cluster(fleet.on):
        pass
    assert time.monotonic() - begun < 60
