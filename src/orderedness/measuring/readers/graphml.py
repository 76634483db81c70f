"""GraphML, read as a stream. Document types are refused: XML can expand itself through them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from xml.parsers import expat

from orderedness.measuring.network import Network
from orderedness.measuring.readers.edges import EdgeList
from orderedness.measuring.shown import shown

PIECE = 1 << 20  # bytes


class _Reader:
    """What the parser calls while it reads."""

    def __init__(self, about: str) -> None:
        self.about = about
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.list = EdgeList()
        self.nodes: list[str] = []
        self.weight_key = "weight"
        self.weighing = False
        self.default = 1.0
        self.directed = True
        self.edge: tuple[str, str] | None = None
        self.weight: float | None = None
        self.graphs = 0
        self.within: list[str] = []
        self.collected: str | None = None
        self.pending: tuple[list[str], list[str], list[float]] = ([], [], [])

    def refuse(self, *_: object) -> None:
        raise ValueError(
            f"{self.about} line {self.parser.CurrentLineNumber} declares a document type or "
            "entity, which GraphML does not need and which is refused"
        )

    def wrong(self, what: str) -> ValueError:
        return ValueError(f"{self.about} line {self.parser.CurrentLineNumber}: {what}")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rsplit(" ", 1)[-1]
        self.within.append(tag)
        if len(self.within) == 1 and tag != "graphml":
            raise self.wrong(f"it starts with {shown(tag)}, but must be GraphML")
        if tag == "key":
            of_edges = attributes.get("for", "all") in ("edge", "all")
            self.weighing = of_edges and attributes.get("attr.name") == "weight"
            if self.weighing:
                self.weight_key = attributes.get("id", "weight")
        elif tag == "graph":
            self.graphs += 1
            if self.graphs > 1:
                raise self.wrong("there is a second graph, but there must be one")
            self.directed = attributes.get("edgedefault", "directed") == "directed"
        elif tag == "node":
            self.nodes.append(self.needed(attributes, "id", "node"))
        elif tag == "hyperedge":
            raise self.wrong("there is a hyperedge, but edges must be from one node to one")
        elif tag == "edge":
            direction = attributes.get("directed", "true" if self.directed else "false")
            if direction != "true":
                raise self.wrong("an edge is undirected, but every edge must be directed")
            source = self.needed(attributes, "source", "edge")
            self.edge = (source, self.needed(attributes, "target", "edge"))
            self.weight = None
        elif (tag == "default" and self.weighing) or (
            tag == "data" and self.edge and attributes.get("key") == self.weight_key
        ):
            self.collected = ""

    def needed(self, attributes: dict[str, str], name: str, tag: str) -> str:
        if name not in attributes:
            raise self.wrong(f"this {tag} has no {name}")
        return attributes[name]

    def text(self, data: str) -> None:
        if self.collected is not None:
            self.collected += data

    def number(self) -> float:
        written = (self.collected or "").strip()
        try:
            value = float(written)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.wrong(f"weight is {shown(written)!r}, but must be a finite number")
        return value

    def end(self, tag: str) -> None:
        tag = self.within.pop()
        if tag == "data" and self.collected is not None:
            self.weight, self.collected = self.number(), None
        elif tag == "default":
            if self.collected is not None:
                self.default, self.collected = self.number(), None
        elif tag == "edge" and self.edge:
            weight = self.default if self.weight is None else self.weight
            sources, targets, weights = self.pending
            sources.append(self.edge[0])
            targets.append(self.edge[1])
            weights.append(weight)
            self.edge = None
            if len(self.pending[0]) >= 100_000:
                self.flush()

    def flush(self) -> None:
        self.list.add(*self.pending)
        self.pending = ([], [], [])


def read_graphml(path: Path, progress: Callable[[int], None]) -> Network:
    """A directed graph; edges without a weight weigh 1.

    Args:
        path: the file.
        progress: is told how many bytes were read since it was told last.
    """
    about = shown(path)
    reader = _Reader(about)
    try:
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                reader.parser.Parse(piece, False)
                progress(len(piece))
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise ValueError(f"{about} is damaged or no GraphML: {shown(error, 120)}") from None
    reader.flush()
    return reader.list.network(about, every=reader.nodes)
