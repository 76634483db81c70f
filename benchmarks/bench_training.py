"""Claim: XOR trains within 3 times the time of hand-vectorised C, and far faster than PyTorch.

XOR, 5 hidden units, dynamic top-k, 1000 steps, all cores, compiled; each line a ratio in this run.
The C floor needs gcc; the PyTorch line is left out where PyTorch cannot be imported. Run as

    python benchmarks/bench_training.py
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from orderedness import DynamicTopK, Experiment, sine, stream, xor

STEPS = 1000
XOR = Experiment(xor(), pruner=DynamicTopK(0.5))
SINE = Experiment(sine(), pruner=DynamicTopK(0.5))
REPEATS = 5


def best(work, networks: int) -> float:
    """Milliseconds a network, the best of some repeats."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) / networks * 1e3


def ours(experiment: Experiment, networks: int) -> float:
    def work() -> None:
        for _ in stream(experiment, range(networks), loss_every=STEPS):
            pass

    work()  # compile
    return best(work, networks)


def floor(networks: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "floor.so"
        flags = [
            "-O3",
            "-march=native",
            "-ffast-math",
            "-mprefer-vector-width=512",
            "-shared",
            "-fPIC",
        ]
        source = Path(__file__).with_name("floor.c")
        subprocess.run(
            ["gcc", *flags, "-shared", "-fPIC", str(source), "-o", str(library)], check=True
        )
        train = ctypes.CDLL(str(library)).train
    kept = XOR.pruner.amounts(XOR.task.progress, XOR.shape)

    def sixteen(seed: int) -> float:
        draw = np.random.default_rng(seed).normal
        arrays = (
            draw(size=(48, 16)).astype(np.float32),
            draw(size=(6, 16)).astype(np.float32),
            kept,
            np.empty((STEPS, 16), np.float32),
        )
        weights, values, counts, losses = (a.ctypes.data_as(ctypes.c_void_p) for a in arrays)
        train(weights, values, counts, STEPS, losses)
        return float(arrays[3][-1].mean())

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        assert np.mean(list(pool.map(sixteen, range(8)))) < 0.05, "the floor learns XOR"
        return best(lambda: list(pool.map(sixteen, range(networks // 16))), networks)


def torch_loop() -> float | None:
    """One network at a time, lean: no data loader, the fused optimiser, one thread."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    kept = XOR.pruner.amounts(XOR.task.progress, XOR.shape).tolist()
    x, y = torch.tensor(XOR.task.inputs), torch.tensor(XOR.task.targets)

    def one(fused: bool, steps: int) -> None:
        weights, values = torch.randn(6, 8, requires_grad=True), torch.randn(6, requires_grad=True)
        optimiser = torch.optim.Adam([weights, values], lr=0.01, fused=fused)
        for step in range(steps):
            state = values.expand(4, 6)
            for _ in range(3):
                state = torch.sigmoid(torch.cat([state, x], 1) @ weights.T)
            loss = ((state[:, :1] - y) ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            with torch.no_grad():
                flat = weights.view(-1)
                lost = flat.abs().topk(48 - kept[step], largest=False).indices
                flat[lost] = 0

    def timed(fused: bool) -> float:
        one(fused, 50)
        return best(lambda: one(fused, STEPS), 1)

    return min(timed(True), timed(False))


def main() -> None:
    bottom = floor(4096)
    xor_ms = ours(XOR, 4096)
    print(f"XOR, floor in C          {bottom:8.3f} ms a network")
    print(f"XOR, ours                {xor_ms:8.3f} ms a network: {xor_ms / bottom:.2f} x the floor")
    sine_ms = ours(SINE, 2048)
    print(
        f"Sine, ours               {sine_ms:8.3f} ms a network: {sine_ms / bottom:.2f} x the floor"
    )
    plain = torch_loop()
    if plain is not None:
        print(f"XOR, PyTorch, one by one {plain:8.0f} ms a network: {plain / xor_ms:,.0f} x ours")


if __name__ == "__main__":
    main()
