"""A binary heap of (key, item) in two arrays, for compiled loops."""

import numpy as np
from jaxtyping import Float, Int

from orderedness.ordering._compiled import compiled


@compiled
def push(
    keys: Float[np.ndarray, " m"], items: Int[np.ndarray, " m"], size: int, key: float, item: int
) -> None:
    """Put an item on a binary heap that holds `size` of them."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if keys[above] <= key:
            break
        keys[place] = keys[above]
        items[place] = items[above]
        place = above
    keys[place] = key
    items[place] = item


@compiled
def pop(
    keys: Float[np.ndarray, " m"], items: Int[np.ndarray, " m"], size: int
) -> tuple[float, int]:
    """Take the least item off a binary heap that holds `size` of them."""
    key, item = keys[0], items[0]
    last_key, last = keys[size - 1], items[size - 1]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= last_key:
            break
        keys[place] = keys[below]
        items[place] = items[below]
        place = below
    keys[place] = last_key
    items[place] = last
    return key, item
