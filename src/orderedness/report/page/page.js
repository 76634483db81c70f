"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/* ---- figures ---- */
function drawFigures() {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink").trim();
  const line = style.getPropertyValue("--line").trim();
  const narrow = window.innerWidth < 700;
  for (const [name, spec] of Object.entries(data.figures)) {
    const layout = structuredClone(spec.layout);
    Object.assign(layout, {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: ink, size: narrow ? 10 : 12 }, margin: { t: 50, r: 15, b: 60, l: 55 },
      hovermode: "closest", legend: { orientation: "h", y: narrow ? -0.12 : -0.25 },
    });
    const panels = Object.keys(layout).filter((key) => key.startsWith("xaxis")).length;
    for (let place = 1; place <= panels; place++) {
      for (const axis of [layout["xaxis" + place], layout["yaxis" + place]]) {
        Object.assign(axis, { gridcolor: line, zerolinecolor: line, linecolor: line });
      }
      if (narrow) stack(layout, place, panels);
    }
    const element = document.getElementById(name);
    element.style.height = narrow ? 17 * panels + 5 + "rem" : "";
    Plotly.react(element, structuredClone(spec.data), layout, { displaylogo: false, responsive: true });
  }
}

/* On a narrow screen panels go below each other. */
function stack(layout, place, panels) {
  const height = 1 / panels;
  const top = 1 - (place - 1) * height;
  layout["xaxis" + place].domain = [0, 1];
  layout["yaxis" + place].domain = [top - height * 0.66, top - height * 0.06];
  Object.assign(layout.annotations[place - 1], { x: 0, y: top + 0.01, yanchor: "top" });
}

/* ---- the viewer ---- */
const pick = document.getElementById("network");
const slider = document.getElementById("moment");

function colour(value, limit) {
  const share = Math.max(-1, Math.min(1, value / limit));
  const far = share > 0 ? [178, 24, 43] : [33, 102, 172];
  const mix = far.map((channel) => Math.round(247 + (channel - 247) * Math.sqrt(Math.abs(share))));
  return `rgb(${mix.join(",")})`;
}

function drawMatrix(canvas, network, moment, order) {
  const units = moment.W.length, sources = moment.W[0].length, cell = 40;
  canvas.width = sources * cell;
  canvas.height = units * cell;
  const context = canvas.getContext("2d");
  const limit = Math.max(...network.moments.at(-1).W.flat().map(Math.abs), 1e-9);
  const from = [...order, ...Array.from({ length: sources - units }, (_, i) => units + i)];
  order.forEach((unit, row) => from.forEach((source, column) => {
    context.fillStyle = colour(moment.W[unit][source], limit);
    context.fillRect(column * cell, row * cell, cell, cell);
  }));
  context.strokeStyle = "#000";
  context.lineWidth = 3;
  context.beginPath();
  for (let row = 0; row < units; row++) {
    context.moveTo(row * cell, row * cell);
    context.lineTo(row * cell, (row + 1) * cell);
    context.lineTo((row + 1) * cell, (row + 1) * cell);
  }
  context.stroke();
  context.lineWidth = 1.5;
  context.strokeStyle = "#555";
  context.strokeRect(0, 0, canvas.width, network.outputs * cell);
  context.strokeRect(units * cell, 0, canvas.width, canvas.height);
  canvas.dataset.shown = JSON.stringify([moment.step, order]);
}

function drawViewer() {
  const network = data.networks[pick.value];
  slider.max = network.moments.length - 1;
  const moment = network.moments[slider.value];
  drawMatrix(document.getElementById("given"), network, moment, moment.order.map((_, i) => i));
  drawMatrix(document.getElementById("best"), network, moment, moment.order);
  const order = moment.O === null ? "undefined" : moment.O.toFixed(3);
  document.getElementById("readout").textContent =
    `step ${moment.step}: O = ${order}, loss ${moment.loss.toFixed(4)}`;
  slider.setAttribute("aria-valuetext", `step ${moment.step}`);
}

data.networks.forEach((network, index) => {
  pick.add(new Option(`${network.label}, network ${network.network}`, index));
});
pick.addEventListener("change", drawViewer);
slider.addEventListener("input", drawViewer);
let playing = null;
document.getElementById("play").addEventListener("click", (event) => {
  const stop = () => { clearInterval(playing); playing = null; event.target.textContent = "Play"; };
  if (playing) return stop();
  if (slider.value === slider.max) slider.value = 0;
  event.target.textContent = "Pause";
  playing = setInterval(() => {
    slider.value = Number(slider.value) + 1;
    drawViewer();
    if (slider.value === slider.max) stop();
  }, 120);
});

drawViewer();
drawFigures();
dark.addEventListener("change", drawFigures);
let width = window.innerWidth;
window.addEventListener("resize", () => {
  if ((width < 700) !== (window.innerWidth < 700)) drawFigures();
  width = window.innerWidth;
});
