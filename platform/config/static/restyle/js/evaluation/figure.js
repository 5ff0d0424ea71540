// Draws the charts of a page with Vega-Lite, from the JSON that is also their download. Colours of axes and words are the
// page's own CSS variables, so that dark, light and paper need no second drawing. The interpreter stands in for eval,
// which the content security policy forbids. Where drawing fails the server's picture is shown.
const CONFIG = {
  background: null,
  font: getComputedStyle(document.body).fontFamily, // measured on a canvas, which knows no variables
  axis: { labelColor: "var(--ink-2)", titleColor: "var(--ink)", gridColor: "var(--line)", domainColor: "var(--line-strong)",
    tickColor: "var(--line-strong)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: 600 },
  legend: { labelColor: "var(--ink-2)", titleColor: "var(--ink)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: 600 },
  header: { labelColor: "var(--ink)", titleColor: "var(--ink)", labelFontSize: 13, labelFontWeight: 600 },
  view: { stroke: "var(--line)" },
};
const NARROW = 560;
const BESIDE = 90; // what axes and room take beside a panel

function fitted(spec, room) {
  const narrow = room < NARROW;
  const inner = spec.spec ?? spec;
  const most = Math.max(160, room - BESIDE);
  const sized = { ...inner, width: typeof inner.width === "number" ? Math.min(inner.width, most) : inner.width };
  const config = narrow ? { ...CONFIG, legend: { ...CONFIG.legend, orient: "bottom", columns: 2 } } : CONFIG;
  if (!spec.spec) return { spec: sized, config };
  const columns = Math.max(1, Math.min(spec.columns ?? 1, Math.floor(room / (sized.width + BESIDE))));
  return { spec: { ...spec, columns, spec: sized }, config };
}

async function draw(place, given) {
  const { title, usermeta, description, ...bare } = given; // the page says them already
  const { spec, config } = fitted(bare, place.clientWidth);
  const compiled = vegaLite.compile(spec, { config, logger: vega.logger(vega.Error) }).spec;
  const box = document.createElement("div"); // Vega takes the role and the label away from what it draws in
  box.ariaHidden = "true"; // its words are the place's own, its numbers the table
  place.replaceChildren(box);
  const view = new vega.View(vega.parse(compiled, null, { ast: true }), {
    expr: vega.expressionInterpreter, renderer: "svg", container: box, hover: true, logLevel: vega.Error,
  });
  await view.runAsync();
  return view;
}

function still(place) {
  if (!place.dataset.still) return;
  const picture = new Image();
  picture.src = place.dataset.still;
  picture.alt = "";
  place.replaceChildren(picture);
}

const given = async (place) => (await fetch(place.dataset.figure)).json();
const bare = ({ data, ...spec }) => JSON.stringify(spec);

async function show(place) {
  try {
    let now = await given(place);
    let view = await draw(place, now);
    let width = place.clientWidth;
    const redraw = async () => {
      view.finalize();
      view = await draw(place, now);
    };
    new ResizeObserver(() => {
      if (place.clientWidth === width) return;
      width = place.clientWidth;
      redraw();
    }).observe(place);
    place.addEventListener("restyle:renew", async () => {
      const before = now;
      now = await given(place);
      if (bare(now) !== bare(before)) return redraw();
      const rows = vega.changeset().remove(() => true).insert(now.data.values);
      // The same chart with other numbers: nothing flickers. Longer labels and further panels need room of their own.
      await view.change(now.data.name, rows).resize().runAsync();
    });
  } catch (error) {
    console.warn(error);
    still(place);
  }
}

document.querySelectorAll("[data-figure]").forEach(show);
