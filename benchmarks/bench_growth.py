"""Claim: the engine picks the faster layout, whatever the size of the layer.

Time a network and step against hidden units (both layouts, so that the crossover shows), against
iterations, examples and networks; as figures and as a table. Run as

    python benchmarks/bench_growth.py [folder for growth.png]
"""

from __future__ import annotations

import dataclasses
import functools
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import jax
from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from orderedness import DynamicTopK, Experiment, parity, train
from orderedness.training import Job, Recording
from orderedness.training.block import run
from orderedness.training.fill import fill
from orderedness.training.plan import BATCHED_FROM, plan

SECONDS = 0.3  # how long to measure for


def microseconds(experiment: Experiment, *, batched: bool | None = None) -> float:
    """Per network and step, on one core, in the layout asked for (None: the engine's choice)."""
    jobs = [Job(experiment, range(256))]
    planned = next(iter(plan(jobs, Recording(1000), jax.local_devices()[0].platform)))
    program = planned.program
    if batched is not None:
        program = dataclasses.replace(program, batched=batched)
    arguments = (fill(planned, jobs), experiment.task.inputs, experiment.task.targets)
    compiled = jax.jit(functools.partial(run, program)).lower(*arguments).compile()
    jax.block_until_ready(compiled(*arguments))
    times = []
    while sum(times) < SECONDS or len(times) < 2:
        start = time.perf_counter()
        jax.block_until_ready(compiled(*arguments))
        times.append(time.perf_counter() - start)
    return min(times) / planned.width / experiment.task.steps * 1e6


def experiment(
    *, hidden: int = 5, iterations: int = 3, inputs: int = 2, epochs: int = 50
) -> Experiment:
    task = parity(inputs, epochs=epochs)
    return Experiment(task, hidden=hidden, iterations=iterations, pruner=DynamicTopK(0.5))


def networks_and_memory() -> list[tuple[int, float, float]]:
    """Seconds and peak memory for growing numbers of networks in one call."""
    rows = []
    train(experiment(), range(256))
    for networks in (1_000, 4_000, 16_000, 64_000):
        start = time.perf_counter()
        train(experiment(epochs=200), range(networks), loss_every=200)
        took = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        rows.append((networks, took, peak))
    return rows


def plain_ticks(axis: Axis, values: Sequence[float]) -> None:
    axis.set_major_locator(FixedLocator(list(values)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g}"))
    axis.set_minor_locator(NullLocator())


def main() -> None:
    from orderedness.report import new_figure

    figure = new_figure(9, 6.4)
    (by_size, by_time), (by_batch, by_count) = figure.subplots(2, 2)
    sizes = (5, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512)
    steps = {size: 50 if size < 64 else 4 for size in sizes}
    lanes = [microseconds(experiment(hidden=s, epochs=steps[s]), batched=False) for s in sizes]
    products = [microseconds(experiment(hidden=s, epochs=steps[s]), batched=True) for s in sizes]
    print("hidden  multiply-and-add  matrix products (us a network and step)  engine takes")
    for size, lane, product in zip(sizes, lanes, products, strict=True):
        taken = "products" if size + 1 >= BATCHED_FROM else "multiply-and-add"
        print(f"{size:6d}  {lane:16.2f}  {product:15.2f}  {taken}", flush=True)
    by_size.loglog(sizes, lanes, "o-", label="multiply-and-add")
    by_size.loglog(sizes, products, "s--", label="matrix products")
    by_size.axvline(BATCHED_FROM - 1, color="0.6", linewidth=1, label="the engine switches here")
    by_size.set_xlabel("hidden units (XOR, T = 3)")
    by_size.legend(fontsize=8)
    plain_ticks(by_size.xaxis, sizes[::2])
    for axes, name, values, label in (
        (by_time, "iterations", (1, 2, 4, 8, 16, 32), "iterations T (XOR, 5 hidden units)"),
        (by_batch, "inputs", range(1, 8), "examples a step (parity, 5 hidden units)"),
    ):
        took = [microseconds(experiment(**{name: value})) for value in values]
        told = [f"{value}: {us:.2f}" for value, us in zip(values, took, strict=True)]
        print(name, told, flush=True)
        across = [2**value for value in values] if name == "inputs" else list(values)
        axes.loglog(across, took, "o-")
        axes.set_xlabel(label)
        plain_ticks(axes.xaxis, across)
    for axes in (by_size, by_time, by_batch):
        axes.set_ylabel("µs a network and step")
        low, high = axes.get_ylim()
        nice = [n * 10.0**e for e in range(-2, 6) for n in (1, 2, 5)]
        plain_ticks(
            axes.yaxis, [n for n in nice if low <= n <= high][:: 3 if axes is by_size else 1]
        )
    rows = networks_and_memory()
    for networks, took, peak in rows:
        rate = networks / took
        print(f"{networks:7,d} networks: {took:6.2f} s, {rate:8,.0f} a second, {peak:.2f} GB")
    counts, seconds, memory = zip(*rows, strict=True)
    by_count.loglog(counts, seconds, "o-", label="seconds")
    by_count.loglog(counts, memory, "s--", label="GB at most, all outcomes kept")
    by_count.set_xlabel("networks in one call (200 steps)")
    by_count.legend(fontsize=8)
    plain_ticks(by_count.xaxis, counts)
    plain_ticks(by_count.yaxis, [0.1, 0.2, 0.5, 1, 2, 5, 10])
    if len(sys.argv) > 1:
        path = Path(sys.argv[1]) / "growth.png"
        figure.savefig(path)
        print(path)


if __name__ == "__main__":
    main()
