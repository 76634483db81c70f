"""What each null model keeps, and that its p-values are fair."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from orderedness.measuring import NULL_MODELS, measure
from orderedness.measuring.null_models import compare_with_null, quick_solver
from orderedness.ordering import Problem, solve


@st.composite
def graphs(draw):
    size = draw(st.integers(2, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    density = draw(st.sampled_from([0.1, 0.3, 0.8, 1.0]))
    matrix = rng.integers(1, 50, (size, size)) * (rng.random((size, size)) < density)
    return sp.csr_array(matrix * (1.0 - np.eye(size)))


@pytest.mark.parametrize("model", NULL_MODELS)
@settings(max_examples=60, deadline=None)
@given(weights=graphs(), seed=st.integers(0, 1000))
def test_what_every_null_model_keeps(model, weights, seed):
    before = weights.copy()
    drawn = NULL_MODELS[model](weights, np.random.default_rng(seed))
    assert (before != weights).nnz == 0
    assert drawn.shape == weights.shape
    assert sorted(drawn.data) == sorted(weights.data)
    assert not drawn.diagonal().any()
    again = NULL_MODELS[model](weights, np.random.default_rng(seed))
    assert (again != drawn).nnz == 0


@settings(max_examples=60, deadline=None)
@given(weights=graphs(), seed=st.integers(0, 1000))
def test_what_each_null_model_keeps(weights, seed):
    def draw(model):
        return NULL_MODELS[model](weights, np.random.default_rng(seed)).toarray()

    matrix = weights.toarray()
    turned = draw("orientation")
    assert (turned + turned.T == matrix + matrix.T).all()
    assert (np.maximum(turned, turned.T) == np.maximum(matrix, matrix.T)).all()
    assert ((draw("weights") > 0) == (matrix > 0)).all()
    rewired = draw("degrees")
    assert ((rewired > 0).sum(axis=1) == (matrix > 0).sum(axis=1)).all()
    assert (np.sort(rewired, axis=0) == np.sort(matrix, axis=0)).all()  # weights leave with sources


def test_entries_go_everywhere_alike():
    weights = sp.csr_array(np.array([[0, 1.0, 0], [0, 0, 0], [0, 0, 0]]))
    rng = np.random.default_rng(0)
    total = sum(NULL_MODELS["entries"](weights, rng).toarray() for _ in range(6000))
    off = total[~np.eye(3, dtype=bool)]
    assert abs(off - 1000).max() < 5 * np.sqrt(1000 * 5 / 6)


def test_pairs_turn_by_a_fair_coin():
    weights = sp.csr_array(np.array([[0, 1.0], [0, 0]]))
    rng = np.random.default_rng(0)
    turned = sum(NULL_MODELS["orientation"](weights, rng)[1, 0] for _ in range(4000))
    assert abs(turned - 2000) < 5 * np.sqrt(1000)


def test_rewiring_does_rewire():
    rng = np.random.default_rng(0)
    matrix = (rng.random((60, 60)) < 0.1) * (1.0 - np.eye(60))
    drawn = NULL_MODELS["degrees"](sp.csr_array(matrix), rng).toarray()
    assert (drawn * matrix).sum() < 0.3 * matrix.sum()


def test_p_is_the_add_one_share():
    matrix = np.random.default_rng(3).random((6, 6))
    problem = Problem.from_dense(matrix)
    compared = compare_with_null(problem, solve(problem), "entries", draws=19, seed=4)
    rng = np.random.default_rng(4)
    values = []
    for _ in range(19):
        drawn = NULL_MODELS["entries"](problem.weights, rng).toarray() + np.diag(np.diag(matrix))
        values.append(solve(Problem.from_dense(drawn)).value)
    assert compared.alike == "all certified"
    at_least = sum(value >= compared.observed - 1e-9 for value in values)
    assert compared.p == pytest.approx((1 + at_least) / 20)
    assert compared.mean == pytest.approx(np.mean(values))
    assert compared.z == pytest.approx(
        (compared.observed - np.mean(values)) / np.std(values, ddof=1)
    )


def test_p_of_a_network_that_is_a_draw_is_uniform():
    ranks = []
    for seed in range(60):
        matrix = np.random.default_rng(seed).random((5, 5))
        compared = measure(matrix, null="entries", draws=9, seed=1000 + seed, company=False).null
        ranks.append(round(compared.p * 10))
    assert 3.9 < np.mean(ranks) < 7.1  # 5.5 in the mean, with a standard error of 0.37
    assert len(set(ranks)) >= 7


def test_a_feed_forward_net_stands_out():
    rng = np.random.default_rng(0)
    matrix = np.triu(rng.random((10, 10)), 1)
    found = measure(matrix, null="orientation", draws=39)
    assert found.null.observed == 1
    assert found.null.p == 1 / 40
    assert found.null.z > 3


def test_what_is_not_certified_is_compared_with_the_same_effort():
    matrix = np.random.default_rng(0).random((90, 90))
    found = measure(matrix, null="orientation", draws=5, time_limit=0.3, company=False)
    assert "sweeps of annealing" in found.null.alike
    assert found.null.observed <= found.upper
    assert abs(found.null.excess) < 0.05


def test_the_effort_fits_the_time():
    assert quick_solver(10**7, 0.1).sweeps == 20
    assert quick_solver(10, 10.0).sweeps == 200


def test_draws_end_with_the_time():
    matrix = np.random.default_rng(0).random((60, 60))
    found = measure(matrix, null="orientation", draws=10**6, time_limit=0.2, company=False)
    assert 1 <= found.null.draws < 10**6


def test_pins_and_self_connections_stay():
    rng = np.random.default_rng(7)
    problem = Problem.from_dense(rng.random((6, 6)), front=[0], back=[3])
    compared = compare_with_null(problem, solve(problem), "weights", draws=5)
    draws = np.random.default_rng(0)
    values = []
    for _ in range(5):
        drawn = NULL_MODELS["weights"](problem.weights, draws).toarray()
        again = Problem.from_dense(drawn, front=[0], back=[3])
        values.append(1 - again.below(solve(again).permutation) / problem.total)
    assert compared.mean == pytest.approx(np.mean(values))
