"""A matrix of one's own: read by the safe readers of `measure`, measured, and put into words."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from orderedness.measuring import Measured, measure, read, write_picture
from orderedness.network import CompletePerceptron
from orderedness.ordering import Annealing
from orderedness.paper import mlp_layer, ordered_layer

SUFFIXES = (
    ".npy", ".npz", ".csv", ".tsv", ".parquet", ".mtx", ".graphml", ".safetensors", ".pt", ".pth",
    ".mat",
)  # fmt: skip
MOST_BYTES = 20 << 20
MOST_UNITS = 2_000
MOST_CONNECTIONS = 400_000
COMPANY_UNITS = 200  # other measures of larger networks take longer than a page should
DRAWS = 39  # networks made by chance
SECONDS = 4.0  # to look for the order, and as long again for chance
EXAMPLES: dict[str, Callable[[], CompletePerceptron]] = {
    "Figure 1a: an MLP as a complete layer": mlp_layer,
    "Figure 1b: a perfect order": ordered_layer,
}
Direction = Literal["columns-feed-rows", "rows-feed-columns"]


def measure_example(name: str) -> tuple[Measured, str]:
    """One of the paper's matrices, and the Python lines that measure it.

    Examples:
        >>> found, lines = measure_example("Figure 1b: a perfect order")
        >>> found.orderedness
        1.0
    """
    make = EXAMPLES[name]
    start = f"from orderedness.paper import {make.__name__}\n"
    return _measured(make(), company=True), start + _lines(f"{make.__name__}()", [])


def measure_upload(
    name: str,
    contents: bytes,
    *,
    outputs: int = 0,
    array: str = "",
    direction: Direction | None = None,
) -> Measured:
    r"""Measure what was uploaded. Nothing in it is run, and no pickle is loaded.

    Args:
        name: the file's name; only its ending is believed.
        contents: the file.
        outputs: how many of the first units are outputs.
        array: which array of the file, if it holds several.
        direction: which way entries run.

    Examples:
        >>> measure_upload("a.csv", b"source,target,weight\na,b,1\nb,c,2\n").order
        ('a', 'b', 'c')
        >>> measure_upload("a.pickle", b"cos")
        Traceback (most recent call last):
            ...
        ValueError: a.pickle is of a kind that is not read here: it must end in one of .npy, .npz,
        .csv, .tsv, .parquet, .mtx, .graphml, .safetensors, .pt, .pth, .mat
    """
    plain = re.sub(r"[^\w.-]+", "_", Path(name.replace("\\", "/")).name)[-60:] or "upload"
    if Path(plain).suffix.lower() not in SUFFIXES:
        raise ValueError(
            f"{plain} is of a kind that is not read here: it must end in one of "
            f"{', '.join(SUFFIXES)}"
        )
    if len(contents) > MOST_BYTES:
        raise ValueError(
            f"{plain} holds {len(contents):,} bytes, but may hold at most {MOST_BYTES:,} here; "
            "`orderedness measure` takes larger ones"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / plain
        path.write_bytes(contents)
        try:
            network = read(path, array=array or None)
            # Where it lay for a moment is of no interest.
            network = dataclasses.replace(network, about=network.about.replace(f"{folder}/", ""))
            if network.units > MOST_UNITS or network.connections > MOST_CONNECTIONS:
                raise ValueError(
                    f"{plain} holds {network.units:,} units and {network.connections:,} "
                    f"connections, but may hold at most {MOST_UNITS:,} and {MOST_CONNECTIONS:,} "
                    "here; `orderedness measure` takes larger ones"
                )
            return _measured(
                network,
                outputs=outputs,
                direction=None if network.edges else direction,
                company=network.units <= COMPANY_UNITS,
            )
        except (ValueError, TypeError, OSError) as error:
            raise ValueError(str(error).replace(f"{folder}/", "")) from None


def _measured(network: Any, *, company: bool, **options: Any) -> Measured:
    """Measure, and compare with chance by a solver that is quick on all that is compared."""
    found = measure(network, time_limit=SECONDS, company=company, **options)
    quick = measure(
        network,
        time_limit=SECONDS,
        company=False,
        solver=Annealing(),
        null="entries",
        draws=DRAWS,
        **options,
    )
    best = quick if quick.orderedness > found.orderedness + 1e-9 else found
    return dataclasses.replace(
        best,
        upper=min(found.upper, quick.upper),
        measures=found.measures,
        left_out=found.left_out,
        null=quick.null,
    )


def matrix_sentence(found: Measured) -> str:
    """The finding in one sentence.

    Examples:
        >>> matrix_sentence(measure([[0, 2], [1, 0]]))
        'O = 0.667 (certified): 33.3 % of the weight flows back.'
    """
    if math.isnan(found.orderedness):
        return "O is undefined (0/0): there is no weight between the units."
    sure = "certified" if found.certified else f"at most {found.upper:.3f}"
    back = sum(found.reasons)
    flows = "nothing flows back" if not back else f"{back:.1%} of the weight flows back"
    told = f"O = {found.orderedness:.3f} ({sure}): {flows.replace('%', ' %')}."
    null = found.null
    if null is None:
        return told
    p = f"p = {null.p:.2g}"
    if 1 / (1 + null.draws) > 0.05:
        return f"{told} It is too large to be compared with chance in a few seconds."
    if null.p <= 0.05:
        return f"{told} More ordered than chance by {null.excess:.3f} ({p})."
    return f"{told} Chance gives that too: {null.mean:.3f} with the weights in random places ({p})."


def matrix_picture(found: Measured, kind: Literal["png", "html"]) -> bytes:
    """The picture of `orderedness measure`, as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"picture.{kind}"
        write_picture(found, path)
        return path.read_bytes()


def order_csv(found: Measured) -> str:
    """The best order, upstream first."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(["place", "unit"])
    writer.writerows(enumerate(found.order, start=1))
    return written.getvalue()


def matrix_recipe(name: str, *, outputs: int, array: str, direction: Direction | None) -> str:
    """The Python lines that measure the same.

    Examples:
        >>> print(matrix_recipe("a.npz", outputs=1, array="W", direction=None).splitlines()[3])
        print(measure("a.npz", outputs=1, array="W"))
    """
    options = [f"outputs={outputs}"] if outputs else []
    if array:
        options.append(f"array={json.dumps(array)}")
    if direction == "rows-feed-columns":
        options.append(f"direction={json.dumps(direction)}")
    return _lines(json.dumps(name), options)


def _lines(network: str, options: list[str]) -> str:
    every = "".join(f", {option}" for option in options)
    return f"""\
from orderedness import measure
from orderedness.ordering import Annealing

print(measure({network}{every}))
quick = measure({network}{every}, solver=Annealing(), null="entries", draws={DRAWS})
print("by chance", quick.null)
"""
