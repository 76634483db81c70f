"""The command ``orderedness explore``."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Explore:
    """A page to explore with: move a slider, and hundreds of networks train again."""

    port: int | None = None
    """Port on 127.0.0.1; one that is free if not given."""
    no_browser: bool = False
    """Print the address, and open no browser."""

    def run(self) -> int:
        """Serve until Ctrl-C."""
        from orderedness.explorer.serve import serve

        if self.port is not None and not 1 <= self.port <= 65535:
            raise ValueError(f"port is {self.port}, but must be from 1 to 65535")
        serve(self.port, browser=not self.no_browser)
