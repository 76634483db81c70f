"""All measures of a network that its size allows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from orderedness.measuring.company.agony import agony_hierarchy, inner_edges_count
from orderedness.measuring.company.flow import (
    flow_hierarchy,
    global_reaching_centrality,
    reciprocity,
)
from orderedness.measuring.company.henrici import departure_from_normality
from orderedness.measuring.company.levels import trophic_incoherence, trophic_levels
from orderedness.measuring.company.springrank import springrank_forward
from orderedness.measuring.network import Network

REACH_UNITS = 20_000  # a bit for each pair: 50 MB
AGONY_EDGES = 10_000
EIGEN_UNITS = 600
LEVEL_EDGES = 20_000_000


def measure_company(network: Network) -> tuple[dict[str, float | None], dict[str, str]]:
    """Each measure by name, None where it would cost too much, and why that is.

    Examples:
        >>> measures, left_out = measure_company(Network.from_matrix([[0, 2], [1, 0]]))
        >>> round(measures["agony_hierarchy"], 6), left_out
        (0.333333, {})
    """
    strength = network.strength
    found: dict[str, float | None] = {}
    left_out: dict[str, str] = {}

    def take(
        name: str,
        function: Callable[[sp.csr_array], float],
        matrix: sp.csr_array,
        size: int = 0,
        most: int = 0,
        unit: str = "units",
    ) -> None:
        found[name] = None
        if size > most:
            left_out[name] = f"{size:,} {unit}, computed for up to {most:,}"
            return
        try:
            found[name] = function(matrix)
        except (ArithmeticError, np.linalg.LinAlgError) as error:
            left_out[name] = str(error)
        except KeyboardInterrupt:
            left_out[name] = "interrupted"

    take("flow_hierarchy", flow_hierarchy, strength)
    take(
        "global_reaching_centrality",
        global_reaching_centrality,
        strength,
        network.units,
        REACH_UNITS,
    )
    levels: list[np.ndarray] = []  # found once for both measures that need them

    def incoherence(matrix: sp.csr_array) -> float:
        levels.append(trophic_levels(matrix))
        return trophic_incoherence(matrix, levels[0])

    def forward(matrix: sp.csr_array) -> float:
        if not levels:
            raise ArithmeticError(left_out["trophic_incoherence"])
        return springrank_forward(matrix, -levels[0])

    take("trophic_incoherence", incoherence, strength, strength.nnz, LEVEL_EDGES, "edges")
    take("springrank_forward", forward, strength, strength.nnz, LEVEL_EDGES, "edges")
    take(
        "agony_hierarchy",
        agony_hierarchy,
        strength,
        inner_edges_count(strength),
        AGONY_EDGES,
        "edges in cycles",
    )
    take("reciprocity", reciprocity, strength)
    take(
        "departure_from_normality",
        departure_from_normality,
        network.square,
        network.units,
        EIGEN_UNITS,
    )
    return found, left_out
