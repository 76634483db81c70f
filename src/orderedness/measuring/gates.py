"""Recurrent weights of gated cells, as torch and Equinox stack them."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from orderedness._checks import suggestion
from orderedness.measuring.network import Network, sum_of_magnitudes
from orderedness.measuring.shown import listed, shown

GATES = {
    1: ("state",),
    3: ("reset", "update", "new"),  # GRU
    4: ("input", "forget", "cell", "output"),  # LSTM
}
RECURRENT = re.compile(r"(^|\.)weight_hh(_l\d+(_reverse)?)?$")


def is_recurrent(name: str) -> bool:
    """Whether a tensor of this name holds the recurrent weights of a torch or Equinox cell.

    Examples:
        >>> is_recurrent("encoder.weight_hh_l0"), is_recurrent("weight_ih_l0")
        (True, False)
    """
    return RECURRENT.search(name) is not None


def split_gates(
    tensor: Float[np.ndarray, "rows units"], about: str
) -> Mapping[str, Float[np.ndarray, "units units"]]:
    """The square matrices that are stacked in one tensor, by the names of their gates.

    An RNN has one, a GRU three, an LSTM four; each has `units` rows.

    Examples:
        >>> list(split_gates(np.zeros((6, 2)), "weight_hh_l0"))
        ['reset', 'update', 'new']
    """
    rows, units = tensor.shape
    count = rows // units if units else 0
    if count not in GATES or rows != count * units:
        raise ValueError(
            f"{about} has shape {tensor.shape}, but recurrent weights have 1 (RNN), 3 (GRU) "
            "or 4 (LSTM) square blocks of rows"
        )
    return dict(zip(GATES[count], np.split(tensor, count), strict=True))


def gated_network(tensor: Float[np.ndarray, "rows units"], about: str, gate: str | None) -> Network:
    """The network of one gate, or of all: their magnitudes summed.

    Examples:
        >>> network = gated_network(np.ones((4, 1)), "a cell", gate=None)
        >>> network.weights.toarray(), list(network.gates)
        (array([[4.]]), ['input', 'forget', 'cell', 'output'])
    """
    blocks = split_gates(tensor, about)
    if gate is not None:
        if gate not in blocks:
            raise ValueError(
                f"gate is {shown(gate)!r}, but {about} has {listed(blocks)}"
                f"{suggestion(gate, blocks)}"
            )
        return Network.from_matrix(blocks[gate], about=f"gate {gate} of {about}")
    if len(blocks) == 1:
        return Network.from_matrix(next(iter(blocks.values())), about=about)
    singles = {
        key: Network.from_matrix(block, about=f"gate {key} of {about}")
        for key, block in blocks.items()
    }
    negative = sum(single.negative for single in singles.values())
    notes = [f"The magnitudes of its {len(blocks)} gates are summed: {', '.join(blocks)}."]
    if negative:
        notes.append(f"Negative weights count by magnitude ({negative} of them).")
    together = Network.from_matrix(
        sum_of_magnitudes(list(blocks.values())), about=about, notes=notes
    )
    return Network(together.weights, together.names, about, gates=singles, notes=together.notes)
