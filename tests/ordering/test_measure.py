"""Orderedness of matrices and populations, against search over every order."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from orderedness.ordering import BranchAndCut, Memetic, orderedness


def share_below(square, order, count_self=True, extra=0.0):
    permuted = np.abs(square)[np.ix_(order, order)]
    below = np.tril(permuted, -1).sum()
    total = below + np.triu(permuted, 0 if count_self else 1).sum() + extra
    return below / total if total > 0 else np.nan


def by_search(weights, outputs, count_self=True, count_inputs=False):
    rows = weights.shape[0]
    square = np.asarray(weights, float)[:, :rows]
    extra = np.abs(weights[:, rows:]).sum() if count_inputs else 0.0
    return 1 - min(
        share_below(square, [*range(outputs), *hidden], count_self, extra)
        for hidden in itertools.permutations(range(outputs, rows))
    )


MATRICES = st.integers(0, 3).flatmap(
    lambda o: st.tuples(
        st.just(o),
        st.integers(max(0, 1 - o), 5).flatmap(
            lambda h: st.integers(0, 2).flatmap(
                lambda i: arrays.arrays(
                    np.float64,
                    (o + h, o + h + i),
                    elements=st.one_of(
                        st.sampled_from([0.0, 0.0, 1.0, -1.0, 2.0]), st.floats(-10, 10, width=32)
                    ),
                )
            )
        ),
    )
)


@settings(max_examples=300, deadline=None)
@given(MATRICES, st.booleans(), st.booleans())
def test_value_is_the_best_over_all_orders(case, count_self, count_inputs):
    outputs, weights = case
    result = orderedness(weights, outputs=outputs, count_self=count_self, count_inputs=count_inputs)
    expected = by_search(weights, outputs, count_self, count_inputs)
    np.testing.assert_allclose(result.value, expected, atol=1e-12)
    rows = weights.shape[0]
    assert list(result.permutation[:outputs]) == list(range(outputs))
    assert sorted(result.permutation) == list(range(rows))
    extra = np.abs(weights[:, rows:]).sum() if count_inputs else 0.0
    shown = 1 - share_below(weights[:, :rows], result.permutation, count_self, extra)
    np.testing.assert_allclose(result.value, shown, atol=1e-12)
    inner = by_search(weights[outputs:, outputs:rows], 0, count_self) if rows > outputs else np.nan
    np.testing.assert_allclose(result.hidden, inner, atol=1e-12)


@pytest.mark.parametrize("outputs", [0, 1, 2, 3])
@pytest.mark.parametrize("hidden", range(8))
def test_random_networks_with_ties_and_zeros(outputs, hidden):
    rng = np.random.default_rng(10 * outputs + hidden)
    rows = outputs + hidden
    if rows == 0:
        return
    weights = rng.normal(size=(rows, rows + 2, 4))
    weights[..., 1] = rng.integers(-2, 3, size=weights.shape[:2])
    weights[..., 2] *= rng.random(weights.shape[:2]) < 0.3
    weights[..., 3] = 0.0
    result = orderedness(weights, outputs=outputs)
    expected = [by_search(weights[..., k], outputs) for k in range(4)]
    np.testing.assert_allclose(result.value, expected, atol=1e-12)
    assert np.isnan(result.value[3])
    assert result.certified.all()


@pytest.mark.parametrize("hidden", [0, 1, 5, 12, 13])
def test_company_does_not_change_bits(hidden):
    weights = np.random.default_rng(hidden).normal(size=(2 + hidden, 4 + hidden, 37))
    together = orderedness(weights, outputs=2)
    for k in (0, 17, 36):
        alone = orderedness(weights[..., k], outputs=2)
        assert alone.value == together.value[k]
        np.testing.assert_equal(alone.hidden, together.hidden[k])
        np.testing.assert_array_equal(alone.permutation, together.permutation[:, k])


def test_trailing_axes_keep_their_shape():
    weights = np.random.default_rng(0).normal(size=(4, 6, 2, 3)).astype(np.float32)
    result = orderedness(weights, outputs=1, inputs=2)
    assert result.value.shape == result.hidden.shape == result.certified.shape == (2, 3)
    assert result.permutation.shape == (4, 2, 3)
    assert result.value[1, 2] == orderedness(weights[:, :, 1, 2], outputs=1).value
    assert orderedness(np.zeros((3, 4, 0))).value.shape == (0,)


def test_thirteen_units_take_the_other_kernel_and_agree():
    rng = np.random.default_rng(1)
    twelve = rng.normal(size=(12, 12))
    thirteen = np.zeros((13, 13))
    thirteen[:12, :12] = twelve  # a unit without connections changes nothing
    a, b = orderedness(twelve), orderedness(thirteen)
    np.testing.assert_allclose(a.value, b.value, rtol=1e-14)


def test_ties_leave_units_where_they_are():
    np.testing.assert_array_equal(orderedness(np.zeros((6, 6))).permutation, range(6))
    np.testing.assert_array_equal(orderedness(np.ones((14, 14))).permutation, range(14))


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-30, 1e30, 1e307])
def test_magnitudes_at_the_ends_of_the_range(scale):
    weights = np.random.default_rng(2).integers(1, 9, size=(5, 5)).astype(float)
    plain = orderedness(weights)
    scaled = orderedness(weights * scale)
    np.testing.assert_allclose(scaled.value, plain.value, rtol=1e-12)


def test_upper_triangle_is_fully_ordered():
    weights = np.triu(np.ones((7, 7)))
    shuffle = np.random.default_rng(3).permutation(7)
    assert orderedness(weights[np.ix_(shuffle, shuffle)]).value == 1.0
    assert orderedness(weights.T, outputs=7).value == pytest.approx(1 - 21 / 28)


def test_other_kinds_of_arrays():
    values = np.random.default_rng(4).normal(size=(4, 4)).astype(np.float32)
    expected = orderedness(values).value
    jnp = pytest.importorskip("jax.numpy")
    assert orderedness(jnp.asarray(values)).value == expected
    assert orderedness(values.tolist()).value == expected

    class Tensor:  # what torch offers, torch itself being too heavy to require
        requires_grad = True
        dtype = "torch.float32"

        def detach(self):
            return self

        def cpu(self):
            return values

    assert orderedness(Tensor()).value == expected
    assert orderedness(jnp.asarray(values, jnp.bfloat16)).value == pytest.approx(expected, rel=1e-2)


@pytest.mark.parametrize(
    ("weights", "options", "words"),
    [
        (np.zeros(3), {}, "at least 2 axes"),
        (np.zeros((5, 2, 2)), {}, "np.moveaxis"),
        (np.ones((3, 4)), {"inputs": 2}, "inputs must be columns - rows = 1"),
        (np.ones((3, 3)), {"outputs": 4}, "outputs must be from 0 to the 3 rows"),
        (np.ones((3, 3)), {"outputs": -1}, "outputs must be from 0"),
        (np.array([[1.0, np.nan], [0, 0]]), {}, r"weights must be finite, got nan at \(0, 1\)"),
        (np.full((2, 2, 3), np.inf), {}, r"got inf at \(0, 0, 0\)"),
        ([[1.0, 2.0], [3.0]], {}, "regular array"),
    ],
)
def test_bad_values_are_named(weights, options, words):
    with pytest.raises(ValueError, match=words):
        orderedness(weights, **options)


@pytest.mark.parametrize(
    ("weights", "options", "words"),
    [
        (np.ones((2, 2), complex), {}, "real numbers"),
        (np.ones((2, 2)), {"outputs": 1.5}, "outputs must be an integer"),
        (np.ones((2, 2)), {"inputs": "0"}, "inputs must be an integer"),
    ],
)
def test_wrong_types_are_named(weights, options, words):
    with pytest.raises(TypeError, match=words):
        orderedness(weights, **options)


@pytest.mark.parametrize("options", [{}, {"count_self": False}, {"count_inputs": True}])
def test_solvers_agree_with_dynamic_programming(options):
    weights = np.random.default_rng(5).normal(size=(13, 15, 2))
    weights[:, :, 1] *= 1e3
    exact = orderedness(weights, outputs=2, **options)
    by_solver = orderedness(weights, outputs=2, solver=BranchAndCut(), **options)
    assert by_solver.certified.all()
    np.testing.assert_allclose(by_solver.value, exact.value, atol=1e-12)
    np.testing.assert_allclose(by_solver.hidden, exact.hidden, atol=1e-12)
    np.testing.assert_array_equal(by_solver.upper, by_solver.value)
    stopped = orderedness(weights, outputs=2, solver=Memetic(), time_limit=0, **options)
    assert (stopped.lower <= exact.value).all()
    assert (exact.value <= stopped.upper).all()


def test_more_hidden_units_than_subsets_allow():
    weights = np.random.default_rng(6).normal(size=(24, 26))
    result = orderedness(weights, outputs=2)
    assert result.certified
    assert result.lower == result.value == result.upper
    order = result.permutation
    below = np.tril(np.abs(weights)[:, :24][np.ix_(order, order)], -1).sum()
    assert result.value == pytest.approx(1 - below / np.abs(weights[:, :24]).sum())
    assert np.isnan(orderedness(np.zeros((24, 24))).value)
