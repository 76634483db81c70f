"""Claim: one GPU trains 200,000 XOR networks a second plainly, several times that fused.

XOR, 5 hidden units, dynamic top-k, 1000 steps. For the usual path and for the fused one: the
kernel alone, then a stream with everything (drawing, training, bringing home); beside them what
drawing and measuring orderedness take by themselves. Last, that both paths and the replay of
Table 1 agree with what they should. Run on a machine with a GPU as

    python benchmarks/bench_device.py [networks in the stream] [--replay]
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from orderedness import DynamicTopK, Experiment, orderedness, sine, stream, train, xor
from orderedness.training import Job, Recording
from orderedness.training.compiling import compiled
from orderedness.training.fill import fill
from orderedness.training.plan import plan

XOR = Experiment(xor(), pruner=DynamicTopK(0.5))
SINE = Experiment(sine(), pruner=DynamicTopK(0.5))
DEVICE = jax.local_devices()[0]


def seconds(work: Callable[[], Any], repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(work())
        times.append(time.perf_counter() - start)
    return min(times)


def kernel(experiment: Experiment, *, fused: bool) -> None:
    """Compile, then train one block that is already filled."""
    recording = Recording(experiment.task.steps, fused=fused)
    memory = int((DEVICE.memory_stats() or {}).get("bytes_limit", 2**36))
    jobs = [Job(experiment, range(2**17))]
    planned = next(iter(plan(jobs, recording, DEVICE.platform, memory)))
    filling = seconds(lambda: jax.tree.leaves(fill(planned, jobs, on_host=False)))
    arguments = (
        fill(planned, jobs, on_host=False),
        experiment.task.inputs,
        experiment.task.targets,
    )
    start = time.perf_counter()
    program = compiled(planned.program, arguments, DEVICE)
    compiling = time.perf_counter() - start
    took = seconds(functools.partial(program, *arguments))
    print(
        f"{experiment.task.name:5s} {'fused' if fused else 'plain'}: {planned.width / took:11,.0f} "
        f"networks a second ({planned.width:,} at once; drawing them {planned.width / filling:,.0f}"
        f" a second; {compiling:.1f} s to compile or load)",
        flush=True,
    )


def streamed(networks: int, *, fused: bool) -> None:
    for count in (2**18, networks):  # the first for what is compiled once
        start = time.perf_counter()
        done = sum(
            len(part)
            for part in stream(XOR, np.arange(count), chunk=2**16, loss_every=1000, fused=fused)
        )
        took = time.perf_counter() - start
    how = "fused" if fused else "plain"
    print(f"stream {how}: {done:,} in {took:.2f} s, {done / took:,.0f} a second", flush=True)


def agreement() -> None:
    for experiment in (XOR, SINE):
        every = experiment.task.steps  # as above, so that nothing is compiled anew
        plain, fused = (
            train(experiment, range(4096), fused=f, loss_every=every) for f in (False, True)
        )
        o = [np.asarray(orderedness(x.final.weights, outputs=1).value) for x in (plain, fused)]
        print(
            f"{experiment.task.name}: first losses differ by "
            f"{np.abs(plain.losses - fused.losses).max():.1e} at most, mean O by "
            f"{abs(np.nanmean(o[0]) - np.nanmean(o[1])):.1e}; O of "
            f"{np.mean(np.abs(o[0] - o[1]) < 1e-4):.1%} of the networks agrees within 1e-4",
            flush=True,
        )


def replayed() -> None:
    from orderedness import paper

    cells = paper.replay()
    agree = [cell.agrees for cell in cells if cell.agrees is not None]
    print(f"replay: {sum(agree)} of {len(agree)} distinct printed cells agree")


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    print(DEVICE.device_kind, "jax", jax.__version__, flush=True)
    for fused in (False, True):
        kernel(XOR, fused=fused)
        streamed(numbers[0] if numbers else 2**20, fused=fused)
    final = train(XOR, range(2**17), loss_every=1000).final.weights
    took = seconds(lambda: orderedness(final, outputs=1).value)
    print(f"orderedness: {final.shape[-1] / took:,.0f} networks a second, on the host's cores")
    if "--replay" in sys.argv:
        replayed()
    for fused in (False, True):
        kernel(SINE, fused=fused)
    agreement()


if __name__ == "__main__":
    main()
