// Charts that the server drew as SVG ([data-chart]): the numbers behind their points, and the chart as large as the window.
import { pointsIn, readable } from "./figure/points.js";
import { zoomable } from "./figure/zoom.js";

function prepare(figure) {
  const svg = figure.querySelector("svg");
  if (!svg || figure.dataset.prepared) return;
  figure.dataset.prepared = "yes";
  readable(svg.parentElement, () => pointsIn(svg));
  zoomable(figure, (place) => {
    const copy = svg.cloneNode(true);
    place.classList.add("chart");
    place.append(copy);
    readable(place, () => pointsIn(copy));
  });
}

document.querySelectorAll("[data-chart]").forEach(prepare);
document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  if (elt.matches?.("[data-chart]")) prepare(elt);
});
