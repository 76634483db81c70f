"""How fast a file is measured from the shell: start-up, reading, ordering, everything.

python benchmarks/bench_measure.py [folder with fly_larva.npz and c_elegans_chemical.csv] [--brain]

`--brain` writes a list of 5.7 million edges between 136,000 units, and measures that too: minutes.
Each command runs in a process of its own, as from a shell; the first call of all compiles what is
not in the user's cache, so every command runs twice and both times are shown.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from ordering_instances import power_law

COMMAND = str(Path(sys.executable).with_name("orderedness"))


def measured(name: str, arguments: list[str], runs: int = 2) -> None:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        process = subprocess.Popen(
            [COMMAND, "measure", *arguments, "--json"], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        answer = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        times.append(time.perf_counter() - began)
        assert status == 0
    took = " then ".join(f"{seconds:.1f} s" for seconds in times)
    print(
        f"{name:<44} {took}, {usage.ru_maxrss / 2**20:.2f} GB, O = {answer['orderedness']:.6f}, "
        f"at most {answer['upper']:.6f}"
        f"{', certified' if answer['certified'] else ''}"
        + (f", {answer['null']['draws']} draws" if answer["null"] else "")
    )


def write_brain(path: Path) -> None:
    """Edges as text, by names, as such data are published."""
    edges = power_law(136_000, 5_700_000).weights.tocoo()
    targets, sources = edges.coords
    with path.open("w") as file:
        file.write("source,target,weight\n")
        for start in range(0, edges.nnz, 100_000):
            part = slice(start, start + 100_000)
            lines = zip(sources[part], targets[part], edges.data[part], strict=True)
            file.writelines(f"n{s},n{t},{w:g}\n" for s, t, w in lines)


def main() -> None:
    folders = [Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        for units in (5, 40, 300, 1000):
            np.save(folder / "w.npy", rng.normal(size=(units, units)))
            measured(f"normal, {units} units", [str(folder / "w.npy")])
        if folders:
            worm = str(folders[0] / "c_elegans_chemical.csv")
            larva = str(folders[0] / "fly_larva.npz")
            measured("worm", [worm, "--self-loops", "ignore"])
            measured("worm, 100 draws with its degrees", [worm, "--null", "degrees"])
            measured("fly larva", [larva])
        if "--brain" in sys.argv:
            write_brain(folder / "brain.csv")
            size = (folder / "brain.csv").stat().st_size / 2**20
            measured(
                f"5.7 million edges ({size:.0f} MB of text)", [str(folder / "brain.csv")], runs=1
            )


if __name__ == "__main__":
    main()
