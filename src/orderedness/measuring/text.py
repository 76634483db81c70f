"""A measurement in words, for people at a terminal."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from orderedness.measuring.shown import shown

if TYPE_CHECKING:
    from orderedness.measuring.result import Measured

WIDTH = 96
SHOWN_UNITS = 40
LABELS = {
    "flow_hierarchy": "flow hierarchy (weight in no cycle)",
    "global_reaching_centrality": "global reaching centrality",
    "trophic_incoherence": "trophic incoherence F0 (0 = every edge climbs one level)",
    "springrank_forward": "forward by SpringRank",
    "agony_hierarchy": "agony hierarchy 1 - A/S",
    "reciprocity": "reciprocity",
    "departure_from_normality": "departure from normality (Henrici)",
}


def describe(found: Measured) -> str:
    """Value, bounds, what limits it, the order, the largest feedback, and company.

    Examples:
        >>> from orderedness.measuring import measure
        >>> print(describe(measure([[0, 2], [1, 0]])).splitlines()[2])
        O = 0.666667, certified: no order does better.
    """
    lines = [*_head(found), "", *_value(found), "", *_limits(found)]
    lines += ["", *_order(found)]
    if found.feedback:
        lines += ["", "Largest connections against this order:"]
        lines += [
            f"  {shown(edge.source)} -> {shown(edge.target)}  {edge.weight:g}"
            for edge in found.feedback
        ]
    if found.measures:
        lines += ["", "Other measures:", *_company(found)]
    if found.null is not None:
        lines += ["", *_null(found)]
    return "\n".join(lines)


def _head(found: Measured) -> list[str]:
    network = found.network
    roles = [
        counted(count, role)
        for count, role in ((network.outputs, "output"), (network.inputs, "input"))
        if count
    ]
    with_roles = f" ({', '.join(roles)})" if roles else ""
    units, connections = counted(found.nodes, "unit"), counted(found.edges, "connection")
    head = f"{network.about}: {units}{with_roles}, {connections}"
    return [head, *network.notes]


def counted(count: int, what: str) -> str:
    """A number of things.

    Examples:
        >>> counted(1, "unit"), counted(2000, "unit")
        ('1 unit', '2,000 units')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _value(found: Measured) -> list[str]:
    if math.isnan(found.orderedness):
        return ["O is undefined (0/0): there is no weight between the units."]
    if found.certified:
        lines = [f"O = {found.orderedness:.6f}, certified: no order does better."]
    else:
        lines = [
            f"O = {found.orderedness:.6f}, the best order found; the greatest possible is at most "
            f"{found.upper:.6f}.",
            f"Not certified ({found.status}). More --time-limit may narrow the interval "
            f"[{found.lower:.6f}, {found.upper:.6f}].",
        ]
    if found.network.outputs:
        hidden = "undefined" if math.isnan(found.hidden) else f"{found.hidden:.6f}"
        lines.append(f"O of the units that are no outputs: {hidden}.")
    if found.gates:
        gates = ", ".join(f"{name} {value:.4f}" for name, value in found.gates.items())
        lines.append(f"O of each gate: {gates}.")
    return lines


def _limits(found: Measured) -> list[str]:
    back = sum(found.reasons)
    if not back:
        return ["Nothing flows back." if found.edges else "Nothing flows at all."]
    parts = [
        f"{share:.2%} {what}"
        for share, what in (
            (found.reasons.pinned, "at units that were given their places"),
            (found.reasons.mutual, "in mutual pairs, which no order avoids"),
            (found.reasons.cycles, "in longer cycles"),
        )
        if share > 0
    ]
    own = "included" if found.count_self else "left out"
    return textwrap.wrap(
        f"What limits it: {back:.2%} of the weight flows back: {'; '.join(parts)} "
        f"(self-connections {own} in the total).",
        WIDTH,
    )


def _order(found: Measured) -> list[str]:
    names = [shown(name, 24) for name in found.order]
    if len(names) > SHOWN_UNITS:
        half = SHOWN_UNITS // 2
        left_out = f"... {len(names) - 2 * half:,} more (all with --json) ..."
        names = [*names[:half], left_out, *names[-half:]]
    if found.network.edges:
        reading = "edges run from source to target"
    elif found.network.direction == "columns-feed-rows":
        reading = "entry [r, c] runs from c to r"
    else:
        reading = "entry [r, c] runs from r to c"
    return [
        f"Best order, upstream first ({reading}):",
        *textwrap.wrap(
            " > ".join(names), WIDTH, initial_indent="  ", subsequent_indent="  ",
            break_long_words=False, break_on_hyphens=False,
        ),
    ]  # fmt: skip


def _company(found: Measured) -> list[str]:
    lines = []
    for name, value in found.measures.items():
        if value is None:
            told = f"left out: {found.left_out[name]}"
        else:
            told = "undefined" if math.isnan(value) else f"{value:.6f}"
        lines.append(f"  {LABELS[name]}: {told}")
    return lines


def _null(found: Measured) -> list[str]:
    null = found.null
    assert null is not None
    z = "undefined" if math.isnan(null.z) else f"{null.z:.2f}"
    floor = ", as low as so few draws can give" if null.p * (1 + null.draws) < 1.5 else ""
    return [
        f"Null model ({null.model}), {null.draws} draws, {null.alike}:",
        f"  observed {null.observed:.6f}, null {null.mean:.6f} ± {null.sd:.6f}, "
        f"excess {null.excess:+.6f}, z = {z}, p = {null.p:.4g}{floor}",
    ]
