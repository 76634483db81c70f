"""The table of a study, from the rows of its blocks."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from orderedness.study.manifest import Manifest, Place


def assemble(
    manifest: Manifest, blocks: Mapping[Place, pl.DataFrame], devices: Mapping[Place, str]
) -> pl.DataFrame:
    """One row a network, arm after arm, seeds ascending; cut to the networks that were asked for.

    Args:
        manifest: the study.
        blocks: the rows of each of its places.
        devices: the kind of device each of them was computed on.

    Examples:
        >>> manifest = Manifest("m", 3, 0, 2, ("arm",), (({"arm": "a"}, "0f"),))
        >>> rows = {p: pl.DataFrame({"seed": range(p.start, p.stop)}) for p in manifest.places()}
        >>> assemble(manifest, rows, dict.fromkeys(rows, "cpu")).rows()
        [('a', 'cpu', 0), ('a', 'cpu', 1), ('a', 'cpu', 2)]
    """
    columns = [columns for columns, _ in manifest.arms]
    told = pl.DataFrame(columns, infer_schema_length=None, strict=False)
    arms = []
    for number, (_, key) in enumerate(manifest.arms):
        places = [Place(key, *span) for span in manifest.spans()]
        rows = pl.concat([_from(devices[place], blocks[place]) for place in places])
        says = [pl.lit(told[number, name], told.schema[name]).alias(name) for name in told.columns]
        arms.append(rows.head(manifest.networks).select(*says, pl.all()))
    return pl.concat(arms, how="diagonal").rechunk()


def _from(device: str, rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(pl.lit(device).alias("device"), pl.all())
