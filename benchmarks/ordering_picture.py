"""Draw the gap against time of the solvers that `Auto` chooses, one line for each regime.

Run as ``python benchmarks/ordering_picture.py FOLDER PICTURE.svg``, FOLDER as in
``bench_ordering_solvers.py``. Every point is a run of its own with that time limit.
"""

import sys
from pathlib import Path

import matplotlib as mpl

import ordering_instances as instances
from orderedness.ordering import solve

mpl.use("agg")
from matplotlib import pyplot as plt

LIMITS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
CERTIFIED = 1e-7  # where certified runs are drawn


def main() -> None:
    folder, picture = Path(sys.argv[1]), Path(sys.argv[2])
    large = {name: problem for name, problem, _, _ in instances.input_output_tables(folder, True)}
    cases = {
        "dense, 30 units (branch and cut)": instances.random_dense(30, 0),
        "dense, 40 units (branch and cut)": instances.random_dense(40, 0),
        "dense, 50 units (branch and cut)": instances.random_dense(50, 0),
        "dense, 150 units (memetic, packing)": large["be75eec_150"],
        "worm, 2.8k edges (cycle cover)": instances.worm(folder),
        "fly larva, 110k edges (annealing, packing)": instances.fly_larva(folder),
    }
    figure, axes = plt.subplots(figsize=(8, 5))
    for k, (name, problem) in enumerate(cases.items()):
        solve(problem, time_limit=5)  # compiled code is loaded
        times, gaps = [], []
        for limit in LIMITS:
            ordering = solve(problem, time_limit=limit)
            times.append(ordering.statistics["seconds"])
            gaps.append(CERTIFIED if ordering.certified else ordering.upper - ordering.lower)
            if ordering.certified:
                break
        axes.loglog(times, gaps, "o-", color=f"C{k}", label=name, alpha=0.85)
        print(name, [f"{t:.2f} s: {g:.1e}" for t, g in zip(times, gaps, strict=True)], flush=True)
    axes.axhline(CERTIFIED, color="0.7", lw=0.8, zorder=0)
    axes.text(axes.get_xlim()[1], CERTIFIED * 1.2, "certified ", ha="right", color="0.4")
    axes.set_ylim(CERTIFIED / 2, 2)
    axes.set_xlabel("seconds")
    axes.set_ylabel("gap: upper bound on O minus O reached")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.12), frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    main()
