"""What a worker says of itself before it is given work, and whether that will do."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax

from orderedness.ordering._threads import cores
from orderedness.study.files import files_at
from orderedness.study.setting import RESULTS_VERSION, Setting, provenance, this_setting


class UnlikeError(ValueError):
    """A worker that is not what was agreed on: no work of its own would help."""


@dataclasses.dataclass(frozen=True)
class Greeting:
    """A process as far as it matters for what it computes, and how fast.

    Attributes:
        setting: in which it computes.
        versions: of the packages that are involved.
        cores: cores it may use.
        platform: "cpu", or what JAX calls its other devices.
        memory: bytes that JAX may use on its first device.
        sees: whether it finds the file it was asked for in the store.
    """

    setting: Setting
    versions: dict[str, str]
    cores: int
    platform: str
    memory: int
    sees: bool = True

    def as_json(self) -> dict[str, Any]:
        """In plain data, which every version understands."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Greeting:
        """From plain data of any version."""
        known = {field.name for field in dataclasses.fields(cls)}
        given = {name: value for name, value in told.items() if name in known}
        return cls(**{**given, "setting": Setting(**told["setting"])})


def greeting() -> Greeting:
    """What this process is."""
    told = provenance() | {"results": str(RESULTS_VERSION)}
    device = jax.local_devices()[0]
    memory = (device.memory_stats() or {}).get("bytes_limit", 2**36)
    return Greeting(this_setting(), told, cores(), device.platform, int(memory))


def greet(store: str, note: str) -> dict[str, Any]:
    """What a worker answers: what it is, and whether it finds a file in the store; or an error."""
    try:
        seen = files_at(store).get(note) is not None
        return dataclasses.replace(greeting(), sees=seen).as_json()
    except Exception as error:  # in words: not every error can travel
        return {"error": f"{type(error).__name__}: {error}"}


def check_versions(ours: dict[str, str], theirs: dict[str, str], who: str) -> None:
    """Raise unless a worker has the same versions of everything as its client.

    A commit counts only where both are known, and of Python the last number does not.

    Examples:
        >>> check_versions({"jax": "0.10.0"}, {"jax": "0.9.1"}, "worker tcp://10.0.0.7:4000")
        Traceback (most recent call last):
            ...
        orderedness.study.greeting.UnlikeError: worker tcp://10.0.0.7:4000 has jax 0.9.1, but this
        client has jax 0.10.0: install the same versions in both places
    """
    for name in ours | theirs:
        mine, others = ours.get(name, "unknown"), theirs.get(name, "unknown")
        if name == "python":
            mine, others = (".".join(told.split(".")[:2]) for told in (mine, others))
        if mine != others and not (name == "commit" and "unknown" in (mine, others)):
            raise UnlikeError(
                f"{who} has {name} {others}, but this client has {name} {mine}: install the same "
                "versions in both places"
            )


def check_setting(agreed: Setting, theirs: Setting, who: str, *, mixed_devices: bool) -> None:
    """Raise unless a worker computes in the agreed setting, or only its device is another.

    Args:
        agreed: what the others have.
        theirs: what the worker has.
        who: the worker.
        mixed_devices: whether other kinds of device will do.
    """
    if theirs == agreed or (mixed_devices and theirs.differs_only_in_device(agreed)):
        return
    if theirs.differs_only_in_device(agreed):
        raise UnlikeError(
            f"{who} computes on {theirs.device}, but others on {agreed.device}, which does not "
            "give the same bits: use workers of one kind, or allow --mixed-devices "
            "(mixed_devices=True in Python)"
        )
    raise UnlikeError(f"{who} computes as {theirs.name}, but others as {agreed.name}")
