"""HiGHS, imported when the first linear programme is solved: small matrices never need it."""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    return getattr(importlib.import_module("highspy"), name)
