"""Claim: 2 single-core workers take at most 1.25 times as long as one process with both cores.

The study is Table 1 as run. First come the runs that compile, which are shown, then those that
count: some in turns, each into a store of its own. Then what a block costs besides training, in
workers and in one process. Core time is that of all processes together, the scheduler's and the
client's included; it says something on a machine that others use too, where seconds do not. Run as

    python benchmarks/bench_cluster.py [--networks 1000] [--workers 2] [--repeats 3]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from typing import NamedTuple

import polars as pl

from orderedness.ordering._threads import cores
from orderedness.paper.studies import studies
from orderedness.study import Cluster, Study, cluster, run_study
from orderedness.training import Experiment, xor

BLOCKS = 400


class Took(NamedTuple):
    """How long something took, by the clock and by the cores."""

    seconds: float
    core_seconds: float

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s ({self.core_seconds:.2f} s of cores)"


def timed(study: Study, executor: Cluster | None) -> tuple[Took, pl.DataFrame]:
    def used() -> float:
        told = executor.client.run(time.process_time).values() if executor else ()
        return time.process_time() + sum(told)

    with tempfile.TemporaryDirectory() as store:
        start, before = time.perf_counter(), used()
        table = run_study(study, store, executor=executor)
        return Took(time.perf_counter() - start, used() - before), table


def compare(study: Study, executor: Cluster, repeats: int) -> tuple[Took, Took]:
    """The best here and on the workers, warm; what is cold is printed."""
    (mine, here), (theirs, there) = timed(study, None), timed(study, executor)
    print(f"  cold: {mine} here, {theirs} on workers")
    timed(study, executor)  # now every worker has met every program
    pairs = [(timed(study, None)[0], timed(study, executor)[0]) for _ in range(repeats)]
    for mine, theirs in pairs:
        print(
            f"  warm: {mine} here, {theirs} on workers: {theirs.seconds / mine.seconds:.2f} times"
        )
    assert here.equals(there), "the bits differ"
    best = [Took(*map(min, zip(*column, strict=True))) for column in zip(*pairs, strict=True)]
    mine, theirs = best
    print(
        f"  {here.height} rows, the same to the bit; best over best: "
        f"{theirs.seconds / mine.seconds:.2f} times the seconds, "
        f"{theirs.core_seconds / mine.core_seconds:.2f} times the core time"
    )
    return mine, theirs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", type=int, default=1000, help="networks a cell")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    start = time.perf_counter()
    with cluster(f"local:{given.workers}") as executor:
        up = time.perf_counter() - start
        print(f"{given.workers} workers, up in {up:.1f} s; this process has {cores()} cores")
        study = studies(given.networks)["table1"]
        print(f"Table 1 as run, {given.networks} networks a cell, {len(study.blocks())} blocks")
        compare(study, executor, given.repeats)
        # Hardly any training: one step of 256 networks a block.
        tiny = Study("tiny", {"xor": Experiment(xor(epochs=1))}, networks=256 * BLOCKS)
        print(f"{BLOCKS} blocks of 256 networks, one step each, a task a block")
        mine, theirs = compare(tiny, executor, given.repeats)
        here, there = (1e3 * took.core_seconds / BLOCKS for took in (mine, theirs))
        print(f"  core time a block: {here:.1f} ms here, {there:.1f} ms on workers")


if __name__ == "__main__":
    main()
