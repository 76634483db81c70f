"""Arrays from elsewhere, as NumPy, without importing the libraries they come from."""

from typing import Any

import numpy as np


def as_numpy(array: Any, name: str) -> np.ndarray:
    """View or copy a NumPy, JAX or torch array, or nested lists, as a real NumPy array.

    Args:
        array: what the caller passed.
        name: what the caller calls it, for the error message.

    Example:
        >>> as_numpy([[1, 2], [3, 4]], "weights").shape
        (2, 2)
    """
    if hasattr(array, "detach"):  # torch: may carry a gradient, live on a device, be bfloat16
        tensor = array.detach().cpu()
        array = tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor
    if hasattr(array, "tocsr"):
        raise TypeError(
            f"{name} must be a dense array, got {type(array).__name__}; "
            "for sparse matrices see Problem.from_sparse."
        )
    try:
        result = np.asarray(array)
    except ValueError as error:
        raise ValueError(f"{name} must be a regular array of numbers: {error}.") from None
    if result.dtype.kind not in "biufV":  # V: the extended floats of JAX, such as bfloat16
        raise TypeError(f"{name} must hold real numbers, got dtype {result.dtype}.")
    return result


def first_index(mask: np.ndarray) -> tuple[int, ...]:
    """The index of the first true entry.

    Example:
        >>> first_index(np.array([[False, False], [True, False]]))
        (1, 0)
    """
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))
