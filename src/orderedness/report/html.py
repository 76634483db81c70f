"""The report: one HTML file that needs nothing else, and no network."""

from __future__ import annotations

import datetime
import html
import importlib.resources
import json
from collections.abc import Mapping
from typing import Any

from orderedness._version import __version__
from orderedness.paper.claims import ENOUGH
from orderedness.paper.curves import against_sparsity, surface, training_losses
from orderedness.paper.published import UNTRAINED_ORDEREDNESS
from orderedness.paper.results import Results, Summarised
from orderedness.paper.studies import SINE_CONTROL
from orderedness.paper.verdict import Claim, Part
from orderedness.report.interactive import losses_spec, sparsity_spec, surfaces_spec
from orderedness.report.words import HEADINGS, ROW_NAMES, interval, pair

_SECTIONS = {
    "verdicts": "The nine claims",
    "table1": "Table 1",
    "viewer": "One network at a time",
    "figures": "Figures",
    "how": "How this was made",
}


def report_html(results: Results, networks: list[dict[str, Any]], figure1: str) -> str:
    """The page.

    Args:
        results: the computed paper.
        networks: what the viewer shows (`viewer_data`).
        figure1: figure 1 as a data address.
    """
    from plotly.offline import get_plotlyjs

    tables = results.tables
    sparsity = {task: against_sparsity(tables["figure3"], task) for task in ("none", "xor", "sine")}
    losses = {task: training_losses(tables["training"], task) for task in ("xor", "sine")}
    figures = {
        "figure2": surfaces_spec({t: surface(tables["figure2"], t) for t in ("xor", "sine")}),
        "figure3": sparsity_spec(sparsity, "interval"),
        "figure3-paper": sparsity_spec(sparsity, "least to most"),
        "figure4": losses_spec(results.baselines, "epoch", "least to most"),
        "figure5": losses_spec(losses, "step", "interval"),
    }
    data = {"figures": figures, "networks": networks}
    body = "\n".join(
        [
            _head(results),
            _section("verdicts", _claims(results)),
            _section("table1", _table1(results)),
            _section("viewer", _part("viewer.html")),
            _section("figures", _figures(figure1)),
            _section("how", _how(results)),
        ]
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>Pruning and orderedness, {results.networks:,} networks a cell</title>\n"
        f"<style>{_part('page.css')}</style></head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{_safe_json(data)}</script>\n'
        f"<script>{get_plotlyjs()}</script>\n<script>{_part('page.js')}</script>\n"
        "</body></html>\n"
    )


def _part(name: str) -> str:
    return (importlib.resources.files("orderedness.report") / "page" / name).read_text("utf-8")


def _safe_json(data: Mapping[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _section(name: str, inside: str) -> str:
    return f'<section id="{name}"><h2>{_SECTIONS[name]}</h2>\n{inside}\n</section>'


def _head(results: Results) -> str:
    links = "".join(f'<a href="#{name}">{title}</a>' for name, title in _SECTIONS.items())
    count = {
        verdict: sum(claim.verdict == verdict for claim in results.claims)
        for verdict in ("supported", "depends", "not supported")
    }
    printed = [cell for cell in results.replayed if cell.published]
    matching = sum(bool(cell.agrees) for cell in printed)
    return (
        "<header><h1>Does pruning make recurrent networks more ordered?</h1>\n"
        "<p>The experiments of <em>Pruning Increases Orderedness in Weight-Tied Recurrent "
        f"Computation</em> (Song, 2025), run again with {results.networks:,} networks in each "
        f"cell, as {results.reading}. Of its nine claims {count['supported']} "
        f"{'is' if count['supported'] == 1 else 'are'} supported, {count['not supported']} "
        f"{'is' if count['not supported'] == 1 else 'are'} not, and {count['depends']} "
        f"{'depends' if count['depends'] == 1 else 'depend'} on the task or the pruner. From the "
        f"paper's own draws, {matching} of its {len(printed)} distinct cells of Table 1 come out "
        "the same to the third decimal.</p>\n"
        f"<nav>{links}</nav></header>"
    )


def _claims(results: Results) -> str:
    glance = "".join(
        f'<tr class="{_class(claim)}"><td><a href="#claim{claim.number}">{claim.number}. '
        f"{html.escape(claim.statement)}</a></td>"
        f'<td class="verdict">{claim.verdict}</td>'
        f"<td>{sum(part.holds for part in claim.parts)} of {len(claim.parts)}</td></tr>"
        for claim in results.claims
    )
    few = (
        f'<p class="warning">With {results.networks:,} networks a cell most intervals are too wide '
        "to support anything: &ldquo;not supported&rdquo; may only mean that there were too few. "
        f"The rules ask for {ENOUGH:,} or more.</p>"
        if results.networks < ENOUGH
        else ""
    )
    intro = (
        "<p>Each verdict follows a rule fixed before looking. &ldquo;Above&rdquo;, "
        "&ldquo;below&rdquo; and &ldquo;inside&rdquo; mean that the whole 95&nbsp;% interval, "
        "corrected by Holm over the comparisons of the claim, lies there. A claim whose parts all "
        "hold is supported; if none holds it is not; else it depends.</p>"
    )
    return (
        f'{few}<div class="scroll"><table class="glance"><thead><tr><th>claim</th><th>verdict</th>'
        f"<th>parts that hold</th></tr></thead><tbody>{glance}</tbody></table></div>\n{intro}"
        '<ol class="claims">' + "\n".join(map(_claim, results.claims)) + "</ol>"
    )


def _class(claim: Claim) -> str:
    return claim.verdict.replace(" ", "-")


def _claim(claim: Claim) -> str:
    rows = "".join(_part_rows(part) for part in claim.parts)
    parts = "".join(_part_line(part) for part in claim.parts)
    chance = "".join(
        f"<tr><td>{html.escape(name)}</td><td>{found.mean:+.3f}</td><td>{interval(found)}</td></tr>"
        for name, found in claim.over_chance
    )
    beyond = (
        "<details><summary>Left over chance</summary>"
        '<div class="scroll"><table><thead><tr><th>networks</th><th>O minus its null</th>'
        f"<th>95&nbsp;% interval</th></tr></thead><tbody>{chance}</tbody></table></div></details>"
        if chance
        else ""
    )
    return (
        f'<li class="{_class(claim)}" id="claim{claim.number}">'
        f"<h3>{claim.number}. {html.escape(claim.statement)} "
        f'<span class="verdict">&rarr; {claim.verdict}</span></h3>\n'
        f'<p class="soft">The paper: {html.escape(claim.said)}.<br>'
        f'Rule: {html.escape(claim.rule)}</p>\n<ul class="parts">{parts}</ul>\n{beyond}'
        "<details><summary>All comparisons</summary>"
        '<div class="scroll"><table><thead><tr><th>part</th><th>comparison</th><th>mean</th>'
        "<th>corrected interval</th><th>required</th><th>holds</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div></details></li>"
    )


def _part_line(part: Part) -> str:
    """A part in one line: whether it holds, and its number where it has just one."""
    if len(part.judged) == 1:
        [one] = part.judged
        number = f"{one.estimate.mean:.3f} ({interval(one.estimate)})"
    elif part.judged:
        number = f"{sum(one.holds for one in part.judged)} of {len(part.judged)} comparisons"
    else:
        number = html.escape(part.fact)
    sign, word = ("&#10003;", "holds") if part.holds else ("&#10007;", "does not hold")
    return (
        f'<li><span class="sign" title="{word}">{sign}</span> {html.escape(part.name)}: '
        f"<b>{number}</b></li>"
    )


def _part_rows(part: Part) -> str:
    name, holds = html.escape(part.name), "yes" if part.holds else "no"
    if not part.judged:
        return (
            f"<tr><td>{name}</td><td></td><td></td><td>{html.escape(part.fact)}</td><td></td>"
            f"<td>{holds}</td></tr>"
        )
    rows = []
    for place, one in enumerate(part.judged):
        sign = {"above": "&gt; ", "below": "&lt; ", "inside": "&plusmn;"}[one.direction]
        whole = f" (part: {holds})" if place == 0 and len(part.judged) > 1 else ""
        rows.append(
            f"<tr><td>{'' if place else name}</td><td>{html.escape(one.name)}</td>"
            f"<td>{one.estimate.mean:.3f}</td><td>{interval(one.estimate)}</td>"
            f"<td>{sign}{one.bound:g}</td><td>{'yes' if one.holds else 'no'}{whole}</td></tr>"
        )
    return "".join(rows)


def _table1(results: Results) -> str:
    found = {(one.cell.row, one.cell.column): one for one in results.table1}
    heads = "".join(f"<th>{heading}</th>" for heading in HEADINGS.values())
    rows = "".join(
        f"<tr><td>{name}</td>"
        + "".join(f"<td>{_cell(found.get((row, column)))}</td>" for column in HEADINGS)
        + "</tr>"
        for row, name in ROW_NAMES.items()
    )
    chance = "".join(
        f"<tr><td>{name}</td>"
        + "".join(
            f"<td>{_beyond(found[row, column])}</td>"
            for column in ("none", "xor", SINE_CONTROL, "sine")
        )
        + "</tr>"
        for row, name in ROW_NAMES.items()
    )
    return (
        "<p>Mean change of orderedness &plusmn; standard deviation over networks, the 95&nbsp;% "
        "interval of the mean, and below it the number that the paper prints (ten networks).</p>"
        f'<div class="scroll"><table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody>'
        "</table></div>\n<h3>What is left over chance</h3>"
        "<p>Sparser matrices have a higher O by chance. The excess is O after training minus its "
        "mean over 100 shuffles of the same entries; &ldquo;hidden&rdquo; is the change of the "
        "orderedness of the hidden block alone, which outputs pinned at the front cannot lift; "
        "&ldquo;solved&rdquo; is the share of networks with a loss below 0.01 after the last "
        "pruning.</p>"
        '<div class="scroll"><table><thead><tr><th></th><th>untrained, size of XOR</th>'
        "<th>XOR</th><th>untrained, size of Sine</th><th>Sine</th></tr></thead>"
        f"<tbody>{chance}</tbody></table></div>"
    )


def _cell(one: Summarised | None) -> str:
    if one is None:
        return ""
    published = one.cell.published
    lost = f"; {one.cell.undefined} undefined" if one.cell.undefined else ""
    printed = f"paper {pair(*published)}" if published else "not printed"
    return (
        f"{pair(one.cell.mean, one.cell.std)}<small>{interval(one.change)}{lost}</small>"
        f"<small>{printed}</small>"
    )


def _beyond(one: Summarised) -> str:
    assert one.excess is not None
    assert one.hidden is not None
    solved = f"<small>solved {one.solved.mean:.1%}</small>" if one.solved else ""
    return (
        f"{one.excess.mean:+.3f}<small>{interval(one.excess)}</small>"
        f"<small>hidden {one.hidden.mean:+.3f}</small>{solved}"
    )


def _figures(figure1: str) -> str:
    captions = {
        "figure2": "Figure 2. Mean change of O after training with dynamic top-k (k = 0.5), over "
        "hidden units and iterations. Under the pointer: the mean and its 95&nbsp;% interval.",
        "figure3": "Figure 3. Orderedness against the strength of pruning; bands are 95&nbsp;% "
        "intervals of the mean.",
        "figure3-paper": "Figure 3 in the paper's form: bands from the least to the most ordered "
        "network.",
        "figure4": "Figure 4. Training loss of the MLPs, cut where the first of them stopped; band "
        "from least to most.",
        "figure5": "Figure 5. Training loss of the complete layer with dynamic top-k (k = 0.5); "
        "band: 95&nbsp;% interval.",
    }
    first = (
        f'<figure class="still"><img src="{figure1}" alt="Two weight matrices: blocks above the '
        'diagonal, and a full upper triangle">'
        "<figcaption>Figure 1. Weights of a complete layer that is an MLP, and of one whose order "
        "is perfect.</figcaption></figure>"
    )
    rest = "".join(
        f'<figure><div class="plot" id="{name}" role="img" aria-label="{name}"></div>'
        f"<figcaption>{caption}</figcaption></figure>"
        for name, caption in captions.items()
    )
    return first + rest


def _how(results: Results) -> str:
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    devices = sorted({kind for table in results.tables.values() for kind in table["device"]})
    inputs = "counted in" if results.count_inputs else "left out of"
    return (
        f"<p>orderedness {__version__}, {day}, computed on {html.escape(', '.join(devices))}; "
        f"{results.networks:,} networks a cell from seed {results.seed}, as {results.reading}; "
        f"input columns are {inputs} the sum of all weights. "
        "All arms share seeds, so that differences are paired. Networks that lost every recurrent "
        "weight have no orderedness: they are counted, and left out of means. In the column "
        f"&ldquo;{HEADINGS[UNTRAINED_ORDEREDNESS]}&rdquo; the number is O itself.</p>"
    )
