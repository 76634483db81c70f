"""The worked values, and what must hold of every measure."""

import itertools
import math

import networkx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from orderedness.measuring import Network, measure
from orderedness.measuring.company import (
    agony,
    flow,
    henrici,
    levels,
    springrank,
    table,
)
from orderedness.measuring.company.reach import reach

CHAIN = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)]
WORKED = {  # edges: O without pins, F0, agony hierarchy, Henrici
    "chain of 4": (CHAIN, 1, 0, 1, 1),
    "feed-forward loop": ([(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0)], 1, 1 / 9, 1, 1),
    "3-cycle": ([(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0)], 2 / 3, 1, 0, 0),
    "pair 2:1": ([(0, 1, 2.0), (1, 0, 1.0)], 2 / 3, 8 / 9, 1 / 3, 0.44721),
    "chain and 3->0": ([*CHAIN, (3, 0, 0.5)], 0.85714, 0.91429, 0.42857, 0.36016),
    "chain and 1->0": ([*CHAIN, (1, 0, 0.5)], 0.85714, 0.38095, 0.71429, 0.83205),
}


@pytest.mark.parametrize("name", WORKED)
def test_worked_values(name):
    edges, ordered, incoherence, hierarchy, departure = WORKED[name]
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from(edges)
    found = measure(graph)
    assert found.certified
    assert found.orderedness == pytest.approx(ordered, abs=5e-6)
    assert found.measures["trophic_incoherence"] == pytest.approx(incoherence, abs=5e-6)
    assert found.measures["agony_hierarchy"] == pytest.approx(hierarchy, abs=5e-6)
    assert found.measures["departure_from_normality"] == pytest.approx(departure, abs=5e-6)


@st.composite
def graphs(draw, most=6, scale=(1.0,)):
    """Weights of at least 0 without self-connections, some sparse, tied or not connected."""
    size = draw(st.integers(2, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    density = draw(st.sampled_from([0.15, 0.4, 1.0]))
    whole = draw(st.booleans())
    matrix = rng.integers(1, 4, (size, size)) if whole else rng.random((size, size)) + 0.01
    matrix = matrix * (rng.random((size, size)) < density) * (1 - np.eye(size))
    return sp.csr_array(matrix * draw(st.sampled_from(scale)))


def least_agony(weights):
    matrix = weights.toarray()
    size = len(matrix)
    return min(
        sum(
            matrix[r, c] * max(ranks[c] - ranks[r] + 1, 0)
            for r, c in zip(*matrix.nonzero(), strict=True)
        )
        for ranks in itertools.product(range(size), repeat=size)
    )


@settings(max_examples=40, deadline=None)
@given(weights=graphs(most=4, scale=(1.0, 1e-6, 1e6)))
def test_agony_is_the_least_of_all_ranks(weights):
    assert agony.agony(weights) == pytest.approx(least_agony(weights), rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(weights=graphs(scale=(1.0, 1e-100, 1e100)))
def test_levels_are_those_of_least_squares(weights):
    if not weights.nnz:
        return
    edges = weights.tocoo()
    rows, columns = edges.coords
    climbs = np.zeros((edges.nnz, weights.shape[0]))
    climbs[np.arange(edges.nnz), rows] += 1
    climbs[np.arange(edges.nnz), columns] -= 1
    root = np.sqrt(edges.data / edges.data.max())
    best = np.linalg.lstsq(climbs * root[:, None], root)[0]
    left = (edges.data * (climbs @ best - 1) ** 2).sum() / edges.data.sum()
    assert levels.trophic_incoherence(weights) == pytest.approx(left, abs=1e-8)
    ranks = springrank.spring_ranks(weights)
    assert climbs @ ranks == pytest.approx(-(climbs @ best), abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(weights=graphs())
def test_against_networkx(weights):
    graph = networkx.from_scipy_sparse_array(sp.csr_array(weights.T), create_using=networkx.DiGraph)
    if weights.nnz:
        shares = networkx.flow_hierarchy(graph, weight="weight")
        assert flow.flow_hierarchy(weights) == pytest.approx(shares)
    reached = [len(networkx.descendants(graph, unit)) + 1 for unit in graph]
    assert reach(weights).tolist() == reached
    if weights.nnz:
        graph = networkx.DiGraph(graph.edges)  # without weights: by counting
        graph.add_nodes_from(range(weights.shape[0]))
        central = networkx.global_reaching_centrality(graph)
        assert flow.global_reaching_centrality(weights) == pytest.approx(central)


@settings(max_examples=60, deadline=None)
@given(weights=graphs())
def test_what_the_measures_say_of_orderedness(weights):
    found = measure(weights)
    if not weights.nnz:
        assert math.isnan(found.orderedness)
        assert math.isnan(found.measures["trophic_incoherence"])
        return
    rounding = 1e-9
    assert found.measures["springrank_forward"] <= found.orderedness + rounding
    assert found.orderedness <= 1 - found.measures["reciprocity"] / 2 + rounding
    assert found.measures["flow_hierarchy"] <= found.orderedness + rounding
    assert found.measures["agony_hierarchy"] <= found.orderedness + 1e-6
    assert -rounding <= found.measures["trophic_incoherence"] <= 1 + rounding


def test_relabelling_changes_nothing():
    rng = np.random.default_rng(5)
    matrix = rng.random((7, 7)) * (rng.random((7, 7)) < 0.4)
    shuffle = rng.permutation(7)
    first = measure(matrix).measures
    second = measure(matrix[np.ix_(shuffle, shuffle)]).measures
    for name, value in first.items():
        assert second[name] == pytest.approx(value, abs=1e-7), name


def test_departure_sees_signs_and_self_connections():
    turn = sp.csr_array(np.array([[0.0, -1.0], [1.0, 0.0]]))
    assert henrici.departure_from_normality(turn) == pytest.approx(0, abs=1e-7)
    own = sp.csr_array(np.array([[1.0, 0.0], [1.0, 1.0]]))
    assert henrici.departure_from_normality(own) == pytest.approx(math.sqrt(1 / 3), abs=1e-6)
    assert math.isnan(henrici.departure_from_normality(sp.csr_array((2, 2))))


def test_what_costs_too_much_is_left_out_and_says_so(monkeypatch):
    monkeypatch.setattr(table, "EIGEN_UNITS", 3)
    monkeypatch.setattr(table, "AGONY_EDGES", 1)
    measures, left_out = table.measure_company(Network.from_matrix(np.ones((4, 4))))
    assert measures["departure_from_normality"] is None
    assert left_out["departure_from_normality"] == "4 units, computed for up to 3"
    assert left_out["agony_hierarchy"] == "12 edges in cycles, computed for up to 1"
    assert measures["reciprocity"] == 1


def test_levels_that_do_not_converge_are_left_out(monkeypatch):
    monkeypatch.setattr(levels, "ITERATIONS", 1)
    measures, left_out = table.measure_company(
        Network.from_matrix(np.random.default_rng(0).random((9, 9)))
    )
    assert measures["trophic_incoherence"] is None
    assert measures["springrank_forward"] is None
    assert "did not converge" in left_out["springrank_forward"]
