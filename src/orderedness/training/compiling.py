"""Compiling each program once: once in a process, and once on a machine."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import hashlib
import logging
import platform
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax

from orderedness._files import cache_folder
from orderedness.training.block import Program, run
from orderedness.training.fused import run_fused

_LOG = logging.getLogger(__name__)

# Vectors as wide as the CPU has them; where it has none so wide, this asks for nothing.
_CPU_OPTIONS: dict[str, str | bool] = {"xla_cpu_prefer_vector_width": "512"}


def compiled(program: Program, arguments: Any, device: jax.Device) -> Callable[..., Any]:
    """The program, compiled for arguments of these shapes on this device."""
    keep_compiled_programs()
    return _compiled(program, _Shapes(jax.tree.map(jax.typeof, arguments)), device)


@functools.cache
def keep_compiled_programs() -> None:
    """Keep what XLA compiles in the user's cache folder, unless JAX was told of another.

    The folder is named after the versions and the CPU, so that a home shared by several machines
    never offers one of them another's code. JAX compiles anew where an entry cannot be read.
    """
    if jax.config.values["jax_compilation_cache_dir"] is None:
        jax.config.update("jax_compilation_cache_dir", str(cache_folder("jax") / _machine()))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)


def _machine() -> str:
    """A name for what decides whether compiled code runs here."""
    cpu = platform.machine() + platform.processor()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text().splitlines()
        cpu += "".join(sorted({x for x in lines if x.startswith(("flags", "model name"))}))
    digest = hashlib.sha256(cpu.encode()).hexdigest()[:8]
    return f"{jax.__version__}-{platform.python_version()}-{digest}"


class _Once:
    """A cache whose values are made once even when several threads ask at the same time."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._futures: dict[Any, concurrent.futures.Future[Any]] = {}

    def __len__(self) -> int:
        return len(self._futures)

    def __call__(self, *key: Any) -> Any:
        with self._lock:
            future = self._futures.get(key)
            mine = future is None
            if future is None:
                future = self._futures[key] = concurrent.futures.Future()
        if mine:
            try:
                future.set_result(self._make(*key))
            except BaseException as error:
                with self._lock:
                    del self._futures[key]
                future.set_exception(error)
        return future.result()


@dataclasses.dataclass(frozen=True, eq=False)
class _Shapes:
    """Shapes and types of a program's arguments, comparable."""

    tree: Any

    @functools.cached_property
    def _told(self) -> tuple[Any, ...]:
        leaves, structure = jax.tree.flatten(self.tree)
        return (structure, *((leaf.shape, str(leaf.dtype)) for leaf in leaves))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shapes) and self._told == other._told

    def __hash__(self) -> int:
        return hash(self._told)


@_Once
def _compiled(program: Program, shapes: _Shapes, device: jax.Device) -> Any:
    if program.fused:
        try:
            return jax.jit(functools.partial(run_fused, program)).lower(*shapes.tree).compile()
        except Exception as error:  # whatever a compiler says to it, the plain path is there
            _LOG.info("not fused, but trained as usual: %s", error)
    options = _CPU_OPTIONS if device.platform == "cpu" else None
    return jax.jit(functools.partial(run, program)).lower(*shapes.tree).compile(options)


def programs_made() -> int:
    """How many training programs this process has compiled or loaded."""
    return len(_compiled)
