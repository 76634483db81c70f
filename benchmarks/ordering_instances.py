"""The instances that the ordering benchmarks run on."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from orderedness.ordering import Problem


def random_dense(size: int, seed: int) -> Problem:
    """Magnitudes of normal weights between all units."""
    return Problem.from_dense(
        np.abs(np.random.default_rng(1000 * size + seed).normal(size=(size, size)))
    )


def input_output_tables(folder: Path, large: bool) -> Iterator[tuple[str, Problem, float, float]]:
    """Tables of ``lolib.npz``: name, problem, sum of all entries, known sum above the diagonal."""
    tables = np.load(folder / "lolib.npz")
    for entry in tables.files:
        if entry.endswith("/matrix"):
            name, matrix = entry.removesuffix("/matrix"), tables[entry]
            if (len(matrix) > 100) == large:
                known = float(tables[f"{name}/value"])
                yield name, Problem.from_dense(matrix), float(matrix.sum()), known


def worm(folder: Path) -> Problem:
    """Chemical synapses of the hermaphrodite worm, self-connections left out."""
    lines = (folder / "c_elegans_chemical.csv").read_text().split()
    edges = [line.split(",") for line in lines]
    names = {name: k for k, name in enumerate(dict.fromkeys(n for e in edges for n in e[:2]))}
    return Problem.from_edges(
        [names[source] for source, _, _ in edges],
        [names[target] for _, target, _ in edges],
        [float(weight) for _, _, weight in edges],
        units=len(names),
        count_self=False,
    )


def fly_larva(folder: Path) -> Problem:
    """The brain of a fly larva."""
    data = np.load(folder / "fly_larva.npz")
    return Problem.from_edges(
        data["source"], data["target"], data["weight"], units=int(data["nodes"])
    )


def power_law(nodes: int, edges: int, seed: int = 0) -> Problem:
    """A directed graph of the size of a brain: heavy-tailed degrees and weights, some direction.

    Sources and targets are drawn with power-law activities; every node has a depth, and edges
    towards greater depth are kept more often.
    """
    rng = np.random.default_rng(seed)
    activity = (1.0 - rng.random(nodes)) ** (-1.0 / 1.2)
    activity = np.minimum(activity, 300.0 * activity.mean())
    popularity = activity * rng.lognormal(0.0, 0.5, nodes)
    depth = rng.random(nodes)
    sending, receiving = (np.cumsum(a) / a.sum() for a in (activity, popularity))
    pairs = np.empty(0, np.int64)
    while pairs.size < edges:
        source = np.searchsorted(sending, rng.random(edges))
        target = np.searchsorted(receiving, rng.random(edges))
        kept = rng.random(edges) < 1.0 / (1.0 + np.exp(-6.0 * (depth[target] - depth[source])))
        kept &= source != target
        pairs = np.unique(np.concatenate([pairs, source[kept] * nodes + target[kept]]))
    pairs = rng.permutation(pairs)[:edges]
    weight = np.minimum(np.ceil(rng.pareto(1.5, edges)), 500.0)
    return Problem.from_edges(pairs // nodes, pairs % nodes, weight, units=nodes)
