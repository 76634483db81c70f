"""What must hold for every solver: one table, one set of properties."""

import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from orderedness.ordering import (
    Annealing,
    Auto,
    BranchAndCut,
    CycleCover,
    Exhaustive,
    Memetic,
    Packing,
    Problem,
    SubsetDP,
    solve,
)

SOLVERS = {
    "auto": Auto(),
    "exhaustive": Exhaustive(),
    "subset dp": SubsetDP(),
    "branch and cut": BranchAndCut(),
    "cycle cover": CycleCover(Annealing(sweeps=20)),
    "memetic": Memetic(),
    "annealing": Annealing(sweeps=20),
    "packing": Packing(Annealing(sweeps=20), rounds=3),
}
EXACT = ["auto", "exhaustive", "subset dp", "branch and cut", "cycle cover"]


def best_value(problem):
    free = [u for u in range(problem.size) if u not in problem.front + problem.back]
    least = min(
        problem.below([*problem.front, *middle, *problem.back])
        for middle in itertools.permutations(free)
    )
    return 1 - least / problem.total if problem.total else math.nan


@st.composite
def problems(draw, most=6):
    """Dense, sparse, tied, zero, integer, tiny and huge problems with pinned units."""
    size = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["real", "integer", "tied", "sparse", "heavy"]))
    matrix = {
        "real": lambda: rng.normal(size=(size, size)),
        "integer": lambda: rng.integers(-9, 10, size=(size, size)).astype(float),
        "tied": lambda: rng.integers(0, 2, size=(size, size)).astype(float),
        "sparse": lambda: rng.normal(size=(size, size)) * (rng.random((size, size)) < 0.3),
        "heavy": lambda: rng.standard_cauchy(size=(size, size)),
    }[kind]()
    matrix = matrix * draw(st.sampled_from([1.0, 1.0, 1e-200, 1e200, 2.0**-1060, 2.0**1000]))
    units = [int(u) for u in rng.permutation(size)]
    front = draw(st.integers(0, min(2, size)))
    back = draw(st.integers(0, min(2, size - front)))
    options = {
        "front": units[:front],
        "back": units[front : front + back],
        "count_self": draw(st.booleans()),
    }
    if draw(st.booleans()):
        return Problem.from_sparse(sp.csr_array(matrix), **options)
    return Problem.from_dense(matrix, **options)


@pytest.mark.parametrize("name", SOLVERS)
@settings(max_examples=60, deadline=None)
@given(problem=problems())
def test_bounds_enclose_the_best_of_all_orders(name, problem):
    ordering = solve(problem, SOLVERS[name])
    best = best_value(problem)
    assert sorted(ordering.permutation) == list(range(problem.size))
    assert tuple(ordering.permutation[: len(problem.front)]) == problem.front
    assert tuple(ordering.permutation[problem.size - len(problem.back) :]) == problem.back
    if math.isnan(best):
        assert math.isnan(ordering.value)
        assert ordering.certified
        return
    assert ordering.value == 1 - problem.below(ordering.permutation) / problem.total
    assert ordering.lower == ordering.value <= best + 1e-12
    assert best <= ordering.upper + 1e-9
    if ordering.certified:
        assert ordering.value == pytest.approx(best, abs=1e-9)
        assert ordering.upper == ordering.value
        assert ordering.status == "optimal"
    if name in EXACT:
        assert ordering.certified


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("size", [7, 8])
def test_eight_units(name, size):
    rng = np.random.default_rng(size)
    for matrix in (rng.normal(size=(size, size)), rng.integers(0, 4, size=(size, size))):
        problem = Problem.from_dense(matrix)
        ordering = solve(problem, SOLVERS[name])
        best = best_value(problem)
        assert ordering.lower - 1e-12 <= best <= ordering.upper + 1e-9


@pytest.mark.parametrize("name", SOLVERS)
def test_acyclic_graphs_are_fully_ordered(name):
    rng = np.random.default_rng(0)
    matrix = np.triu(rng.random((40, 40)), 1)
    shuffle = rng.permutation(40)
    ordering = solve(Problem.from_dense(matrix[np.ix_(shuffle, shuffle)]), SOLVERS[name])
    assert ordering.value == ordering.upper == 1.0
    assert ordering.certified


@pytest.mark.parametrize("name", EXACT)
def test_relabelling_scaling_and_transposing_keep_the_value(name):
    rng = np.random.default_rng(1)
    matrix = rng.integers(0, 20, size=(7, 7))
    value = solve(Problem.from_dense(matrix), SOLVERS[name]).value
    shuffle = rng.permutation(7)
    for other in (matrix[np.ix_(shuffle, shuffle)], matrix * 4, matrix.T, -matrix):
        assert solve(Problem.from_dense(other), SOLVERS[name]).value == value


@pytest.mark.parametrize("name", SOLVERS)
def test_pinning_the_other_way_round_transposes(name):
    matrix = np.random.default_rng(2).normal(size=(6, 6))
    one = solve(Problem.from_dense(matrix, front=[4], back=[1]), SOLVERS[name])
    two = solve(Problem.from_dense(matrix.T, front=[1], back=[4]), SOLVERS[name])
    assert one.value == pytest.approx(two.value, abs=1e-12)


@pytest.mark.parametrize("name", SOLVERS)
def test_the_same_seed_gives_the_same_answer(name):
    size = 8 if name == "exhaustive" else 18
    problem = Problem.from_dense(np.random.default_rng(3).normal(size=(size, size)))
    one, two = (solve(problem, SOLVERS[name], seed=5) for _ in range(2))
    np.testing.assert_array_equal(one.permutation, two.permutation)
    assert (one.value, one.upper) == (two.value, two.upper)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("seconds", [0, 0.02])
def test_stopping_early_is_still_valid(name, seconds):
    size = 9 if name == "exhaustive" else 20
    problem = Problem.from_dense(np.random.default_rng(4).normal(size=(size, size)))
    best = solve(problem, SubsetDP()).value
    ordering = solve(problem, SOLVERS[name], time_limit=seconds)
    assert ordering.lower - 1e-12 <= best <= ordering.upper + 1e-9
    assert ordering.value == 1 - problem.below(ordering.permutation) / problem.total
    if seconds == 0:
        assert not ordering.certified
        assert "time limit" in ordering.status


def test_ctrl_c_returns_the_best_so_far():
    class Interrupted:
        def search(self, search):
            search.offer(np.argsort(-search.dense.sum(axis=1)))
            search.raise_bound(0.5)
            raise KeyboardInterrupt

    problem = Problem.from_dense(np.random.default_rng(5).normal(size=(12, 12)))
    ordering = solve(problem, Interrupted())
    assert "interrupted" in ordering.status
    assert not ordering.certified
    assert ordering.lower <= solve(problem, SubsetDP()).value <= ordering.upper < 1


def test_components_are_solved_one_by_one():
    rng = np.random.default_rng(6)
    matrix = sp.block_diag([rng.normal(size=(8, 8)) for _ in range(4)]).toarray()
    matrix[:8, 24:] = 1.0
    problem = Problem.from_dense(matrix)
    ordering = solve(problem, SubsetDP())
    assert ordering.certified
    assert ordering.statistics["components"] == 4
    assert ordering.statistics["largest component"] == 8


def test_no_units_at_all():
    ordering = solve(Problem.from_dense(np.zeros((0, 0))))
    assert ordering.permutation.size == 0
    assert math.isnan(ordering.value)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"time_limit": -1}, ValueError, "time_limit must be at least 0"),
        ({"time_limit": math.nan}, ValueError, "time_limit must be at least 0"),
        ({"time_limit": "1"}, TypeError, "time_limit must be a number"),
        ({"seed": -1}, ValueError, "seed must be"),
        ({"solver": "auto"}, TypeError, "solver must be a solver"),
    ],
)
def test_bad_options_are_named(options, error, words):
    with pytest.raises(error, match=words):
        solve(Problem.from_dense(np.ones((3, 3))), **options)


def test_solvers_say_what_they_cannot_take():
    problem = Problem.from_dense(np.random.default_rng(7).normal(size=(26, 26)))
    for solver in (Exhaustive(), SubsetDP()):
        with pytest.raises(ValueError, match="at most"):
            solve(problem, solver)
    with pytest.raises(TypeError, match="problem must be a Problem"):
        solve(np.ones((3, 3)))
