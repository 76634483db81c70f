"""The table of a study, from the rows of its blocks."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from orderedness.study.manifest import Manifest, Place


def assemble(manifest: Manifest, blocks: Mapping[Place, pl.DataFrame], device: str) -> pl.DataFrame:
    """One row a network, arm after arm, seeds ascending; cut to the networks that were asked for.

    Args:
        manifest: the study.
        blocks: the rows of each of its places.
        device: the kind of device they were computed on.

    Examples:
        >>> manifest = Manifest("m", 3, 0, 2, ("arm",), (({"arm": "a"}, "0f"),))
        >>> rows = {p: pl.DataFrame({"seed": range(p.start, p.stop)}) for p in manifest.places()}
        >>> assemble(manifest, rows, "cpu").rows()
        [('a', 'cpu', 0), ('a', 'cpu', 1), ('a', 'cpu', 2)]
    """
    columns = [columns for columns, _ in manifest.arms]
    told = pl.DataFrame(columns, infer_schema_length=None, strict=False)
    arms = []
    for number, (_, key) in enumerate(manifest.arms):
        rows = pl.concat([blocks[Place(key, *span)] for span in manifest.spans()])
        says = [pl.lit(told[number, name], told.schema[name]).alias(name) for name in told.columns]
        kind = pl.lit(device).alias("device")
        arms.append(rows.head(manifest.networks).select(*says, kind, pl.all()))
    return pl.concat(arms, how="diagonal").rechunk()
