"""Claim: a million XOR networks are trained and measured as a stream in under 2 GB, in linear time.

Prints networks done, seconds, rate and resident memory as it goes. Run as

    python benchmarks/bench_stream.py [networks]
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from orderedness import DynamicTopK, Experiment, orderedness, stream, xor


def main() -> None:
    networks = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    experiment = Experiment(xor(), pruner=DynamicTopK(0.5))
    chunk = 8192
    done, total, measuring = 0, 0.0, 0.0
    start = time.perf_counter()
    for part in stream(experiment, np.arange(networks), chunk=chunk, loss_every=1000):
        began = time.perf_counter()
        for layer in (part.initial, part.final):
            measured = np.asarray(orderedness(layer.weights, outputs=1).value)
        total += float(np.nansum(measured))
        measuring += time.perf_counter() - began
        done += len(part)
        if done == networks or (done // chunk) % 16 == 0:
            took = time.perf_counter() - start
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
            print(
                f"{done:9,d} networks, {took:6.1f} s, {done / took:7,.0f} a second, "
                f"{peak:.2f} GB at most, {measuring / took:.0%} of it measuring",
                flush=True,
            )
    print(f"mean orderedness after training {total / networks:.4f}")


if __name__ == "__main__":
    main()
