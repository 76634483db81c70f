"""Workers by one word: a local cluster, or one that somebody else started."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from distributed import Client

_LOOK = 2.0  # seconds between two counts of the workers
_ANSWER = 10.0  # seconds within which a scheduler must answer


class Cluster(Executor):
    """The workers of a Dask cluster, as an executor.

    Attributes:
        client: Dask's.
        workers: how many there are, as counted a moment ago.
    """

    def __init__(self, client: Client) -> None:
        """Count the workers now, and then every other second."""
        self.client = client
        self.workers = len(client.nthreads())
        self._executor = client.get_executor()
        self._closed = threading.Event()
        # Nobody waits for this thread: it may hang on a scheduler that is gone.
        threading.Thread(target=self._count, daemon=True).start()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in a worker."""
        return self._executor.submit(function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls."""
        self._closed.set()
        self._executor.shutdown(wait=wait and not cancel_futures)

    def _count(self) -> None:
        while not self._closed.wait(_LOOK):
            with contextlib.suppress(Exception):  # the scheduler may be busy, or gone
                self.workers = len(self.client.nthreads())


@contextlib.contextmanager
def cluster(where: str) -> Iterator[Cluster]:
    """Workers for `run_study`, until the end of the `with`.

    Args:
        where: "local:4" starts four processes on this machine, which divide its cores and listen
            on loopback alone; "dask://host:port" is the scheduler of a cluster of your own.

    Examples:
        >>> with cluster("local:none") as workers:
        ...     pass
        Traceback (most recent call last):
            ...
        ValueError: on is 'local:none', but must be local:N, with N workers, or dask://host:port
    """
    local = re.fullmatch(r"local:([1-9]\d{0,3})", where)
    remote = re.fullmatch(r"dask://([\w.-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})", where)
    if not local and not remote:
        raise ValueError(
            f"on is {where!r}, but must be local:N, with N workers, or dask://host:port"
        )
    try:
        from distributed import Client
    except ImportError:
        raise ValueError(
            f"on is {where!r}, but clusters need more than is installed: "
            "pip install 'orderedness[cluster]'"
        ) from None
    with contextlib.ExitStack() as stack:
        stack.enter_context(_quiet())
        if local:
            address = stack.enter_context(_local(int(local[1])))
        else:
            address = where.replace("dask://", "tcp://")
        try:
            client = stack.enter_context(Client(address, timeout=_ANSWER, set_as_default=False))
        except OSError:
            raise ConnectionError(f"on is {where!r}, but no scheduler answers there") from None
        if local:
            client.register_plugin(_own_cores(int(local[1])))
        executor = Cluster(client)
        stack.callback(executor.shutdown, cancel_futures=True)
        yield executor


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Let what Dask logs of lost connections be; what matters of it is said in a sentence."""
    # Tasks that a lost connection leaves behind may be told of long after the `with`.
    for name in ("asyncio", "tornado.application"):
        logging.getLogger(name).addFilter(_matters)
    loggers = [logging.getLogger(f"distributed{part}") for part in ("", ".client", ".core")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _matters(record: logging.LogRecord) -> bool:
    """Whether a message is about anything but a connection of Dask's that was lost."""
    from distributed.comm.core import CommClosedError

    return not (record.exc_info and isinstance(record.exc_info[1], CommClosedError))


@contextlib.contextmanager
def _local(workers: int) -> Iterator[Any]:
    """A cluster of spawned processes with one thread each."""
    import dask
    from distributed import LocalCluster

    # Dask's profiler takes some of the time it measures.
    unwatched = dask.config.set({"distributed.worker.profile.enabled": False})
    with (
        unwatched,
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            memory_limit=0,  # the blocks that are begun bound it
            silence_logs=logging.ERROR,
        ) as started,
    ):
        yield started


def _own_cores(workers: int) -> Any:
    """What gives each of the workers on this machine cores of its own."""
    from distributed import WorkerPlugin

    class OwnCores(WorkerPlugin):
        def setup(self, worker: Any) -> None:
            mine = _share(int(worker.name), workers)
            for thread in os.listdir("/proc/self/task") if mine else ():
                os.sched_setaffinity(int(thread), mine)

    return OwnCores()


def _share(number: int, workers: int) -> list[int]:
    """The cores of one of the workers on this machine; none where they cannot be divided.

    >>> here = len(os.sched_getaffinity(0))
    >>> sorted(core for number in range(here) for core in _share(number, here)) == (
    ...     sorted(os.sched_getaffinity(0)))
    True
    """
    if not hasattr(os, "sched_setaffinity"):
        return []
    everyone = sorted(os.sched_getaffinity(0))
    return everyone[number % len(everyone) :: min(workers, len(everyone))]
