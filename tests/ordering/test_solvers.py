"""What must hold for every solver: one table, one set of properties."""

import math
import signal
import threading
from fractions import Fraction

import networkx as nx
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
from orderedness.ordering import annealing as annealing_module
from orderedness.ordering.relaxation import Relaxation

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
KINDS = ["real", "integer", "tied", "decimal", "sparse", "sparse integer", "heavy"]
EXACT = ["auto", "exhaustive", "subset dp", "branch and cut", "cycle cover"]


def least_below(problem):
    """The least weight below the diagonal, exactly: fractions, and no code of the package."""
    weights = [[Fraction(float(w)) for w in row] for row in problem.weights.toarray()]
    free = [u for u in range(problem.size) if u not in problem.front + problem.back]

    def fixed(order):
        return sum(weights[r][c] for k, r in enumerate(order) for c in order[:k])

    def paid(later, earlier):
        return sum(weights[r][c] for r in later for c in earlier)

    cost = {0: Fraction(0)}
    for subset in range(1, 1 << len(free)):
        members = [k for k in range(len(free)) if subset >> k & 1]
        cost[subset] = min(
            cost[subset ^ (1 << last)]
            + sum(weights[free[last]][free[k]] for k in members if k != last)
            for last in members
        )
    front, back = problem.front, problem.back
    ends = fixed(front) + paid(free, front) + paid(back, front) + paid(back, free) + fixed(back)
    return ends + cost[(1 << len(free)) - 1]


@st.composite
def problems(draw, most=8):
    """Dense, sparse, tied, zero, integer, tiny and huge problems with pinned units."""
    size = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    matrix = {
        "real": lambda: rng.normal(size=(size, size)),
        "integer": lambda: rng.integers(-9, 10, size=(size, size)).astype(float),
        "tied": lambda: rng.integers(0, 2, size=(size, size)).astype(float),
        "decimal": lambda: 0.1 * rng.integers(0, 4, size=(size, size)),
        "sparse": lambda: rng.normal(size=(size, size)) * (rng.random((size, size)) < 0.3),
        "sparse integer": lambda: (
            rng.integers(1, 9, size=(size, size)) * (rng.random((size, size)) < 0.3)
        ),
        "heavy": lambda: rng.standard_cauchy(size=(size, size)),
    }[draw(st.sampled_from(KINDS))]()
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
@given(data=st.data())
def test_bounds_enclose_the_best_of_all_orders(name, data):
    problem = data.draw(problems(most=6 if name == "exhaustive" else 8))
    ordering = solve(problem, SOLVERS[name])
    assert sorted(ordering.permutation) == list(range(problem.size))
    assert tuple(ordering.permutation[: len(problem.front)]) == problem.front
    assert tuple(ordering.permutation[problem.size - len(problem.back) :]) == problem.back
    if problem.total == 0:
        assert math.isnan(ordering.value)
        assert ordering.certified
        return
    least = least_below(problem)
    best = 1 - float(least / Fraction(problem.total))
    below = problem.below(ordering.permutation)
    assert ordering.value == 1 - below / problem.total
    assert ordering.lower == ordering.value <= best + 1e-12
    assert best <= ordering.upper + 1e-9
    if ordering.certified:
        assert ordering.value == pytest.approx(best, abs=1e-9)
        assert ordering.upper == ordering.value
        assert ordering.status == "optimal"
        assert not problem.integral or below == least
    if name in EXACT:
        assert ordering.certified


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
def test_scaling_by_a_power_of_two_changes_nothing(name):
    matrix = np.random.default_rng(1).normal(size=(9, 9))[:8, :8]
    one, two = (solve(Problem.from_dense(m), SOLVERS[name]) for m in (matrix, matrix * 2.0**-600))
    np.testing.assert_array_equal(one.permutation, two.permutation)
    assert (one.value, one.upper) == (two.value, two.upper)


@pytest.mark.parametrize("name", SOLVERS)
def test_all_inputs_are_solved_alike(name):
    rng = np.random.default_rng(8)
    matrix = rng.normal(size=(8, 8)) * (rng.random((8, 8)) < 0.6)
    rows, columns = np.nonzero(matrix)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(8))
    graph.add_weighted_edges_from(
        (int(c), int(r), float(matrix[r, c])) for r, c in zip(rows, columns, strict=True)
    )
    one, *others = (
        solve(problem, SOLVERS[name])
        for problem in (
            Problem.from_dense(matrix),
            Problem.from_sparse(sp.csc_array(matrix)),
            Problem.from_edges(columns, rows, matrix[rows, columns]),
            Problem.from_networkx(graph),
        )
    )
    for other in others:
        np.testing.assert_array_equal(one.permutation, other.permutation)
        assert (one.value, one.upper) == (other.value, other.upper)


@pytest.mark.parametrize("name", EXACT)
def test_large_integers_are_exact_or_not_certified(name):
    for seed in range(15):
        rng = np.random.default_rng(seed)
        matrix = (10**10 + rng.integers(0, 4, size=(7, 7))) * (rng.random((7, 7)) < 0.6)
        problem = Problem.from_dense(matrix)
        ordering = solve(problem, SOLVERS[name])
        least = least_below(problem)
        assert ordering.upper >= 1 - float(least / Fraction(problem.total))
        assert not ordering.certified or problem.below(ordering.permutation) == least


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
def test_ample_time_gives_the_answer_of_no_limit(name):
    size = 7 if name == "exhaustive" else 12
    problem = Problem.from_dense(np.random.default_rng(9).normal(size=(size, size)))
    one, two = (solve(problem, SOLVERS[name], time_limit=limit) for limit in (None, 1000))
    np.testing.assert_array_equal(one.permutation, two.permutation)
    assert (one.value, one.upper) == (two.value, two.upper)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("seconds", [0, 0.001, 0.02])
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


def test_ctrl_c_keeps_what_annealing_has_reached(monkeypatch):
    sweep, count = annealing_module.anneal_sweep, 0

    def interrupted(*arguments):
        nonlocal count
        count += 1
        if count == 500:
            raise KeyboardInterrupt
        return sweep(*arguments)

    monkeypatch.setattr(annealing_module, "anneal_sweep", interrupted)
    rng = np.random.default_rng(10)
    matrix = rng.normal(size=(40, 40)) * (rng.random((40, 40)) < 0.3)
    problem = Problem.from_dense(matrix)
    ordering = solve(problem, Annealing(sweeps=501, hot=0.5))
    assert "interrupted" in ordering.status
    assert ordering.value > solve(problem, Annealing(sweeps=0), time_limit=1e-9).value
    assert ordering.value == 1 - problem.below(ordering.permutation) / problem.total


def test_ctrl_c_ends_the_threads_of_branch_and_cut(monkeypatch):
    solved, limits = Relaxation.solve, []

    def interrupting(self, *arguments):
        if not limits:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        limits.append(arguments[0])
        return solved(self, *arguments)

    monkeypatch.setattr(Relaxation, "solve", interrupting)
    before = set(threading.enumerate())
    problem = Problem.from_dense(np.random.default_rng(11).normal(size=(60, 60)))
    ordering = solve(problem, BranchAndCut(Memetic(members=4, patience=1)))
    assert "interrupted" in ordering.status
    assert ordering.lower < ordering.upper <= 1
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=120)  # left alone, the search would take hours
        assert not thread.is_alive()
    assert limits[0] == math.inf


def test_rounding_does_not_send_local_search_in_circles():
    for seed in range(40):
        matrix = 0.1 * np.random.default_rng(seed).integers(0, 4, size=(12, 12))
        assert solve(Problem.from_dense(matrix), BranchAndCut()).certified


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
