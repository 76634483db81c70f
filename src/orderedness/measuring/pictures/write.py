"""Writing a picture: a PNG, or a page with the picture and the tables."""

from __future__ import annotations

import base64
import html
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from orderedness._files import writing
from orderedness.measuring.shown import shown

if TYPE_CHECKING:
    from orderedness.measuring.result import Measured

KINDS = (".png", ".html")
MOST_ROWS = 10_000  # of a page


def check_picture(path: Path) -> None:
    """Refuse a picture that could not be written, before the work begins.

    Examples:
        >>> check_picture(Path("out.gif"))
        Traceback (most recent call last):
            ...
        ValueError: plot is out.gif, but must end in .png or .html
    """
    if path.suffix.lower() not in KINDS:
        raise ValueError(f"plot is {shown(path)}, but must end in {' or '.join(KINDS)}")
    if path.is_dir():
        raise IsADirectoryError(f"plot is {shown(path)}, which is a folder")
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise OSError(f"plot is {shown(path)}, but {shown(folder)} is no folder to write into")


def write_picture(found: Measured, path: Path) -> None:
    """Draw a measurement into a file, whole or not at all."""
    check_picture(path)
    from orderedness.measuring.pictures.figure import draw

    picture = io.BytesIO()
    draw(found).savefig(picture, format="png")
    content = picture.getvalue()
    if path.suffix.lower() == ".html":
        content = _page(found, content).encode()
    with writing(path) as partial:
        partial.write_bytes(content)


def _page(found: Measured, picture: bytes) -> str:
    """A page that needs nothing else; every name in it is escaped."""
    title = html.escape(shown(found.network.about))
    text = html.escape(str(found))
    places = "\n".join(
        f"<tr><td>{place}</td><td>{html.escape(shown(name))}</td></tr>"
        for place, name in enumerate(found.order[:MOST_ROWS], start=1)
    )
    cut = len(found.order) - MOST_ROWS
    more = f"<p>{cut:,} more are not listed here.</p>" if cut > 0 else ""
    image = base64.b64encode(picture).decode()
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Orderedness of {title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em }}
h1 {{ overflow-wrap: anywhere }}
figure {{ margin: 0; overflow-x: auto }}
img {{ width: 100%; min-width: 60em }}
pre {{ white-space: pre-wrap; background: #8882; padding: 1em }}
th, td {{ padding: 0 1em 0 0; text-align: left }}
</style></head><body>
<h1>Orderedness of {title}</h1>
<figure tabindex="0">
<img alt="The weights as given and in their best order, and the levels of the units"
 src="data:image/png;base64,{image}">
</figure>
<pre>{text}</pre>
<h2>Best order, upstream first</h2>
<table><tr><th>place</th><th>unit</th></tr>
{places}
</table>{more}
</body></html>
"""
