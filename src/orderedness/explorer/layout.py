"""The parts of the page, as HTML."""

from __future__ import annotations

import base64
import functools
import html
from collections.abc import Callable, Sequence
from typing import Protocol

from orderedness.explorer.compute import Result, is_ready
from orderedness.explorer.curves import draw_baseline, draw_losses
from orderedness.explorer.distribution import draw_distribution
from orderedness.explorer.drawing import alone, css
from orderedness.explorer.export import losses_csv, networks_csv, page_html, weights_csv
from orderedness.explorer.graph import draw_graph
from orderedness.explorer.matrices import draw_matrix
from orderedness.explorer.own_matrix import matrix_picture, matrix_sentence, order_csv
from orderedness.explorer.python_lines import recipe
from orderedness.explorer.setting import Setting
from orderedness.explorer.watched import watch
from orderedness.explorer.words import Verdict
from orderedness.measuring import Measured
from orderedness.training import sine_baseline, train_baseline, xor_baseline

BASELINES = {"XOR": xor_baseline, "Sine": sine_baseline}
BASELINE_NETWORKS = 10
KINDS = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "csv": "text/csv",
    "html": "text/html",
    "py": "text/x-python",
}


class Shown(Protocol):
    """Something of marimo's that can be put into HTML."""

    @property
    def text(self) -> str:
        """Its HTML."""


class Download(Protocol):
    """marimo's button that gives a file; the file is made when it is asked for."""

    def __call__(
        self, data: Callable[[], bytes], filename: str, mimetype: str, *, label: str
    ) -> Shown:
        """The button."""


def head() -> str:
    """Style, title, and what this is."""
    return (
        f"<style>{css('page.css')}{css('figure.css')}</style>"
        '<div class="explorer"><h1>What does pruning do to order?</h1>'
        "<p>Every unit of these networks feeds every unit. They are trained and pruned at the same "
        "time; then each is asked how much of its weight flows forward in the best order of its "
        "units: its orderedness O, which is 1 if nothing flows back. Sparse networks are ordered "
        "by chance already, so O is compared with that of the same weights in random places.</p>"
        "</div>"
    )


def controls(shown: Sequence[Shown], note: str = "") -> str:
    """Controls side by side, the first of them wider, and a word on where they started."""
    first, *others = shown
    cells = f'<div class="wide">{first.text}</div>'
    cells += "".join(f"<div>{one.text}</div>" for one in others)
    told = f'<div class="explorer"><p class="soft">{html.escape(note)}</p></div>' if note else ""
    return f'<div class="explorer controls">{cells}</div>{told}'


def working(setting: Setting) -> str:
    """What is being done, and why it may take a moment."""
    if is_ready(setting):
        return busy(f"Training {setting.networks:,} networks")
    units = "1 hidden unit" if setting.hidden == 1 else f"{setting.hidden} hidden units"
    return busy(f"Compiling for {setting.task} with {units}: a few seconds, once")


def busy(doing: str) -> str:
    """What is being done, beside a wheel that turns."""
    return (
        f'<div class="explorer status" role="status"><span class="wheel"></span> '
        f"{html.escape(doing)}</div>"
    )


def status(result: Result) -> str:
    """What is shown, how long it took, and what to know about the setting."""
    notes = "".join(f" <strong>{html.escape(note)}</strong>" for note in result.setting.notes())
    return (
        f'<div class="explorer status" {_made_for(result.setting)}><span class="soft">Shown: '
        f"{html.escape(result.setting.told())}; computed in {result.seconds:.2f} s.</span>"
        f"{notes}</div>"
    )


def verdict_box(found: Verdict, setting: Setting) -> str:
    """The finding, and the numbers behind it."""
    kind = found.kind.replace(" ", "-")
    key = html.escape(repr(setting))
    return (
        f'<div class="explorer verdict {kind}" role="status" data-key="{key}" '
        f"{_made_for(setting)}>"
        f"<strong>{html.escape(found.sentence)}</strong><p>{html.escape(found.because)}</p></div>"
    )


def _made_for(setting: Setting) -> str:
    """An attribute that says what a part was made for; tests wait until all parts agree."""
    return f'data-setting="{html.escape(repr(setting))}"'


def population(result: Result, download: Download, *, baseline: bool = False) -> str:
    """The views of all networks together."""
    distribution, losses = draw_distribution(result), draw_losses(result)
    cells = [
        _cell(
            distribution,
            _svg(download, "distribution", distribution),
            _file(download, "networks.csv", lambda: networks_csv(result)),
        ),
        _cell(
            losses,
            _svg(download, "losses", losses),
            _file(download, "losses.csv", lambda: losses_csv(result)),
        ),
    ]
    if baseline and result.setting.task in BASELINES:
        drawn = baseline_figure(result.setting.task)
        cells.append(_cell(drawn, _svg(download, "mlp-losses", drawn)))
    return _views(cells, result.setting)


def watched(result: Result, network: int, share: float, download: Download) -> str:
    """The views of one network."""
    seen = watch(result, network, share)
    given, best, graph = _watched(result, network, share)
    told = f'<div class="explorer"><p aria-live="polite">{html.escape(seen.told)}</p></div>'
    return told + _views(
        [
            _cell(
                given,
                _svg(download, "weights", given),
                _file(download, "weights.csv", lambda: weights_csv(seen)),
            ),
            _cell(best, _svg(download, "best-order", best)),
            _cell(graph, _svg(download, "graph", graph)),
        ],
        result.setting,
    )


def whole(
    result: Result, network: int, share: float, download: Download, *, baseline: bool = False
) -> str:
    """The Python lines, and everything as one page."""
    lines = recipe(result.setting)
    seen = watch(result, network, share)

    def page() -> str:
        figures = [draw_distribution(result), draw_losses(result)]
        if baseline and result.setting.task in BASELINES:
            figures.append(baseline_figure(result.setting.task))
        return page_html(result, [*figures, *_watched(result, network, share)], [seen.told])

    buttons = (
        _file(download, "explorer.py", lambda: lines).text
        + _file(download, "explorer.html", page).text
    )
    return (
        f'<div class="explorer" {_made_for(result.setting)}><h2>Take it with you</h2>'
        "<p>These Python lines make the same networks and print the same numbers; the page holds "
        "all that is shown, and needs no network.</p>"
        f"<pre>{html.escape(lines)}</pre>"
        f'<div class="get">{buttons}</div></div>'
    )


def one_head() -> str:
    """The section for single networks."""
    return (
        '<div class="explorer"><h2>One network through training</h2>'
        "<p>Red weights push, blue ones hold back, and what lies below the staircase flows back. "
        "The best order of the units leaves as little there as can be.</p></div>"
    )


def own_head(most_bytes: int) -> str:
    """The section for a matrix of one's own."""
    return (
        '<div class="explorer"><h2>A matrix of your own</h2>'
        "<p>How ordered is a network that you have? Its weights, a table or a list of edges, as "
        "<code>orderedness measure</code> reads them. Nothing in the file is run, and it stays on "
        f"this machine. At most {most_bytes >> 20} MB and 2,000 units; it takes up to ten "
        "seconds.</p></div>"
    )


def own_result(found: Measured, lines: str, download: Download) -> str:
    """A matrix in words and in a picture."""
    sentence = matrix_sentence(found)
    picture = functools.cache(functools.partial(matrix_picture, found))
    address = _address(picture("png"))
    buttons = [
        download(lambda: picture("png"), "matrix.png", KINDS["png"], label="matrix.png"),
        download(lambda: picture("html"), "matrix.html", KINDS["html"], label="matrix.html"),
        _file(download, "order.csv", lambda: order_csv(found)),
        _file(download, "measure.py", lambda: lines),
    ]
    got = "".join(one.text for one in buttons)
    return (
        f'<div class="explorer"><p class="sentence"><strong>{html.escape(sentence)}</strong></p>'
        f'<img src="{address}" alt="The weights as given and in their best order, and the units '
        f'in layers"><div class="get">{got}</div>'
        f"<details><summary>All that was measured</summary><pre>{html.escape(str(found))}</pre>"
        f"</details><pre>{html.escape(lines)}</pre></div>"
    )


def wrong(error: Exception) -> str:
    """Why something cannot be had."""
    return (
        f'<div class="explorer"><p class="wrong" role="alert">{html.escape(str(error))}</p></div>'
    )


@functools.cache
def baseline_figure(task: str) -> str:
    """Figure 4: ordinary MLPs on a task."""
    return draw_baseline(train_baseline(BASELINES[task](), range(BASELINE_NETWORKS)))


def _watched(result: Result, network: int, share: float) -> tuple[str, str, str]:
    seen = watch(result, network, share)
    return draw_matrix(seen, best=False), draw_matrix(seen, best=True), draw_graph(seen)


def _views(cells: Sequence[str], setting: Setting) -> str:
    return f'<div class="explorer views" {_made_for(setting)}>{"".join(cells)}</div>'


def _cell(drawn: str, *buttons: Shown) -> str:
    got = "".join(one.text for one in buttons)
    return f'<figure>{drawn}<div class="get">{got}</div></figure>'


def _svg(download: Download, name: str, drawn: str) -> Shown:
    return _file(download, f"{name}.svg", lambda: alone(drawn))


def _file(download: Download, name: str, make: Callable[[], str]) -> Shown:
    kind = KINDS[name.rpartition(".")[2]]
    return download(lambda: make().encode(), name, kind, label=name)


def _address(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"
