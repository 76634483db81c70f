"""The interactive page: change a setting, and watch hundreds of networks train again.

Its settings, computing, drawing and wording are plain functions of public names, so that what the
page shows can be had, and tested, without a browser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orderedness._lazy import lazily

if TYPE_CHECKING:
    from orderedness.explorer.compute import Result, explore
    from orderedness.explorer.presets import PRESETS, Preset
    from orderedness.explorer.python_lines import recipe
    from orderedness.explorer.setting import Setting
    from orderedness.explorer.words import Verdict, verdict

_HOME = {
    "compute": ("Result", "explore"),
    "presets": ("PRESETS", "Preset"),
    "python_lines": ("recipe",),
    "setting": ("Setting",),
    "words": ("Verdict", "verdict"),
}
__all__ = ["PRESETS", "Preset", "Result", "Setting", "Verdict", "explore", "recipe", "verdict"]

__getattr__, __dir__ = lazily(__name__, _HOME)
