import re

import numpy as np
import plotly.graph_objects as go
import polars as pl
import pytest

from orderedness.paper.curves import Curve, against_sparsity, surface, training_losses
from orderedness.report.interactive import losses_spec, sparsity_spec, surfaces_spec


def test_everything_is_there(report):
    out, _ = report
    names = {path.name for path in out.iterdir()}
    figures = {"figure1", "figure2", "figure3", "figure4", "figure5"}
    figures |= {f"{name}-intervals" for name in ("figure3", "figure4", "figure5")}
    assert names == {"report.html", "report.md", "table1.csv", "claims.csv"} | {
        f"{name}.{kind}" for name in figures for kind in ("png", "pdf")
    }
    assert all(path.stat().st_size > 500 for path in out.iterdir())


def test_tables_say_what_was_computed(report):
    out, results = report
    table1 = pl.read_csv(out / "table1.csv")
    assert len(table1) == 3 + 32
    topk = table1.filter(row="topk", column="xor").row(0, named=True)
    assert (topk["published_mean"], topk["published_std"]) == (0.116, 0.060)
    cells = results.tables["table1"].filter(row="topk", column="xor")
    assert topk["mean"] == pytest.approx((cells["o_after"] - cells["o_before"]).mean())
    claims = pl.read_csv(out / "claims.csv")
    assert claims["claim"].unique().sort().to_list() == list(range(1, 10))
    told = (out / "report.md").read_text()
    for claim in results.claims:
        assert f"| {claim.number} | {claim.statement} | **{claim.verdict}** |" in told


def test_the_page_needs_no_network_and_holds_every_verdict(report):
    out, results = report
    page = (out / "report.html").read_text()
    own = page.split("<script>")[0]
    assert not re.findall(r'(?:src|href)="(?!data:|#)', own)
    for claim in results.claims:
        assert f'id="claim{claim.number}"' in own
        assert f"&rarr; {claim.verdict}" in own


def test_specifications_are_valid_plotly(report):
    _, results = report
    tables = results.tables
    specs = [
        surfaces_spec({task: surface(tables["figure2"], task) for task in ("xor", "sine")}),
        sparsity_spec({"xor": against_sparsity(tables["figure3"], "xor")}, "interval"),
        losses_spec({"xor": training_losses(tables["training"], "xor")}, "step", "interval"),
        losses_spec(results.baselines, "epoch", "least to most"),
    ]
    for spec in specs:
        assert go.Figure(spec).data


def test_undefined_places_become_gaps():
    holes = np.array([1.0, np.nan])
    curve = Curve("topk", np.arange(2), *(holes for _ in range(5)), np.array([0, 3]))
    spec = sparsity_spec({"xor": [curve]}, "interval")
    assert spec["data"][1]["y"] == [1.0, None]
    assert "3 undefined" in spec["data"][1]["customdata"][1]
