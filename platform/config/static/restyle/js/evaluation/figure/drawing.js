// One chart of Vega-Lite in a place, as wide as the place has room. Colours of axes and words are the page's own CSS
// variables, so that dark, light and paper need no second drawing. The interpreter stands in for eval, which the
// content security policy forbids.
const sample = new Intl.NumberFormat(document.documentElement.lang, { useGrouping: "always" }).formatToParts(12345.5);
const sign = (kind) => sample.find(({ type }) => type === kind)?.value ?? ""; // as the page's language writes numbers
const CONFIG = {
  background: null,
  font: getComputedStyle(document.body).fontFamily, // measured on a canvas, which knows no variables
  axis: { labelColor: "var(--ink-2)", titleColor: "var(--ink)", gridColor: "var(--line)", domainColor: "var(--line-strong)",
    tickColor: "var(--line-strong)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: 600 },
  legend: { labelColor: "var(--ink-2)", titleColor: "var(--ink)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: 600 },
  header: { labelColor: "var(--ink)", titleColor: "var(--ink)", labelFontSize: 13, labelFontWeight: 600 },
  title: { color: "var(--ink)", fontSize: 13, fontWeight: 600, anchor: "start" },
  view: { stroke: "var(--line)" },
  locale: { number: { decimal: sign("decimal"), thousands: sign("group"), grouping: [3], currency: ["", ""] } },
};
const NARROW = 560;
const BESIDE = 90; // what axes and room take beside a panel
const LEAST = 160;
const MOST = { page: 520, dialog: 1400 }; // of a panel's width
const GROWN = { numbers: 1.6, steps: 1.5 }; // how much higher a chart is in a dialog

const NOTHING = { mark: "point", width: 0, height: 0, view: { stroke: null } }; // a training before its first step

const panelsOf = (spec) => (spec.spec ? [spec.spec] : spec.concat ?? [spec]);

function sized(panel, width, large) {
  const { height } = panel;
  const higher = typeof height === "number" ? Math.max(height * GROWN.numbers, innerHeight * 0.5) : height?.step && { step: height.step * GROWN.steps };
  return {
    ...panel, ...(typeof panel.width === "number" && { width }), ...(large && height && { height: higher }),
  };
}

function fitted(spec, room, width, columns, large) {
  const config = room < NARROW ? { ...CONFIG, legend: { ...CONFIG.legend, orient: "bottom", columns: 2 } } : CONFIG;
  const panels = panelsOf(spec).map((panel) => sized(panel, width, large));
  if (spec.spec) return { spec: { ...spec, columns, spec: panels[0] }, config };
  if (spec.concat) return { spec: { ...spec, columns, concat: panels }, config };
  return { spec: panels[0], config };
}

async function make(box, spec, config) {
  const compiled = vegaLite.compile(spec, { config, logger: vega.logger(vega.Error) }).spec;
  const view = new vega.View(vega.parse(compiled, null, { ast: true }), {
    expr: vega.expressionInterpreter, renderer: "svg", container: box, hover: true, logLevel: vega.Error,
    tooltip: () => {}, // figure/points.js says what is behind a point
  });
  await view.runAsync();
  return view;
}

// Drawn once as wide as axes are guessed to leave room for, and again once it is known what they take.
export async function draw(place, given, { large = false } = {}) {
  const { title, usermeta, description, ...said } = given; // the page says them already
  const spec = said.concat?.length === 0 ? { data: said.data, ...NOTHING } : said;
  const room = place.clientWidth;
  const asked = panelsOf(spec)[0].width;
  const most = spec.columns ?? (spec.spec || spec.concat ? 2 : 1);
  const columns = Math.max(1, Math.min(most, Math.floor(room / ((typeof asked === "number" ? asked : 0) + BESIDE))));
  const first = Math.max(LEAST, Math.min(typeof asked === "number" ? asked : room, room / columns - BESIDE));
  const box = document.createElement("div"); // Vega takes the role and the label away from what it draws in
  box.ariaHidden = "true"; // its words are the place's own, its numbers the table
  place.replaceChildren(box);
  const one = fitted(spec, room, first, columns, large);
  const view = await make(box, one.spec, one.config);
  const taken = box.querySelector("svg").getBoundingClientRect().width;
  const drawn = box.querySelector("svg").viewBox.baseVal.width || taken;
  const width = Math.max(LEAST, Math.min(large ? MOST.dialog : MOST.page, Math.floor(first + (room - drawn) / columns) - 4));
  if (typeof asked !== "number" || Math.abs(width - first) < 12) return view;
  view.finalize();
  const two = fitted(spec, room, width, columns, large);
  return make(box, two.spec, two.config);
}
