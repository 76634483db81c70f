"""Losses through training, and how many networks have solved the task."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from orderedness.explorer.compute import Result
from orderedness.explorer.drawing import WIDTH, Scale, figure, line, text, ticks
from orderedness.training import BaselineOutcome

LEFT, RIGHT, TOP, TALL, BETWEEN, SMALL = 58, 14, 28, 168, 40, 66
POINTS = 125
SINGLE = 5
SOLVED = 0.01
LEAST = 1e-6  # lower losses are drawn here


def draw_losses(result: Result) -> str:
    """The median loss, the middle 90 %, a few networks, and below them the share solved.

    Examples:
        >>> from orderedness.explorer import Setting, explore
        >>> drawn = draw_losses(explore(Setting(task="untrained control", networks=8)))
        >>> "solved in the end: 0 %" in drawn
        True
    """
    losses = np.concatenate([result.losses, result.final_loss[None]])
    steps = np.append(result.loss_steps, result.moments.steps[-1])
    parts = _panel(losses, steps, "training step", few=True)
    foot = TOP + TALL + BETWEEN + SMALL
    across = Scale(0, float(steps[-1]), LEFT, WIDTH - RIGHT)
    up = Scale(0, 1, foot, foot - SMALL)
    for share in (0.0, 0.5, 1.0):
        parts.append(line([(LEFT, up(share)), (WIDTH - RIGHT, up(share))], "grid"))
        parts.append(text(LEFT - 6, up(share) + 4, f"{share:.0%}", "soft end"))
    solved = (losses < SOLVED).mean(axis=1)
    chosen = _thinned(len(steps))
    top = list(zip(across.all(steps[chosen]), up.all(solved[chosen]), strict=True))
    parts.append(line([(LEFT, foot), *top, (WIDTH - RIGHT, foot)], "share", closed=True))
    parts.append(line(top, "middle"))
    ended = f"{result.solved.mean:.1%}".replace(".0%", "%").replace("%", " %")
    parts.append(text(LEFT, foot - SMALL - 10, f"solved in the end: {ended}", "bold"))
    parts += _steps_axis(across, float(steps[-1]), foot, "training step")
    spoken = f"Training losses. Share of networks solved in the end: {ended}"
    return figure(foot + 44, spoken, parts, key=repr(result.setting))


def draw_baseline(outcome: BaselineOutcome) -> str:
    """Figure 4: the losses of ordinary MLPs until the first of them stops."""
    losses = outcome.curve()
    epochs = np.arange(len(losses))
    parts = _panel(losses, epochs, "epoch", few=False)
    across = Scale(0, float(max(1, epochs[-1])), LEFT, WIDTH - RIGHT)
    parts += _steps_axis(across, float(epochs[-1]), TOP + TALL, "epoch")
    spoken = f"Losses of {losses.shape[1]} ordinary MLPs through {len(losses)} epochs"
    return figure(TOP + TALL + 44, spoken, parts, key=outcome.baseline.task.name)


def _panel(
    losses: Float[np.ndarray, "recorded networks"],
    steps: Float[np.ndarray, " recorded"],
    axis: str,
    *,
    few: bool,
) -> list[str]:
    chosen = _thinned(len(steps))
    kept = np.maximum(losses[chosen], LEAST)
    least = 10.0 ** np.floor(np.log10(kept.min()))
    most = 10.0 ** np.ceil(np.log10(max(kept.max(), least * 10)))
    across = Scale(0, float(max(1, steps[-1])), LEFT, WIDTH - RIGHT)
    up = Scale(float(least), float(most), TOP + TALL, TOP, log=True)
    parts = []
    powers = range(round(float(np.log10(least))), round(float(np.log10(most))) + 1)
    for power in powers:
        y = up(10.0**power)
        parts.append(line([(LEFT, y), (WIDTH - RIGHT, y)], "grid"))
        parts.append(text(LEFT - 6, y + 4, _power(power), "soft end"))
    x = across.all(steps[chosen])
    low, middle, high = (
        np.quantile(kept, (0.05, 0.5, 0.95), axis=1)
        if few
        else (kept.min(axis=1), kept.mean(axis=1), kept.max(axis=1))
    )
    outline = [
        *zip(x, up.all(high), strict=True),
        *reversed(list(zip(x, up.all(low), strict=True))),
    ]
    parts.append(line(outline, "band", closed=True))
    if few:
        for network in range(min(SINGLE, kept.shape[1])):
            parts.append(line(list(zip(x, up.all(kept[:, network]), strict=True)), "one"))
    parts.append(line(list(zip(x, up.all(middle), strict=True)), "middle"))
    if least < SOLVED < most:
        parts.append(line([(LEFT, up(SOLVED)), (WIDTH - RIGHT, up(SOLVED))], "bound"))
    title = "loss: median, middle 90 %, a few networks" if few else "MLPs: mean, least to most"
    parts.append(text(LEFT, TOP - 10, title, "bold"))
    if least < SOLVED < most:
        parts.append(text(WIDTH - RIGHT, TOP - 10, "- - solved", "soft end"))
    return parts


def _steps_axis(across: Scale, last: float, foot: float, name: str) -> list[str]:
    parts = [line([(LEFT, foot), (WIDTH - RIGHT, foot)], "axis")]
    for tick in ticks(0, max(1.0, last)):
        at_end = across(tick) > WIDTH - RIGHT - 20
        place = WIDTH - 2 if at_end else across(tick)
        parts.append(text(place, foot + 17, f"{tick:g}", "soft end" if at_end else "soft mid"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, foot + 35, name, "mid"))
    return parts


def _power(power: int) -> str:
    """A power of ten as people write it."""
    small = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(abs(power)))
    return f"{10.0**power:g}" if -3 <= power <= 3 else f"10{'⁻' if power < 0 else ''}{small}"


def _thinned(count: int) -> np.ndarray:
    """Places along a curve, the last one included: a screen shows no more."""
    return np.unique(np.linspace(0, count - 1, min(count, POINTS)).round().astype(int))
