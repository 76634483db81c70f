"""What a worker does: it trains and measures blocks, and writes their parts itself."""

from __future__ import annotations

import dataclasses
import functools
import threading

from orderedness.study.describe import digest
from orderedness.study.greeting import UnlikeError, check_setting, check_versions, greeting
from orderedness.study.manifest import Place
from orderedness.study.packing import unpack
from orderedness.study.part import encode
from orderedness.study.plan import Block, told_of
from orderedness.study.record import Record
from orderedness.study.run import compute
from orderedness.study.setting import Setting
from orderedness.study.store import Store

# Threads of one worker take turns: one task already uses all its cores.
_TURN = threading.Lock()


@dataclasses.dataclass(frozen=True)
class Errand:
    """Blocks for one task.

    Attributes:
        ticket: unlike that of any other task.
        store: its address.
        record: what is recorded.
        blocks: of each block the experiment, packed, its place, and why it is not stored, if so.
        versions: those of the client, which the worker must have.
        setting: in which others compute.
        mixed_devices: whether the worker's device may be another.
    """

    ticket: str
    store: str
    record: Record
    blocks: tuple[tuple[bytes, Place, str | None], ...]
    versions: dict[str, str]
    setting: Setting
    mixed_devices: bool


@dataclasses.dataclass(frozen=True)
class Delivery:
    """What travels back from a task.

    Attributes:
        setting: in which it was computed.
        computed: blocks that were computed, not found in the store.
        rows: encoded rows of the blocks that no store can hold.
    """

    setting: Setting
    computed: tuple[Place, ...]
    rows: dict[Place, bytes]


@dataclasses.dataclass(frozen=True)
class Trouble:
    """Why a task failed, in words: not every error can travel.

    Attributes:
        reason: the error.
        unlike: whether the worker is not what was agreed on.
        files: whether a file could not be read or written.
        deadly: whether every worker that took the task on was lost.
    """

    reason: str
    unlike: bool = False
    files: bool = False
    deadly: bool = False


def work(errand: Errand) -> Delivery | Trouble:
    """Compute those blocks of a task that are not in the store, and store each when finished.

    A task may run more than once, because a worker was lost or too slow to answer: what an
    earlier run finished is found.
    """
    with _TURN:
        try:
            return _work(errand)
        except UnlikeError as error:
            return Trouble(str(error), unlike=True)
        except OSError as error:
            return Trouble(str(error), files=True)
        except Exception as error:
            return Trouble(f"{type(error).__name__}: {error}")


def _work(errand: Errand) -> Delivery:
    me = greeting()
    check_versions(errand.versions, me.versions, "a worker")
    check_setting(errand.setting, me.setting, "a worker", mixed_devices=errand.mixed_devices)
    store = _store(errand.store)
    if not store.exists:
        raise UnlikeError(
            f"a worker does not see the store {errand.store}: it must be a folder that all "
            "machines share, or a bucket"
        )
    blocks = [Block(unpack(data), place, why) for data, place, why in errand.blocks]
    for block in blocks:
        if not block.why_not_stored:
            key = digest(told_of(block.experiment, errand.record))
            if key != block.place.key:
                raise UnlikeError(f"a worker understands {block.experiment} as another experiment")
    # Not by a listing: it would be of all the parts of these experiments.
    absent = [b for b in blocks if not store.files.exists(store.part(b.place, me.setting))]
    computed, rows = [], {}
    for block, measured in compute(absent, errand.record):
        if block.why_not_stored:
            rows[block.place] = encode(measured, {})
        else:
            store.write(block, errand.record, measured)
        computed.append(block.place)
    return Delivery(me.setting, tuple(computed), rows)


@functools.lru_cache(maxsize=16)
def _store(address: str) -> Store:
    return Store(address)
