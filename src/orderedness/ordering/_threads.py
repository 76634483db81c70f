"""Running a function over ranges on all cores that this process may use."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def cores() -> int:
    """How many cores this process may use.

    Example:
        >>> cores() >= 1
        True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def over_ranges(work: Callable[[int, int], None], total: int, step: int) -> None:
    """Call ``work(start, stop)`` for consecutive ranges of at most `step`, several at a time.

    Example:
        >>> done = []
        >>> over_ranges(lambda start, stop: done.append(stop - start), total=10, step=4)
        >>> sorted(done)
        [2, 4, 4]
    """
    ranges = [(start, min(start + step, total)) for start in range(0, total, step)]
    workers = min(cores(), len(ranges))
    if workers <= 1:
        for start, stop in ranges:
            work(start, stop)
        return
    pool = ThreadPoolExecutor(workers)
    try:
        for future in [pool.submit(work, start, stop) for start, stop in ranges]:
            future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C, do not wait for the rest
