"""A store in a bucket: a real server that speaks S3, and one that does not always."""

import collections
import random
import sys

import polars as pl
import pytest
from faulty_bucket import KEY, SECRET, faulty_bucket
from test_store import as_if

from orderedness.cli import main
from orderedness.study import Store, StoreWarning, run_study
from orderedness.study import run as running
from orderedness.study import store as storing
from orderedness.study.results import removable, remove

STORE = "s3://results-of-tests/some/store"
STUDY = """
[study]
networks = 6
block = 4
[grid]
task = ["xor", "untrained"]
epochs = 3
pruner = ["none", "topk"]
"""


@pytest.fixture(scope="module")
def server():
    with faulty_bucket("results-of-tests") as found:
        yield found


@pytest.fixture
def bucket(server, monkeypatch):
    """An empty bucket; what the proxy before it does, and a client of its own."""
    address, proxy, client = server
    for name, value in (
        ("AWS_ENDPOINT_URL", address),
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    yield proxy, client
    proxy.__init__()
    for item in objects(client):
        client.delete_object(Bucket="results-of-tests", Key=item)


def objects(client):
    listed = client.list_objects_v2(Bucket="results-of-tests").get("Contents", [])
    return [item["Key"] for item in listed]


def bytes_of(client, key):
    return client.get_object(Bucket="results-of-tests", Key=key)["Body"].read()


def test_a_bucket_holds_what_a_folder_holds(bucket, tmp_path, small):
    _, client = bucket
    table = run_study(small(), tmp_path)
    store = Store(STORE)
    assert not store.exists
    assert run_study(small(), store).equals(table)
    assert store.table(store.studies()["small"]).equals(table)
    here = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {key.removeprefix("some/store/") for key in objects(client)} == here
    assert sorted(part.size for part in store.parts()) == sorted(
        path.stat().st_size for path in tmp_path.rglob("*.parquet")
    )


def test_damage_and_other_versions_in_a_bucket(bucket, small, monkeypatch):
    _, client = bucket
    store = Store(STORE)
    with monkeypatch.context() as patched:
        as_if(patched, versions="r0-jax0.1.0-optax0.1.0")
        run_study(small(), store)
    table = run_study(small(), store)
    victim = sorted(key for key in objects(client) if key.endswith("parquet"))[3]
    assert "r0-" in victim or "r1-" in victim
    ours = next(key for key in objects(client) if storing.this_setting().versions in key)
    client.put_object(Bucket="results-of-tests", Key=ours, Body=b"?")
    with pytest.warns(StoreWarning, match=r"0-8.parquet is damaged .* set aside as"):
        assert run_study(small(), store).equals(table)
    assert ours + ".damaged" in objects(client)
    found = removable(store)
    assert len(found) == 6 + 1
    remove(store, found)
    assert len(list(store.parts())) == 12
    assert removable(store) == []
    assert running.run_study(small(), store).equals(table)


def test_writes_that_fail_or_arrive_twice_lose_and_double_nothing(bucket, tmp_path, small):
    proxy, _ = bucket
    chance = random.Random(0)
    kinds = [None, None, "refuse", "cut", "twice"]
    proxy.faults = lambda method, path: chance.choice(kinds) if method == "PUT" else None
    study = small(networks=40)
    table = run_study(study, STORE)
    proxy.faults = lambda method, path: None
    assert table.equals(run_study(study, tmp_path))
    assert Store(STORE).missing(study) == []
    parts = [part.place for part in Store(STORE).parts()]
    assert len(parts) == len(set(parts)) == len(study.blocks())
    written = {path: times for path, times in proxy.written.items() if "parquet" in path}
    assert sum(times - 1 for times in written.values()) > 0
    assert all(proxy.injected[kind] for kind in ("refuse", "cut", "twice"))
    print(
        f"faults {sum(proxy.injected.values())} {dict(proxy.injected)}; {len(parts)} parts, "
        f"{sum(written.values())} writes; {len(study.blocks()) - len(parts)} lost, "
        f"{table.height - 6 * 40} rows twice"
    )
    counted = collections.Counter(table.select("arm", "seed").rows())
    assert set(counted.values()) == {1}


def test_a_bucket_that_refuses_is_a_clear_error_and_the_run_is_resumed(
    bucket, tmp_path, capsys, caplog
):
    proxy, client = bucket
    study = tmp_path / "short.toml"
    study.write_text(STUDY)
    done = []

    def third_part(method, path):
        if method == "PUT" and "parquet" in path:
            done.append(path)
            return "deny" if len(done) > 3 else None
        return None

    proxy.faults = third_part
    assert main(["run", str(study), "--store", STORE]) == 2
    told = capsys.readouterr().err
    assert "could not be written: AccessDenied" in told
    assert len(told.strip().splitlines()) == 1
    assert len(list(Store(STORE).parts())) == 3
    proxy.faults = lambda method, path: None
    assert main(["run", str(study), "--store", STORE]) == 0
    assert f"12 networks were in {STORE}, 20 were computed" in capsys.readouterr().out
    assert main(["results", "list", "--store", STORE]) == 0
    assert "8 of 8" in capsys.readouterr().out
    out = tmp_path / "table.parquet"
    assert main(["results", "export", str(out), "--store", STORE]) == 0
    assert pl.read_parquet(out).height == 4 * 6
    for text in (told, caplog.text, *(repr(bytes_of(client, key)) for key in objects(client))):
        assert KEY not in text
        assert SECRET not in text
    assert SECRET not in repr(Store(STORE))


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("s3://key:secret@results-of-tests/store", "store must be s3://bucket/prefix"),
        ("s3://results-of-tests/store?key=secret", "store must be s3://bucket/prefix"),
        ("ftp://results-of-tests/store", "must be a folder or s3://bucket/prefix"),
        ("s3://no-such-bucket/store", "NoSuchBucket"),
        (STORE, "there is no store: run a study first"),
    ],
)
def test_addresses_that_will_not_do(bucket, where, message, capsys):
    assert main(["results", "list", "--store", where]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert "secret" not in told
    assert len(told.strip().splitlines()) == 1


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(ValueError, match=r"pip install 'orderedness\[cluster\]'"):
        Store(STORE)
