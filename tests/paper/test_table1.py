import numpy as np
import pytest

from orderedness.ordering import orderedness
from orderedness.paper import (
    COLUMNS,
    PRINTED_TWICE,
    ROWS,
    TABLE1,
    UNTRAINED_ORDEREDNESS,
    Cell,
    afresh,
    draws,
    replay,
)


@pytest.fixture(scope="module")
def replayed():
    return {(cell.row, cell.column): cell for cell in replay()}


def test_every_published_cell_matches_to_the_third_decimal(replayed):
    assert len(TABLE1) + len(PRINTED_TWICE) == 27
    differing = [place for place in TABLE1 if not replayed[place].agrees]
    assert not differing


def test_every_network_changes_as_it_did_in_the_paper(replayed):
    networks = 0
    for row in ROWS:
        for column in COLUMNS:
            given = draws(row, column)
            change = replayed[row, column].networks
            np.testing.assert_allclose(change, given.after - given.before, atol=1e-4)
            networks += len(change)
    assert networks == 240


def test_all_cells_appear_with_none_for_what_is_not_printed(replayed):
    assert len(replayed) == 27
    data = {(cell["row"], cell["column"]): cell for cell in map(Cell.as_json, replayed.values())}
    assert data["uniform_weights", "none"]["published_mean"] is None
    assert data["default", UNTRAINED_ORDEREDNESS]["published_mean"] == 0.672
    assert set(data["topk", "xor"]) == {
        "row", "column", "mean", "std", "published_mean", "published_std", "networks",
    }  # fmt: skip
    assert len(data["topk", "xor"]["networks"]) == 10


def test_the_draws_orderedness_is_ours():
    for row in ROWS:
        for column in COLUMNS:
            given = draws(row, column)
            ours = orderedness(given.weights, outputs=1).value
            np.testing.assert_allclose(ours, given.before, atol=2e-6)


def test_afresh_networks_are_independent_of_how_many_and_differ_by_seed():
    few, more, other = afresh(3), afresh(5), afresh(3, seed=1)
    for small, large, different in zip(few, more, other, strict=True):
        np.testing.assert_array_equal(small.networks, large.networks[:3])
        if (small.row, small.column) == ("topk", "xor"):
            assert (small.networks != different.networks).all()


def test_readings_and_shared_masks_change_what_they_should():
    cells = {
        name: {(cell.row, cell.column): cell.networks for cell in afresh(4, **arguments)}
        for name, arguments in {
            "run": {},
            "written": {"reading": "written"},
            "counted": {"count_inputs": True},
            "shared": {"shared_mask": True},
        }.items()
    }
    start = ("default", UNTRAINED_ORDEREDNESS)
    np.testing.assert_array_equal(cells["written"][start], cells["run"][start])
    assert (cells["written"]["dynamic_topk", "xor"] != cells["run"]["dynamic_topk", "xor"]).any()
    assert (cells["counted"][start] > cells["run"][start]).all()  # inputs only flow forward
    assert (cells["shared"]["random", "xor"] != cells["run"]["random", "xor"]).any()
    np.testing.assert_array_equal(cells["shared"]["topk", "xor"], cells["run"]["topk", "xor"])


def test_undefined_networks_are_counted_and_left_out():
    cell = Cell("topk", "xor", np.array([0.1, np.nan, 0.3]))
    assert (cell.undefined, round(cell.mean, 6)) == (1, 0.2)
    assert cell.as_json()["networks"] == [0.1, None, 0.3]
    empty = Cell("topk", "xor", np.array([np.nan]))
    assert empty.as_json()["mean"] is None


def test_bad_input_gets_one_sentence():
    with pytest.raises(ValueError, match="networks is 0"):
        afresh(0)
    with pytest.raises(ValueError, match="seed is 5000"):
        afresh(1, seed=5000)
    with pytest.raises(ValueError, match=r"row is 'topkk'.*did you mean 'topk'"):
        draws("topkk", "xor")
