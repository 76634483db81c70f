"""The store: what it does with damage, full disks, other versions and other devices."""

import dataclasses
import errno
import json
import os
import pathlib
import random
import tempfile
import warnings

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orderedness.pruning import TopK
from orderedness.study import Store, StoreWarning, Study, run_study, setting, this_setting
from orderedness.study import run as running
from orderedness.study import store as storing
from orderedness.study.part import DamagedError, decode
from orderedness.study.results import removable, remove
from orderedness.training import Experiment, xor


def files(store):
    """What is in a store, and what would differ if anything were written again."""
    return {
        path.relative_to(store.where): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in pathlib.Path(store.where).rglob("*")
        if path.is_file() and path.suffix == ".parquet"
    }


DAMAGE = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "cut at the end": lambda data: data[:-1],
    "other bytes": lambda data: b"PAR1" + b"x" * 500 + b"PAR1",
    "text": lambda data: b"no Parquet at all",
    "flipped early": lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
    "flipped later": lambda data: data[:1500] + bytes([data[1500] ^ 0x80]) + data[1501:],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_part_is_named_set_aside_and_computed_again(tmp_path, small, damage):
    store = Store(tmp_path)
    table = run_study(small(), store)
    before = files(store)
    victim = sorted(before)[3]
    path = tmp_path / victim
    path.write_bytes(damage(path.read_bytes()))
    with (
        pytest.warns(StoreWarning, match=str(victim)),
        pytest.raises(ValueError, match="1 of the 12 blocks of study 'small' are not in"),
    ):
        store.table(small())
    aside = path.with_name(path.name + ".damaged")
    assert aside.exists()
    assert run_study(small(), store).equals(table)
    after = files(store)
    assert {name for name in after if after[name] != before[name]} == {victim}
    [item] = removable(store)
    assert tmp_path / item.name == aside
    remove(store, [item])
    assert not aside.exists()


def test_any_flipped_bit_and_any_lost_end_is_found(tmp_path, small, arms):
    run_study(small(arms={"dense": arms["dense"]}, networks=4, block=4), tmp_path)
    data = next(tmp_path.rglob("*.parquet")).read_bytes()
    decode(data)
    chance = random.Random(0)
    for _ in range(2000):
        place, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        flipped = data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]
        for damaged in (flipped, data[:place], data + b"x"):
            with pytest.raises(DamagedError):
                decode(damaged)


def test_a_part_under_another_name_is_not_taken_for_it(tmp_path, small):
    store = Store(tmp_path)
    table = run_study(small(), store)
    first, second = (path for path in sorted(tmp_path.rglob("*.parquet"))[:2])
    second.write_bytes(first.read_bytes())
    with pytest.warns(StoreWarning, match="other networks than its name says"):
        assert run_study(small(), store).equals(table)


def test_a_part_says_what_was_asked_and_where_it_comes_from(tmp_path, small):
    run_study(small(), tmp_path)
    about = decode(next(tmp_path.rglob("*.parquet")).read_bytes())[1]
    assert set(about["provenance"]) >= {"orderedness", "commit", "jax", "numpy", "python"}
    assert about["setting"] == dataclasses.asdict(this_setting())
    assert about["asked"]["record"]["loss_every"] == 2
    assert about["asked"]["experiment"]["task"]["name"] in ("xor", "sine", "untrained")
    assert os.uname().nodename not in json.dumps(about) or len(os.uname().nodename) < 5


def test_a_full_disk_is_a_clear_error_that_leaves_what_is_finished(tmp_path, small, monkeypatch):
    store = Store(tmp_path)
    write = pathlib.Path.write_bytes
    room = [5]

    def full(path, data):
        if "-" in path.name and path.name.endswith(".partial"):
            if room[0] == 0:
                write(path, data[: len(data) // 2])
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            room[0] -= 1
        return write(path, data)

    with monkeypatch.context() as patched:
        patched.setattr(pathlib.Path, "write_bytes", full)
        with pytest.raises(OSError, match=r"the disk is full: .*parquet could not be written"):
            run_study(small(), store)
    finished = files(store)
    assert len(finished) == 5
    assert not list(tmp_path.rglob("*.partial"))
    table = run_study(small(), store)
    assert finished.items() <= files(store).items()
    assert table.equals(run_study(small(), tmp_path / "undisturbed"))


def test_a_store_of_another_version_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "store.json").write_text('{"format": 99}')
    with pytest.raises(ValueError, match=r"has format 99, but this version .* reads format 1"):
        Store(tmp_path)
    (tmp_path / "store.json").write_text("?")
    with pytest.raises(ValueError, match="has format unknown"):
        Store(tmp_path)


def test_a_store_must_be_a_folder(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OSError, match="must be a folder"):
        Store(file)


def as_if(monkeypatch, **changes):
    """Pretend to be another kind of machine or version."""
    other = dataclasses.replace(setting.this_setting(), **changes)
    monkeypatch.setattr(storing, "this_setting", lambda: other)
    monkeypatch.setattr(running, "this_setting", lambda: other)
    return other


def test_parts_of_other_devices_are_told_apart_and_never_mixed(tmp_path, small, monkeypatch):
    here = run_study(small(), tmp_path)
    with monkeypatch.context() as patched:
        other = as_if(patched, device="nvidia-h200")
        with pytest.raises(ValueError, match=r"there are results of cpu-.*, which are never mixed"):
            Store(tmp_path).table(small())
        there = run_study(small(), tmp_path)
    store = Store(tmp_path)
    assert here["device"].unique().to_list() == [this_setting().device]
    assert there["device"].unique().to_list() == ["nvidia-h200"]
    assert store.table(small()).equals(here)
    assert store.table(small(), other.name).equals(there)
    assert len(files(store)) == 24
    with pytest.raises(ValueError, match="setting is 'cuda'"):
        store.table(small(), "cuda")


def test_what_other_versions_computed_is_not_used_and_can_be_cleaned(tmp_path, small, monkeypatch):
    with monkeypatch.context() as patched:
        as_if(patched, versions="r0-jax0.1.0-optax0.1.0")
        run_study(small(), tmp_path)
    store = Store(tmp_path)
    assert len(store.missing(small())) == 12
    run_study(small(), store)
    found = removable(store)
    assert len(found) == 6
    assert all("r0-jax0.1.0" in item.why for item in found)
    remove(store, found)
    assert len(files(store)) == 12
    assert store.missing(small()) == []


def test_files_that_are_being_written_are_not_cleaned_away(tmp_path, small):
    run_study(small(), tmp_path)
    folder = next(tmp_path.rglob("*.parquet")).parent
    young, old = folder / ".0-8.parquet.a.partial", folder / ".0-8.parquet.b.partial"
    for path in (young, old):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    assert [tmp_path / item.name for item in removable(Store(tmp_path))] == [old]


def test_a_damaged_note_of_a_study_is_set_aside(tmp_path, small):
    store = Store(tmp_path)
    run_study(small(), store)
    (tmp_path / "studies" / "small.json").write_text("{}")
    with pytest.warns(StoreWarning, match=r"small.json is damaged"):
        assert store.studies() == {}
    run_study(small(), store)
    assert list(store.studies()) == ["small"]


def test_a_study_is_found_again_without_its_code(tmp_path, small):
    store = Store(tmp_path)
    table = run_study(small(), store)
    assert store.table(store.studies()["small"]).equals(table)


ASKS = st.lists(
    st.tuples(st.sampled_from(["run", "damage", "delete"]), st.integers(1, 30)), max_size=6
)


@settings(max_examples=12, deadline=None)
@given(asks=ASKS, block=st.sampled_from([1, 4, 16]))
def test_whatever_happens_to_a_store_the_table_stays_the_same(asks, block):
    arms = {"dense": Experiment(xor(epochs=2)), "topk": Experiment(xor(epochs=2), pruner=TopK(0.5))}

    def study(networks):
        return Study("s", arms, networks, block=block)

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", StoreWarning)
        store = Store(folder)
        for what, number in asks:
            parts = [pathlib.Path(folder) / part.name for part in store.parts()]
            if what == "run":
                run_study(study(number), store)
            elif parts and what == "delete":
                parts[number % len(parts)].unlink()
            elif parts:
                parts[number % len(parts)].write_bytes(b"PAR1")
        table = run_study(study(30), store)
        assert store.missing(study(30)) == []
    assert table.equals(reference())


def reference(kept=[]):  # noqa: B006  # computed once
    if not kept:
        arms = {
            "dense": Experiment(xor(epochs=2)),
            "topk": Experiment(xor(epochs=2), pruner=TopK(0.5)),
        }
        with tempfile.TemporaryDirectory() as folder:
            kept.append(run_study(Study("s", arms, 30, block=32), folder))
    assert isinstance(kept[0], pl.DataFrame)
    return kept[0]
