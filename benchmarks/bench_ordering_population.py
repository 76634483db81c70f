"""Orderedness of many small networks: networks a second, against what is required.

Run as ``python benchmarks/bench_ordering_population.py``. Beside what the clock says stands what
two cores with nothing else to do would reach by the processor time that was used.
"""

import time

import numpy as np

from orderedness.ordering import orderedness

REQUIRED = {5: 1_000_000, 8: 100_000}  # hidden units: networks a second on 2 cores
REPEATS = 5


def main() -> None:
    rng = np.random.default_rng(0)
    started = time.perf_counter()
    orderedness(rng.normal(size=(6, 8, 32)), outputs=1)
    print(f"first call in this process: {time.perf_counter() - started:.2f} s")
    print("hidden  dtype    networks  networks/s (median of 5)  by processor time  required")
    for hidden, required in REQUIRED.items():
        for dtype in (np.float32, np.float64):
            weights = rng.normal(size=(1 + hidden, 3 + hidden, required)).astype(dtype)
            times, processor = [], []
            for _ in range(REPEATS):
                started, before = time.perf_counter(), time.process_time()
                orderedness(weights, outputs=1)
                times.append(time.perf_counter() - started)
                processor.append(time.process_time() - before)
            rate = required / np.median(times)
            undisturbed = 2 * required / np.median(processor)
            verdict = "reached" if rate >= required else "MISSED"
            print(
                f"{hidden:6d}  {np.dtype(dtype).name}  {required:8,d}  {rate:24,.0f}  "
                f"{undisturbed:17,.0f}  "
                f"{required:,d} {verdict}"
            )
    matrix = rng.normal(size=(20, 20))
    started = time.perf_counter()
    orderedness(matrix)
    print(f"one network with 20 hidden units: {time.perf_counter() - started:.3f} s")


if __name__ == "__main__":
    main()
