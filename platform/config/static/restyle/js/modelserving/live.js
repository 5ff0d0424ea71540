// The chart of a training follows it: where the part that htmx renews says that the curves are others, the chart is asked
// to renew itself ("restyle:renew", see evaluation/figure.js).
let drawn = document.getElementById("training-live")?.dataset.drawn;

document.addEventListener("htmx:afterSettle", () => {
  const now = document.getElementById("training-live")?.dataset.drawn;
  if (now === drawn) return;
  drawn = now;
  document.querySelectorAll("[data-figure]").forEach((place) => place.dispatchEvent(new Event("restyle:renew")));
});
