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
from pathlib import Path

import jax

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


def main() -> None:
    from orderedness.report import new_figure

    figure = new_figure(10, 3.2)
    axes = figure.subplots(1, 3)
    sizes = (5, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512)
    steps = {size: 50 if size < 64 else 4 for size in sizes}
    lanes = [microseconds(experiment(hidden=s, epochs=steps[s]), batched=False) for s in sizes]
    products = [microseconds(experiment(hidden=s, epochs=steps[s]), batched=True) for s in sizes]
    print("hidden  multiply-and-add  matrix products (us a network and step)  engine takes")
    for size, lane, product in zip(sizes, lanes, products, strict=True):
        taken = "products" if size + 1 >= BATCHED_FROM else "multiply-and-add"
        print(f"{size:6d}  {lane:16.2f}  {product:15.2f}  {taken}")
    axes[0].loglog(sizes, lanes, "o-", label="multiply-and-add")
    axes[0].loglog(sizes, products, "s--", label="matrix products")
    axes[0].axvline(BATCHED_FROM - 1, color="0.6", linewidth=1, label="engine switches")
    axes[0].set_xlabel("hidden units")
    axes[0].legend(fontsize=8)
    for place, name, values in (
        (1, "iterations", (1, 2, 4, 8, 16, 32)),
        (2, "inputs", range(1, 8)),
    ):
        took = [microseconds(experiment(**{name: value})) for value in values]
        print(name, [f"{value}: {us:.2f}" for value, us in zip(values, took, strict=True)])
        across = [2**value for value in values] if name == "inputs" else list(values)
        axes[place].loglog(across, took, "o-")
        axes[place].set_xlabel("examples a step" if name == "inputs" else "iterations T")
    axes[0].set_ylabel("µs a network and step, one core")
    if len(sys.argv) > 1:
        path = Path(sys.argv[1]) / "growth.png"
        figure.savefig(path)
        print(path)
    for networks, took, peak in networks_and_memory():
        rate = networks / took
        print(f"{networks:7,d} networks: {took:6.2f} s, {rate:8,.0f} a second, {peak:.2f} GB")


if __name__ == "__main__":
    main()
