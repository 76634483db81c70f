"""Claim: all trainings behind Table 1 and figures 2 to 5 take under 60 s cold, under 20 s warm.

Ten networks a cell, on 2 cores: once from a new process with empty caches, then from another new
process that finds them filled. Run as

    python benchmarks/bench_paper_trainings.py [networks a cell]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time


def all_trainings(networks: int) -> None:
    start = time.perf_counter()
    from orderedness import paper
    from orderedness.paper.arms import figure2, figure3, figure5
    from orderedness.training import sine_baseline, train, train_baseline, xor_baseline
    from orderedness.training.compiling import programs_made

    imported = time.perf_counter()
    arms = [arm.experiment for figure in (figure2, figure3, figure5) for arm in figure()]
    arms += paper.experiments().values()
    outcomes = train(arms, range(networks), loss_every=100)
    trained = time.perf_counter()
    for baseline in (xor_baseline(), sine_baseline()):
        train_baseline(baseline, range(networks))
    done = time.perf_counter()
    print(
        f"{done - start:6.1f} s in all: {imported - start:.1f} s to import, "
        f"{trained - imported:.1f} s for {len(arms)} arms, {sum(map(len, outcomes))} networks, "
        f"{programs_made()} programs; {done - trained:.1f} s for the MLPs"
    )


def main() -> None:
    networks = sys.argv[1] if len(sys.argv) > 1 else "10"
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_CACHE_HOME": folder}
        for state in ("cold", "warm"):
            print(state, end=" ", flush=True)
            command = [sys.executable, __file__, networks, "--here"]
            subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    if "--here" in sys.argv:
        all_trainings(int(sys.argv[1]))
    else:
        main()
