"""Who will do the work: all workers are asked what they are, before any of them is given some."""

from __future__ import annotations

import dataclasses
import functools
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Any

from orderedness.study.greeting import (
    Greeting,
    UnlikeError,
    check_setting,
    check_versions,
    greet,
    greeting,
)
from orderedness.study.setting import Setting
from orderedness.study.store import Store


@dataclasses.dataclass(frozen=True)
class Crew:
    """The workers of an executor, as far as they could be asked.

    Attributes:
        greetings: what each of them said; a process pool is asked once for all.
        mixed_devices: whether their devices may differ.
    """

    greetings: Sequence[Greeting]
    mixed_devices: bool

    @property
    def count(self) -> int:
        """How many there are, at least."""
        return len(self.greetings)

    @property
    def smallest(self) -> Greeting:
        """The one with the fewest cores."""
        return min(self.greetings, key=lambda one: one.cores)

    @functools.cached_property
    def setting(self) -> Setting:
        """In which they compute; where that differs, one of them."""
        return self.settings[0]

    @property
    def settings(self) -> list[Setting]:
        """All settings in which they compute."""
        found = {one.setting.name: one.setting for one in self.greetings}
        return [found[name] for name in sorted(found)]

    @functools.cached_property
    def versions(self) -> dict[str, str]:
        """Those of the client, which all share."""
        return greeting().versions


def meet(executor: Executor, store: Store, *, mixed_devices: bool = False) -> Crew:
    """Ask the workers of an executor what they are; raise if they cannot work together.

    All workers that a Dask client has are asked, of another executor any one; who joins later is
    checked with the first task.

    Args:
        executor: through which they are reached.
        store: which all of them must see.
        mixed_devices: whether they may have devices of several kinds.
    """
    store.make()
    note = f".{uuid.uuid4().hex}.partial"
    store.files.put(note, b"")
    try:
        greetings = [
            (who, _understood(who, told)) for who, told in _ask(executor, store.files.address, note)
        ]
    finally:
        store.files.remove(note)
    ours = greeting()
    first = greetings[0][1].setting
    for who, one in greetings:
        check_versions(ours.versions, one.versions, who)
        if one.setting.precision != ours.setting.precision:
            raise UnlikeError(
                f"{who} computes in {one.setting.precision}, but this client in "
                f"{ours.setting.precision}"
            )
        check_setting(first, one.setting, who, mixed_devices=mixed_devices)
        if not one.sees:
            raise UnlikeError(
                f"{who} does not see the store {store.where}: it must be a folder that all "
                "machines share, or a bucket"
            )
    return Crew([one for _, one in greetings], mixed_devices)


def _ask(executor: Executor, *question: Any) -> Iterator[tuple[str, Any]]:
    """Of each worker its name and its answer, or the error that it gave instead."""
    try:
        # The first is asked through the executor: a cluster that grows on demand grows by it.
        anyone: Any = executor.submit(greet, *question).result()
    except Exception as error:  # whatever it is, it is told below
        anyone = error
    client: Any = getattr(executor, "client", None) or getattr(executor, "_client", None)
    if isinstance(anyone, Exception) or not hasattr(client, "run"):
        yield "a worker", anyone
    else:
        answers = client.run(greet, *question, on_error="return")
        yield from ((f"worker {address}", told) for address, told in answers.items())


def _understood(who: str, told: Any) -> Greeting:
    if isinstance(told, Exception):
        raise UnlikeError(
            f"{who} cannot work with this client ({type(told).__name__}: {told}): install the "
            "same version of orderedness in both places"
        ) from told
    if "error" in told:
        raise UnlikeError(f"{who} cannot work: {told['error']}")
    return Greeting.from_json(told)
