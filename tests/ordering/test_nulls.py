import numpy as np
import pytest

from orderedness.ordering.nulls import MODELS, null_orderedness


def test_every_null_keeps_what_it_says():
    random = np.random.default_rng(0)
    square = np.abs(random.normal(size=(6, 6))) * (random.random((6, 6)) < 0.6)
    dense = np.abs(random.normal(size=(6, 6)))
    drawn = {
        name: make(np.random.default_rng(1), square, dense, 2, 200) for name, make in MODELS.items()
    }
    for name in ("entries", "roles", "orientation"):
        np.testing.assert_allclose(
            np.sort(drawn[name].reshape(200, -1)), np.sort(square.ravel())[None].repeat(200, 0)
        )
    for block in (np.s_[:2], np.s_[2:, :2], np.s_[2:, 2:]):
        for name, of in (("roles", square), ("masks", None)):
            for null in drawn[name]:
                if of is not None:
                    assert np.allclose(np.sort(null[block].ravel()), np.sort(of[block].ravel()))
                assert (null[block] > 0).sum() == (square[block] > 0).sum()
    pairs = np.sort(np.stack([drawn["orientation"], drawn["orientation"].swapaxes(1, 2)]), axis=0)
    np.testing.assert_allclose(pairs, np.sort([square, square.T], axis=0)[:, None].repeat(200, 1))
    assert ((drawn["masks"] == 0) | np.isclose(drawn["masks"], dense)).all()
    for null in drawn.values():
        assert len({draw.tobytes() for draw in null}) > 150, "draws differ"


@pytest.mark.parametrize("model", sorted(MODELS))
@pytest.mark.parametrize("masked", [False, True])
def test_calibrated_on_untrained_networks(model, masked):
    """Of untrained networks, dense or randomly masked, 5 % have p at or below 0.05."""
    networks, draws = 4000, 39
    random = np.random.default_rng(7)
    # Of few units one orientation in nine or so is acyclic: ties would keep every p above 0.05.
    units = 10 if model == "orientation" else 6
    dense = random.normal(size=(units, units + 2, networks))
    weights = dense * (random.random(dense.shape) < 0.6) if masked or model == "masks" else dense
    result = null_orderedness(
        weights, model, draws=draws, outputs=1, reference=dense if model == "masks" else None
    )
    for excess in (result.full, result.hidden):
        share = np.mean(excess.p[np.isfinite(excess.p)] <= 0.05)
        # Four standard errors; ties make the test of sparse networks slightly conservative.
        assert 0.03 < share < 0.064, share
        assert abs(np.nanmean(excess.excess)) < 4 * np.nanstd(excess.excess) / np.sqrt(networks)


def test_order_is_found_where_there_is_some():
    random = np.random.default_rng(1)
    weights = np.triu(random.normal(size=(6, 6)))[..., None].repeat(5, -1)
    for model in ("entries", "roles", "orientation"):
        result = null_orderedness(weights, model, draws=199, outputs=1)
        assert (result.full.p < 0.05).all()
        assert (result.full.z > 1.5).all()


def test_draws_depend_on_the_networks_own_seed_alone():
    weights = np.random.default_rng(2).normal(size=(5, 5, 700))
    every = null_orderedness(weights, "entries", draws=5, seeds=np.arange(700))
    some = null_orderedness(weights[..., [650, 3]], "entries", draws=5, seeds=np.array([650, 3]))
    np.testing.assert_array_equal(every.full.mean[[650, 3]], some.full.mean)
    other = null_orderedness(weights[..., [650]], "entries", draws=5, seeds=np.array([9]))
    assert other.full.mean[0] != some.full.mean[0]


def test_inputs_count_in_the_null_as_they_do_in_the_network():
    weights = np.random.default_rng(3).normal(size=(5, 8, 20))
    plain, counted = (
        null_orderedness(weights, "entries", draws=9, outputs=1, count_inputs=count)
        for count in (False, True)
    )
    size = np.abs(weights).sum(axis=(0, 1))
    square = np.abs(weights[:, :5]).sum(axis=(0, 1))
    np.testing.assert_allclose(1 - counted.full.mean, (1 - plain.full.mean) * square / size)
    np.testing.assert_allclose(counted.full.excess, plain.full.excess * square / size)
    np.testing.assert_array_equal(counted.full.p, plain.full.p)
    np.testing.assert_array_equal(counted.hidden.mean, plain.hidden.mean)


def test_undefined_networks_stay_undefined():
    result = null_orderedness(np.zeros((3, 3, 2)), "entries", draws=3)
    assert np.isnan(result.full.p).all()
    assert np.isnan(result.full.excess).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "entry"}, "model is 'entry'.*did you mean 'entries'"),
        ({"model": "masks"}, "reference is missing"),
        ({"model": "roles", "reference": np.ones((3, 3))}, "reference is given"),
        ({"model": "roles", "draws": 0}, "draws is 0"),
        ({"model": "roles", "seeds": np.arange(2)}, r"seeds has shape \(2,\)"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        null_orderedness(np.ones((3, 3)), **arguments)
