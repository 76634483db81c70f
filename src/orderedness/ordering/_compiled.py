"""The one decorator for compiled loops, and where their machine code is kept.

Numba writes its cache beside the source, which fails or litters where the package is installed
read-only. Here it goes to the user's cache folder, unless ``NUMBA_CACHE_DIR`` says otherwise.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import caching

from orderedness._files import cache_folder

# Numba's settings and caches carry no types.
_settings: Any = numba.config
_caching: Any = caching

Function = TypeVar("Function", bound=Callable[..., Any])


def numba_folder() -> Path:
    """The folder for compiled code: ``NUMBA_CACHE_DIR`` if set, else the user's cache folder.

    Example:
        >>> isinstance(numba_folder(), Path)
        True
    """
    return Path(_settings.CACHE_DIR) if _settings.CACHE_DIR else cache_folder("numba")


@lru_cache(maxsize=1)
def _source_stamp() -> tuple[tuple[str, float, int], ...]:
    """Names, times and sizes of all files that hold compiled loops.

    Numba invalidates a function when its own file changes, but not when a function that it calls,
    and that was inlined into it, lives in another file. This stamp covers them all.
    """
    files = sorted(Path(__file__).parent.glob("*.py"))
    return tuple((file.name, file.stat().st_mtime, file.stat().st_size) for file in files)


class _ForgivingCache(_caching.FunctionCache):  # type: ignore[misc]
    """A cache that costs a compilation when it is damaged, full or read-only, never an error."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _caching.IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=_source_stamp(),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged pickle can raise anything
            self._discard()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception:
            self._discard()

    def _discard(self) -> None:
        try:
            self.flush()
        except OSError:
            self.disable()


def compiled(function: Function) -> Function:
    """Compile a loop over arrays with Numba; it releases the GIL and its code is cached on disk.

    Example:
        >>> import numpy as np
        >>> from orderedness.ordering.population_dp import lower_sum
        >>> float(lower_sum(np.ones((3, 3)), np.arange(3)))
        3.0
    """
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy")(function)
    before = _settings.CACHE_DIR
    _settings.CACHE_DIR = str(numba_folder())  # other libraries keep their own choice
    try:
        dispatcher._cache = _ForgivingCache(function)
    except (RuntimeError, OSError):
        pass  # nowhere to write: compile in every process
    finally:
        _settings.CACHE_DIR = before
    return dispatcher
