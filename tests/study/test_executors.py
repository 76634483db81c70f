"""Any executor computes a study: what it gives, what it retries, whom it refuses."""

import contextlib
import dataclasses
import importlib.util
import multiprocessing
import sys
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures import ThreadPoolExecutor as Threads

import pytest

from orderedness.cli import main
from orderedness.pruning import CustomPruning
from orderedness.study import (
    FailedError,
    Store,
    StoreWarning,
    Study,
    UnlikeError,
    cluster,
    dask_cluster,
    greeting,
    named,
    packing,
    run_study,
    worker,
)
from orderedness.study import run as running
from orderedness.study import setting as settings
from orderedness.study import store as storing
from orderedness.study.describe import describe
from orderedness.training import Experiment, xor


class Here(Executor):
    """Calls at once, in this process; `before` is called with the number of the call."""

    def __init__(self, before=lambda number: None):
        self.before, self.calls = before, 0

    def submit(self, function, /, *arguments, **keywords):
        future = Future()
        try:
            self.before(self.calls)
            self.calls += 1
            future.set_result(function(*arguments, **keywords))
        except Exception as error:
            future.set_exception(error)
        return future


def failing(weights, progress, key):
    raise ArithmeticError("this one never works")


def test_threads_give_the_same_bits_and_compute_what_is_missing(tmp_path, small):
    table = run_study(small(), tmp_path / "here")
    with Threads(3) as threads:
        for networks, found in ((3, 0), (10, 6 * 8)):
            seen = []
            study = small(networks=networks)
            there = run_study(study, tmp_path / "there", seen.append, threads)
            assert seen[0] == found
            assert sum(seen) == study.size
    assert there.equals(table)
    calls = Here()
    assert run_study(small(), tmp_path / "there", executor=calls).equals(table)
    assert calls.calls == 1  # the greeting


def test_a_spawned_pool_gives_the_same_bits(tmp_path, small, arms):
    study = small(arms={"topk": arms["topk"], "sine": arms["sine"]})
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        table = run_study(study, tmp_path / "pool", executor=pool)
    assert table.equals(run_study(study, tmp_path / "here"))


def test_what_no_store_can_hold_travels(tmp_path, arms):
    mine = Experiment(xor(epochs=3), pruner=CustomPruning(lambda w, x, key: w / 2))
    study = Study("s", {"mine": mine, "topk": arms["topk"]}, 5, block=8)
    with pytest.warns(StoreWarning, match="not stored"):
        here = run_study(study, tmp_path / "here")
    with pytest.warns(StoreWarning, match="not stored"):
        there = run_study(study, tmp_path / "there", executor=Here())
    assert there.equals(here)
    assert len(list(Store(tmp_path / "there").parts())) == 1


def test_what_always_fails_is_told_after_three_tries_and_the_rest_is_finished(tmp_path, arms):
    bad = Experiment(xor(epochs=3), pruner=CustomPruning(named("failing", 1, failing)))
    study = Study("s", {"bad": bad, "topk": arms["topk"]}, 20, block=8)
    with pytest.raises(FailedError) as told:
        run_study(study, tmp_path, executor=Here())
    assert "3 of the 6 blocks of study 's' failed, all others are stored" in str(told.value)
    assert "arm {'arm': 'bad'}, seeds 0 to 7, tried 3 times" in str(told.value)
    assert "this one never works" in str(told.value)
    assert {(f.start, f.stop, f.tries) for f in told.value.failures} == {
        (0, 8, 3),
        (8, 16, 3),
        (16, 24, 3),
    }
    assert len(list(Store(tmp_path).parts())) == 3
    rest = Study("s", {"topk": arms["topk"]}, 20, block=8)
    assert Store(tmp_path).missing(rest) == []


def test_what_fails_now_and_then_is_tried_again(tmp_path, small, monkeypatch):
    real, computed, calls = worker.compute, [], []

    def moody(blocks, record):
        calls.append(len(blocks))
        for number, (block, rows) in enumerate(real(blocks, record)):
            if len(calls) == 1 and number == 2:
                raise RuntimeError("lost its thread")
            computed.append(block.place)
            yield block, rows

    monkeypatch.setattr(worker, "compute", moody)
    study = small(networks=80)
    table = run_study(study, tmp_path / "there", executor=Here())
    assert calls[0] > 3
    # What was stored before the error was found again, and not computed twice.
    assert len(computed) == len(set(computed)) == len(study.blocks())
    assert table.equals(run_study(study, tmp_path / "here"))


def test_a_store_that_cannot_be_written_stops_the_run(tmp_path, small, monkeypatch):
    def full(store, block, record, rows):
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "write", full)
        calls = Here()
        with pytest.raises(OSError, match="the disk is full"):
            run_study(small(), tmp_path, executor=calls)
    assert run_study(small(), tmp_path, executor=Here()).height == 60


def test_workers_that_are_gone_are_told_of(tmp_path, small):
    def gone(number):
        if number > 2:
            raise BrokenExecutor("a process died")

    with pytest.raises(ConnectionError, match=r"the workers are gone .a process died.; every"):
        run_study(small(), tmp_path, executor=Here(gone))
    assert 0 < len(list(Store(tmp_path).parts())) < 12


def pretend(monkeypatch, device):
    other = dataclasses.replace(settings.this_setting(), device=device)
    for module in (greeting, storing, running):
        monkeypatch.setattr(module, "this_setting", lambda: other)


def test_workers_of_another_kind_than_the_client(tmp_path, small, monkeypatch):
    """The client has no part in the results: its own device does not matter."""
    with monkeypatch.context() as patched:
        calls = Here(lambda number: pretend(patched, "nvidia-h200"))
        table = run_study(small(), tmp_path, executor=calls)
    assert table["device"].unique().to_list() == ["nvidia-h200"]
    again = Here(lambda number: pretend(monkeypatch, "nvidia-h200"))
    assert run_study(small(), tmp_path, executor=again).equals(table)
    assert again.calls == 1


def test_devices_of_several_kinds_are_refused_unless_asked_for(tmp_path, small, monkeypatch):
    def in_turn(number):
        pretend(monkeypatch, ["cpu-one", "cpu-other"][number % 2])

    ask = r"computes on cpu-other, but others on cpu-one, which .* --mixed-devices"
    with pytest.raises(UnlikeError, match=ask):
        run_study(small(), tmp_path, executor=Here(in_turn))
    table = run_study(small(), tmp_path, executor=Here(in_turn), mixed_devices=True)
    assert set(table["device"]) == {"cpu-one", "cpu-other"}
    monkeypatch.undo()
    here = run_study(small(), tmp_path / "here")
    assert table.drop("device").equals(here.drop("device"))
    store = Store(tmp_path)
    one = dataclasses.replace(settings.this_setting(), device="cpu-one").name
    with pytest.raises(ValueError, match="are not in"):
        store.table(small(), one)
    both = store.table(small(), one, mixed_devices=True)
    assert both.drop("device").equals(table.drop("device"))


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("orderedness", "9.9"), ("jax", "0.1"), ("results", "0"), ("commit", "a"), ("python", "3.1")],
)
@pytest.mark.parametrize("joins", [0, 2])
def test_other_versions_are_refused_naming_both(tmp_path, small, monkeypatch, name, theirs, joins):
    """Whether it is there from the beginning or joins later."""
    told = {**settings.provenance(), "results": "1", "commit": "b"}
    greet = greeting.greeting()

    def joining(number):
        found = {**told, name: theirs} if number >= joins else told
        changed = dataclasses.replace(greet, versions=found)
        monkeypatch.setattr(worker, "greeting", lambda: changed)
        monkeypatch.setattr(greeting, "greeting", lambda: changed)

    here = dataclasses.replace(greet, versions=told)
    monkeypatch.setattr("orderedness.study.crew.greeting", lambda: here)
    ours = told[name].rpartition(".")[0] if name == "python" else told[name]
    with pytest.raises(UnlikeError, match=rf"worker has {name} {theirs}, but .* has {name} {ours}"):
        run_study(small(), tmp_path, executor=Here(joining))


def test_a_worker_that_does_not_see_the_store_is_refused(tmp_path, small, monkeypatch):
    real = greeting.files_at
    monkeypatch.setattr(greeting, "files_at", lambda where: real(tmp_path / "elsewhere"))
    with pytest.raises(UnlikeError, match=r"a worker does not see the store .*here"):
        run_study(small(), tmp_path / "here", executor=Here())


def test_a_worker_that_lacks_this_package_is_refused(tmp_path, small):
    def lacking(number):
        raise ModuleNotFoundError("No module named 'orderedness'")

    with pytest.raises(UnlikeError, match=r"a worker cannot work with this client .Mod"):
        run_study(small(), tmp_path, executor=Here(lacking))


def test_functions_that_no_module_holds_need_cloudpickle(monkeypatch, arms):
    mine = Experiment(xor(epochs=3), pruner=CustomPruning(lambda w, x, key: w / 2))
    assert packing.unpack(packing.pack(mine)).pruner.function(2, None, None) == 1
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    found = importlib.util.spec_from_file_location("packing_alone", packing.__file__)
    alone = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, "packing_alone", alone)
    found.loader.exec_module(alone)
    assert describe(alone.unpack(alone.pack(arms["topk"]))) == describe(arms["topk"])
    with pytest.raises(ValueError, match=r"cannot be sent to other processes .*\[cluster\]"):
        alone.pack(mine)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("local", "on is 'local', but must be local:N"),
        ("local:0", "must be local:N, with N workers, or dask://host:port"),
        ("dask://host", "must be local:N"),
        ("tcp://127.0.0.1:1", "must be local:N"),
    ],
)
def test_clusters_that_will_not_do(where, message, tmp_path, capsys):
    file = tmp_path / "s.toml"
    file.write_text('[grid]\ntask = ["xor"]\nepochs = 2\n')
    assert main(["run", str(file), "--on", where, "--store", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.strip().splitlines()) == 1


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    message = r"pip install 'orderedness\[cluster\]'"
    with pytest.raises(ValueError, match=message), cluster("local:1"):
        pass


def test_table1_alone_is_computed_here(capsys):
    assert main(["paper", "table1", "--on", "local:2"]) == 2
    assert "table1 alone keeps nothing in a store" in capsys.readouterr().err


def test_the_command_line_tells_of_failures_and_exits_with_1(tmp_path, monkeypatch, capsys):
    @contextlib.contextmanager
    def fake(where):
        executor = Here()
        executor.workers = 1
        yield executor

    def broken(blocks, record):
        raise ArithmeticError("no")

    monkeypatch.setattr(dask_cluster, "cluster", fake)
    file = tmp_path / "s.toml"
    file.write_text('[study]\nnetworks = 2\nblock = 2\n[grid]\ntask = ["xor"]\nepochs = 2\n')
    asked = ["run", str(file), "--on", "local:1", "--store", str(tmp_path / "store")]
    with monkeypatch.context() as patched:
        patched.setattr(worker, "compute", broken)
        assert main(asked) == 1
    told = capsys.readouterr().err
    assert "1 of the 1 blocks of study 's' failed" in told
    assert "'task': 'xor'" in told
    assert "seeds 0 to 1, tried 3 times: ArithmeticError: no" in told
    assert main(asked) == 0
    assert "2 were computed" in capsys.readouterr().out
