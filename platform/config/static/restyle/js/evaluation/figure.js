// Draws the charts of a page from the JSON that is also their download: [data-figure] is its address, or `#ID` of an
// element of the page that holds it. Where drawing fails the server's picture is shown.
import { choices, chosen } from "./figure/curves.js";
import { draw } from "./figure/drawing.js";
import { pointsOf, readable } from "./figure/points.js";
import { zoomable } from "./figure/zoom.js";

function still(place) {
  if (!place.dataset.still) return;
  const picture = new Image();
  picture.src = place.dataset.still;
  picture.alt = "";
  place.replaceChildren(picture);
}

async function given({ dataset: { figure } }) {
  if (figure.startsWith("#")) return JSON.parse(document.querySelector(figure).textContent);
  return (await fetch(figure)).json();
}
const bare = ({ data, ...spec }) => JSON.stringify(spec);

async function large(place, spec) {
  const view = await draw(place, spec, { large: true });
  readable(place, () => pointsOf(view));
  return () => view.finalize();
}

async function show(place) {
  const form = document.querySelector(place.dataset.curves ?? null);
  let renew = () => {};
  choices(form, () => renew());
  try {
    let now = await given(place);
    let drawn = chosen(form, now);
    let view = await draw(place, drawn);
    let width = place.clientWidth;
    const zoom = () => zoomable(place.closest("figure"), (room) => large(room, drawn));
    const redraw = async () => {
      view.finalize();
      view = await draw(place, drawn);
      place.dispatchEvent(new Event("restyle:drawn"));
      if (pointsOf(view).length) zoom();
    };
    renew = async () => {
      const before = drawn;
      drawn = chosen(form, now);
      if (bare(drawn) !== bare(before)) return redraw();
      const rows = vega.changeset().remove(() => true).insert(drawn.data.values);
      // The same chart with other numbers: nothing flickers. Longer labels and further panels need room of their own.
      await view.change(drawn.data.name, rows).resize().runAsync();
      place.dispatchEvent(new Event("restyle:drawn"));
    };
    new ResizeObserver(() => {
      if (place.clientWidth === width) return;
      width = place.clientWidth;
      redraw();
    }).observe(place);
    place.addEventListener("restyle:renew", async () => {
      now = await given(place);
      await renew();
    });
    readable(place, () => pointsOf(view));
    if (pointsOf(view).length) zoom();
  } catch (error) {
    console.warn(error);
    still(place);
  }
}

document.querySelectorAll("[data-figure]").forEach(show);

// [data-picture-at] puts the picture at that address on the clipboard. Safari wants it before it is there: a promise.
for (const button of document.querySelectorAll("[data-picture-at]")) {
  button.hidden = !window.ClipboardItem || !navigator.clipboard?.write;
  button.addEventListener("click", async () => {
    let refused = "";
    const picture = fetch(button.dataset.pictureAt).then(async (answer) => {
      if (answer.ok) return answer.blob();
      refused = sentenceOf(await answer.text());
      throw new Error(refused);
    });
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    } catch (error) {
      if (!refused) throw error;
    }
    document.dispatchEvent(new CustomEvent("restyle:toast", { detail: refused || button.dataset.picture }));
  });
}

// The sentence of a page that refuses.
function sentenceOf(page) {
  return new DOMParser().parseFromString(page, "text/html").querySelector("[data-sentence]")?.textContent.trim() ?? "";
}
