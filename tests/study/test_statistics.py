import numpy as np
import pytest

from orderedness.study.statistics import Comparison, estimate, judge, solved_share


def test_intervals_cover_the_mean_as_often_as_they_say():
    random = np.random.default_rng(0)
    for networks in (12, 60):
        covered = [
            (found := estimate(random.gamma(3, 1, networks))).low < 3 < found.high
            for _ in range(400)
        ]
        assert 0.90 < np.mean(covered) < 0.985


def test_wider_for_higher_confidence_and_never_random():
    values = np.random.default_rng(1).normal(size=100)
    widths = [(e := estimate(values, level=level)).high - e.low for level in (0.9, 0.95, 0.9999)]
    assert widths == sorted(widths)
    assert estimate(values) == estimate(values)


def test_undefined_networks_are_left_out_and_counted():
    found = estimate(np.array([1.0, np.nan, 1.0]))
    assert (found.mean, found.low, found.high, found.networks, found.undefined) == (1, 1, 1, 2, 1)
    empty = estimate(np.array([np.nan]))
    assert np.isnan(empty.mean)
    assert empty.networks == 0
    assert not judge([Comparison("empty", np.array([np.nan]), "above")])[0].holds


def test_statements_hold_when_the_whole_interval_lies_there():
    values = np.random.default_rng(2).normal(0.01, 0.05, 1000)
    holds = {
        (direction, bound): judge([Comparison("", values, direction, bound)])[0].holds
        for direction, bound in [
            ("above", 0.0),
            ("above", 0.01),
            ("below", 0.02),
            ("below", 0.01),
            ("inside", 0.02),
            ("inside", 0.012),
        ]
    }
    assert list(holds.values()) == [True, False, True, False, True, False]


def test_correction_keeps_false_claims_rare():
    random = np.random.default_rng(3)
    wrong = 0
    for _ in range(300):
        nothing = [Comparison(str(i), random.normal(size=40), "above") for i in range(10)]
        wrong += any(judged.holds for judged in judge(nothing))
    assert wrong / 300 < 0.06


def test_holm_stops_at_the_first_failure():
    random = np.random.default_rng(4)
    strong = Comparison("strong", random.normal(1, 1, 400), "above")
    none = [Comparison(str(i), random.normal(-0.1, 1, 400), "above") for i in range(5)]
    judged = judge([*none, strong])
    assert [one.holds for one in judged] == [False] * 5 + [True]
    assert judged[-1].estimate.level == pytest.approx(1 - 0.05 / 6)


def test_share_solved():
    found = solved_share(np.array([0.0, 0.02]))
    assert found.mean == 0.5
    assert 0 < found.low < 0.5 < found.high < 1


def test_shares_of_few_networks_prove_little():
    ten, thousand = np.ones(10), np.ones(1000)
    for values, proved in ((ten, False), (thousand, True)):
        above = Comparison("all solve", values, "above", 0.9, "share")
        lost = Comparison("none lost", 0 * values, "below", 0.05, "difference of shares")
        same = Comparison("same", 0 * values, "inside", 0.05, "difference of shares")
        assert [judge([one])[0].holds for one in (above, lost, same)] == [proved] * 3
        assert [one.p < 0.05 for one in (above, lost, same)] == [proved] * 3
    few = Comparison("few have it", np.zeros(1000), "below", 0.1, "share")
    assert judge([few])[0].holds
    assert few.p < 1e-9


def test_intervals_of_shares_cover_as_often_as_they_say():
    random = np.random.default_rng(5)
    for chance in (0.05, 0.5, 0.97):
        draws = (random.random((2, 500, 40)) < chance).astype(float)
        for kind, truth, values in (
            ("share", chance, draws[0]),
            ("difference of shares", 0.0, draws[0] - draws[1]),
        ):
            found = [Comparison("", v, "above", 0.0, kind).estimate(0.95, 0) for v in values]
            assert 0.91 < np.mean([one.low <= truth <= one.high for one in found]) <= 1
