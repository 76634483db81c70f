"""The pages of the documentation and what stands in them."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES += sorted(p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)

# Fewer networks, and for less long, show as well that an example runs.
SMALLER = [
    (r"\brange\(\d{2,}\)", "range(4)"),
    (r"\bnetworks=[\d*]+(, block=[\d*]+)?", "networks=4, block=4"),
    (r"\bepochs=\d+", "epochs=4"),
    (r"\bsize=\((\d\d), \1\)", "size=(12, 12)"),
]


class Block(NamedTuple):
    """A block of a page, and the text block right after it, if there is one."""

    page: str
    place: int
    code: str
    shown: str | None

    def __str__(self):
        return f"{self.page}-{self.place}"

    @property
    def smaller(self):
        code = self.code
        for pattern, less in SMALLER:
            code = re.sub(pattern, less, code)
        return code


def blocks(language):
    """All blocks in one language."""
    found = []
    for page in PAGES:
        text = page.read_text()
        every = list(BLOCK.finditer(text))
        for place, block in enumerate(every):
            if block[1] == language:
                after = every[place + 1] if place + 1 < len(every) else None
                close = (
                    after and after[1] == "text" and not text[block.end() : after.start()].strip()
                )
                name = page.relative_to(ROOT).with_suffix("").as_posix()
                found.append(Block(name, place, block[2], after[2] if close else None))
    return found


def links(page):
    """Where the links and pictures of a page lead, without those to other places."""
    found = re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", page.read_text()))
    return [link for link in found if not re.match(r"[a-z]+:", link)]
