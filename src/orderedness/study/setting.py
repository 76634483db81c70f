"""Where results were computed, as far as it can change them; and where they come from."""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
import platform
import re
import subprocess
from pathlib import Path

import jax
import numpy as np
import optax

import orderedness
from orderedness._version import __version__

# Raised whenever a change of this package changes the numbers of any experiment or column.
RESULTS_VERSION = 1


@dataclasses.dataclass(frozen=True)
class Setting:
    """What can change the bits of a result besides what was asked.

    Attributes:
        device: the kind of device; for a CPU, with the widest vectors it has.
        precision: of the arithmetic.
        versions: of what computes.

    Examples:
        >>> setting = Setting("cpu-x86_64-avx2", "float32", "r1-jax0.10.0-optax0.2.6")
        >>> setting.name
        'cpu-x86_64-avx2-float32@r1-jax0.10.0-optax0.2.6'
        >>> Setting.parse(setting.name) == setting
        True
    """

    device: str
    precision: str
    versions: str

    @property
    def name(self) -> str:
        """A name that fits into a path."""
        return f"{self.device}-{self.precision}@{self.versions}"

    def differs_only_in_device(self, other: Setting) -> bool:
        """Whether another setting has the same precision and versions on another device."""
        return self != other and dataclasses.replace(self, device=other.device) == other

    @classmethod
    def parse(cls, name: str) -> Setting | None:
        """The setting of this name, or None if it is no such name."""
        found = re.fullmatch(r"([\w.-]+)-(float\d\d[\w.]*)@([\w.+-]+)", name)
        return cls(*found.groups()) if found else None


def this_setting() -> Setting:
    """The setting of this process."""
    product = jax.config.values["jax_default_matmul_precision"]
    precision = "float64" if jax.config.values["jax_enable_x64"] else "float32"
    return Setting(
        device=_device(),
        precision=precision if product is None else f"{precision}_{product}",
        versions=f"r{RESULTS_VERSION}-jax{jax.__version__}-optax{optax.__version__}",
    )


@functools.cache
def provenance() -> dict[str, str]:
    """What is written beside results: the versions of everything, and nothing about the host."""
    return {
        "orderedness": __version__,
        "commit": _commit() or "unknown",
        "jax": jax.__version__,
        "jaxlib": importlib.metadata.version("jaxlib"),
        "optax": optax.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


@functools.cache
def _device() -> str:
    device = jax.local_devices()[0]
    if device.platform != "cpu":
        return re.sub(r"[^\w.]+", "-", device.device_kind.lower()).strip("-")
    flags = _cpu_flags()
    widest = next((f"-{name}" for name in ("avx512f", "avx2") if name in flags), "")
    return f"cpu-{platform.machine()}{widest}"


def _cpu_flags() -> set[str]:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return set(next((line for line in lines if line.startswith("flags")), "").split())


def _commit() -> str | None:
    """The commit of this package's own repository, if it runs from a checkout with git."""
    root = Path(orderedness.__file__).parents[2]
    if not (root / ".git").exists():
        return None
    try:
        done = subprocess.run(
            [
                "git",
                "-C",
                str(root),
                "describe",
                "--always",
                "--dirty",
                "--abbrev=40",
                "--exclude=*",
            ],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
