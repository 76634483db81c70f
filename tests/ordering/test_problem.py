"""Ways to state a problem, and what is said about those that cannot be."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from orderedness.ordering import Problem, solve

MATRIX = np.array([[1.0, -2.0, 0.0], [3.0, 0.0, 4.0], [5.0, 0.0, 0.0]])


def test_all_ways_give_the_same_problem():
    rows, columns = np.nonzero(MATRIX)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(3))
    graph.add_weighted_edges_from(
        (int(c), int(r), float(MATRIX[r, c])) for r, c in zip(rows, columns, strict=True)
    )
    for problem in (
        Problem.from_dense(MATRIX),
        Problem.from_dense(MATRIX.tolist()),
        Problem.from_sparse(sp.csc_array(MATRIX)),
        Problem.from_sparse(sp.coo_matrix(MATRIX)),
        Problem.from_edges(columns, rows, MATRIX[rows, columns]),
        Problem.from_networkx(graph),
    ):
        np.testing.assert_array_equal(
            problem.weights.toarray(), np.abs(MATRIX) - np.eye(3, 3) * [1, 0, 0]
        )
        assert problem.total == 15.0
        assert problem.apart == 1.0
        assert problem.integral


def test_self_connections_may_be_left_out():
    assert Problem.from_dense(MATRIX, count_self=False).total == 14.0


def test_duplicate_edges_add_up_with_their_signs():
    problem = Problem.from_edges([0, 0, 0], [1, 1, 1], [1.0, 2.0, -4.0])
    assert problem.weights[1, 0] == 1.0


def test_duplicates_of_small_types_do_not_wrap():
    places = ([1, 1, 1], [0, 0, 0])
    for dtype, values, total in (("int8", [100, 100, 100], 300.0), ("bool", [1, 1, 1], 3.0)):
        matrix = sp.coo_array((np.array(values, dtype), places), shape=(2, 2))
        assert Problem.from_sparse(matrix).total == total


def test_self_connections_left_out_do_not_drown_the_rest():
    matrix = np.array([[1e308, 1e-300], [3e-300, 0.0]])
    assert solve(Problem.from_dense(matrix, count_self=False)).value == pytest.approx(0.75)


def test_pinned_nodes_may_be_any_iterable():
    graph = nx.DiGraph([("a", "b"), ("b", "a")])
    problem = Problem.from_networkx(graph, front=iter(["a"]), back=(n for n in "b"))
    assert (problem.front, problem.back) == ((0,), (1,))


def test_inputs_are_not_changed():
    matrix = sp.csr_array(MATRIX)
    Problem.from_sparse(matrix)
    np.testing.assert_array_equal(matrix.toarray(), MATRIX)


def test_nodes_of_a_graph_may_be_anything():
    graph = nx.MultiDiGraph()
    graph.add_edge("a", "b", weight=2.0)
    graph.add_edge("a", "b", weight=1.0)
    graph.add_edge("b", "a")
    problem = Problem.from_networkx(graph, front=["a"])
    assert problem.front == (0,)
    assert solve(problem).value == 0.25


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Problem.from_dense(np.ones((2, 3))), ValueError, r"square, got shape \(2, 3\)"),
        (lambda: Problem.from_dense([[0, np.nan], [0, 0]]), ValueError, r"got nan at \(0, 1\)"),
        (lambda: Problem.from_dense(np.ones((2, 2), complex)), TypeError, "real numbers"),
        (lambda: Problem.from_dense(sp.eye_array(2)), TypeError, "from_sparse"),
        (lambda: Problem.from_dense(np.ones((2, 2)), front=[2]), ValueError, "from 0 to 1, got 2"),
        (lambda: Problem.from_dense(np.ones((2, 2)), front=[0], back=[0]), ValueError, "twice"),
        (lambda: Problem.from_dense(np.ones((2, 2)), back=[0.5]), TypeError, "unit indices"),
        (lambda: Problem.from_sparse(np.ones((2, 2))), TypeError, "SciPy sparse"),
        (lambda: Problem.from_sparse(sp.csr_array((2, 3))), ValueError, "square"),
        (
            lambda: Problem.from_sparse(sp.csr_array([[0, np.inf], [0, 0]])),
            ValueError,
            r"got inf at \(0, 1\)",
        ),
        (lambda: Problem.from_edges([0], [5], units=3), ValueError, "units - 1 = 2, got 5"),
        (lambda: Problem.from_edges([], [], units=-1), ValueError, "units must be at least 0"),
        (lambda: Problem.from_edges([0], [1], units=2.5), TypeError, "units must be an integer"),
        (lambda: Problem.from_edges([-1], [0]), ValueError, "got -1"),
        (lambda: Problem.from_edges([0.5], [0]), TypeError, "integers"),
        (lambda: Problem.from_edges([0, 1], [0]), ValueError, "targets must be 2"),
        (lambda: Problem.from_edges([0], [1], [1.0, 2.0]), ValueError, "each of 1 edges"),
        (lambda: Problem.from_edges([0], [1], [np.nan]), ValueError, "got nan at edge 0"),
        (lambda: Problem.from_networkx(nx.Graph()), TypeError, "directed"),
        (lambda: Problem.from_networkx(nx.DiGraph([(0, 1)]), front=["x"]), ValueError, "nodes"),
    ],
)
def test_what_cannot_be_is_named(make, error, words):
    with pytest.raises(error, match=words):
        make()
