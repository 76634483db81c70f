# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The page itself: controls, computing, views. Everything it calls is plain Python beside it."""

import marimo

app = marimo.App(width="full", app_title="orderedness explorer")


@app.cell
def _():
    import marimo as mo

    from orderedness.explorer import PRESETS, Setting, explore, verdict
    from orderedness.explorer import layout as page
    from orderedness.explorer.own_matrix import (
        EXAMPLES,
        MOST_BYTES,
        SUFFIXES,
        matrix_recipe,
        measure_example,
        measure_upload,
    )
    from orderedness.explorer.setting import INITIALISERS, NETWORKS, PRUNERS, TASKS

    return (
        EXAMPLES,
        INITIALISERS,
        MOST_BYTES,
        NETWORKS,
        PRESETS,
        PRUNERS,
        SUFFIXES,
        Setting,
        TASKS,
        explore,
        matrix_recipe,
        measure_example,
        measure_upload,
        mo,
        page,
        verdict,
    )


@app.cell
def _(mo, page):
    mo.Html(page.head())
    return


@app.cell
def _(PRESETS, mo):
    preset_choice = mo.ui.dropdown(
        options=list(PRESETS), value=next(iter(PRESETS)), label="Start from", full_width=True
    )
    return (preset_choice,)


@app.cell
def _(INITIALISERS, NETWORKS, PRESETS, PRUNERS, TASKS, mo, preset_choice):
    preset = PRESETS[preset_choice.value]
    _start = preset.setting
    task = mo.ui.dropdown(options=list(TASKS), value=_start.task, label="Task", full_width=True)
    pruner = mo.ui.dropdown(
        options=list(PRUNERS), value=_start.pruner, label="Pruner", full_width=True
    )
    initialiser = mo.ui.dropdown(
        options=list(INITIALISERS), value=_start.initialiser, label="Initialiser", full_width=True
    )
    strength = mo.ui.slider(
        0, 1, 0.05, value=_start.strength, label="Strength", show_value=True, full_width=True
    )
    hidden = mo.ui.slider(
        1, 12, value=_start.hidden, label="Hidden units", show_value=True, full_width=True
    )
    iterations = mo.ui.slider(
        1, 10, value=_start.iterations, label="Iterations T", show_value=True, full_width=True
    )
    networks = mo.ui.dropdown(
        options={f"{count:,}": count for count in NETWORKS},
        value=f"{_start.networks:,}",
        label="Networks",
        full_width=True,
    )
    seed = mo.ui.number(
        0, 4095, 1, value=_start.seed, label="Seed of the networks", full_width=True
    )
    return hidden, initialiser, iterations, networks, preset, pruner, seed, strength, task


@app.cell
def _(
    hidden,
    initialiser,
    iterations,
    mo,
    networks,
    page,
    preset,
    preset_choice,
    pruner,
    seed,
    strength,
    task,
):
    mo.Html(
        page.controls(
            [
                preset_choice,
                task,
                pruner,
                strength,
                hidden,
                iterations,
                initialiser,
                networks,
                seed,
            ],
            preset.note,
        )
    )
    return


@app.cell
def _(
    Setting,
    explore,
    hidden,
    initialiser,
    iterations,
    mo,
    networks,
    page,
    pruner,
    seed,
    strength,
    task,
):
    setting = Setting(
        task.value,
        hidden.value,
        iterations.value,
        pruner.value,
        strength.value,
        initialiser.value,
        networks.value,
        int(seed.value or 0),
    )
    mo.output.replace(mo.Html(page.working(setting)))
    result = explore(setting)
    mo.Html(page.status(result))
    return result, setting


@app.cell
def _(mo, page, result, verdict):
    mo.Html(page.verdict_box(verdict(result), result.setting))
    return


@app.cell
def _(mo, page, preset, result):
    mo.Html(page.population(result, mo.download, baseline=preset.baseline))
    return


@app.cell
def _(mo, page):
    network = mo.ui.slider(1, 12, value=1, label="Network", show_value=True, full_width=True)
    moment = mo.ui.slider(
        0, 100, 2, value=100, label="Training done (%)", show_value=True, full_width=True
    )
    mo.Html(page.one_head() + page.controls([moment, network]))
    return moment, network


@app.cell
def _(mo, moment, network, page, result):
    mo.Html(page.watched(result, network.value - 1, moment.value / 100, mo.download))
    return


@app.cell
def _(mo, moment, network, page, preset, result):
    mo.Html(
        page.whole(
            result,
            network.value - 1,
            moment.value / 100,
            mo.download,
            baseline=preset.baseline,
        )
    )
    return


@app.cell
def _(EXAMPLES, MOST_BYTES, SUFFIXES, mo, page, preset):
    matrix_file = mo.ui.file(
        filetypes=list(SUFFIXES), kind="area", max_size=MOST_BYTES, label="Drop a file, or choose"
    )
    example = mo.ui.dropdown(
        options=["none", *EXAMPLES],
        value=preset.matrix or "none",
        label="Or one of the paper's",
        full_width=True,
    )
    matrix_outputs = mo.ui.number(
        0, 2000, 1, value=0, label="Outputs (first units)", full_width=True
    )
    array = mo.ui.text(label="Array, if several", full_width=True)
    direction = mo.ui.dropdown(
        options=["columns-feed-rows", "rows-feed-columns"],
        value="columns-feed-rows",
        label="Direction",
        full_width=True,
    )
    mo.Html(
        page.own_head(MOST_BYTES)
        + page.controls([matrix_file, example, matrix_outputs, array, direction])
    )
    return array, direction, example, matrix_file, matrix_outputs


@app.cell
def _(
    array,
    direction,
    example,
    matrix_file,
    matrix_outputs,
    matrix_recipe,
    measure_example,
    measure_upload,
    mo,
    page,
):
    _shown = ""
    _asked = {
        "outputs": int(matrix_outputs.value or 0),
        "array": array.value.strip(),
        "direction": direction.value,
    }
    try:
        if matrix_file.value:
            mo.output.replace(mo.Html(page.busy("Measuring: a few seconds at most")))
            _found = measure_upload(matrix_file.name(), matrix_file.contents(), **_asked)
            _lines = matrix_recipe(matrix_file.name(), **_asked)
            _shown = page.own_result(_found, _lines, mo.download)
        elif example.value != "none":
            mo.output.replace(mo.Html(page.busy("Measuring: a few seconds at most")))
            _found, _lines = measure_example(example.value)
            _shown = page.own_result(_found, _lines, mo.download)
    except (ValueError, TypeError, OSError) as _error:
        _shown = page.wrong(_error)
    mo.Html(_shown)
    return


if __name__ == "__main__":
    app.run()
