// The numbers behind the points of a chart: beside the pointer, under a finger, or by the arrow keys on the chart in focus.
const NEAR = { mouse: 28, touch: 48, pen: 36 }; // pixels

function visit(mark, x, y, panel, found) {
  for (const item of mark.items) {
    if (mark.marktype === "group") {
      const inner = found.panels;
      if (item.items.some((one) => one.role === "mark" || one.role === "scope")) found.panels += 1;
      for (const one of item.items) visit(one, x + (item.x ?? 0), y + (item.y ?? 0), inner, found);
    } else if (item.tooltip && ["symbol", "rect"].includes(mark.marktype)) {
      const { x1, x2, y1, y2 } = item.bounds;
      found.push({ x: x + (x1 + x2) / 2, y: y + (y1 + y2) / 2, panel, says: item.tooltip });
    }
  }
}

// Of a drawn chart, panel by panel from the left, in pixels of its drawing.
export function pointsOf(view) {
  const found = Object.assign([], { panels: 0 });
  const [left, top] = view.origin();
  visit(view.scenegraph().root, left, top, 0, found);
  return found.sort((one, other) => one.panel - other.panel || one.x - other.x || one.y - other.y);
}

// Of a picture that the server drew: its [data-tip], "name: value" on each line.
export const pointsIn = (svg) => [...svg.querySelectorAll("[data-tip]")]
  .map((mark) => ({
    x: mark.cx.baseVal.value, y: mark.cy.baseVal.value, panel: 0,
    says: Object.fromEntries(mark.dataset.tip.split("\n").map((line) => line.split("\t"))),
  }))
  .sort((one, other) => one.x - other.x);

const entries = (says) => (typeof says === "object" ? Object.entries(says) : [["", says]]);
const sentence = (says) => entries(says).map(([name, value]) => (name ? `${name} ${value}` : value)).join(", ");

function element(tag, className) {
  const made = document.createElement(tag);
  made.className = className;
  made.ariaHidden = "true";
  made.hidden = true;
  return made;
}

function fill(tip, says) {
  const list = document.createElement("dl");
  for (const [name, value] of entries(says)) {
    const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
    [term.textContent, detail.textContent] = [name, value];
    list.append(term, detail);
  }
  tip.replaceChildren(list);
}

// `points` is asked for each time: a chart that is drawn again has others.
export function readable(place, points) {
  const [ring, tip] = [element("span", "chart-ring"), element("div", "chart-tip")];
  let at = -1;
  place.tabIndex = 0;
  place.classList.add("readable");

  const frame = () => {
    const svg = place.querySelector("svg");
    const [inner, outer] = [svg.getBoundingClientRect(), place.getBoundingClientRect()];
    const scale = inner.width / (svg.viewBox.baseVal.width || inner.width);
    return { scale, left: inner.left - outer.left + place.scrollLeft, top: inner.top - outer.top };
  };
  const hide = () => { at = -1; ring.hidden = tip.hidden = true; };
  const show = (number) => {
    const point = points()[number];
    if (!point) return hide();
    if (!ring.isConnected) place.append(ring, tip); // a chart that is drawn again empties its place
    const { scale, left, top } = frame();
    const [x, y] = [left + point.x * scale, top + point.y * scale];
    at = number;
    fill(tip, point.says);
    ring.hidden = tip.hidden = false;
    Object.assign(ring.style, { left: `${x}px`, top: `${y}px` });
    const room = place.clientWidth + place.scrollLeft - tip.offsetWidth - 4;
    const over = y - tip.offsetHeight - 14;
    Object.assign(tip.style, { left: `${Math.max(4, Math.min(x - tip.offsetWidth / 2, room))}px`, top: `${over < 0 ? y + 14 : over}px` });
  };
  const nearest = ({ clientX, clientY, pointerType }) => {
    const { scale, left, top } = frame();
    const outer = place.getBoundingClientRect();
    const [x, y] = [clientX - outer.left + place.scrollLeft, clientY - outer.top];
    let [best, found] = [NEAR[pointerType] ?? NEAR.mouse, -1];
    points().forEach((point, number) => {
      const far = Math.hypot(left + point.x * scale - x, top + point.y * scale - y);
      if (far < best) [best, found] = [far, number];
    });
    return found;
  };
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  place.addEventListener("pointermove", (event) => show(nearest(event)));
  place.addEventListener("pointerdown", (event) => show(nearest(event)));
  place.addEventListener("pointerleave", ({ pointerType }) => { if (pointerType === "mouse") hide(); });
  place.addEventListener("blur", hide);
  place.addEventListener("keydown", (event) => {
    const last = points().length - 1;
    const to = { Home: 0, End: last }[event.key] ?? (step[event.key] && Math.max(0, Math.min(last, at + step[event.key])));
    if (event.key === "Escape" && at >= 0) { hide(); event.preventDefault(); event.stopPropagation(); return; }
    if (to === undefined || last < 0) return;
    event.preventDefault();
    show(to);
    document.dispatchEvent(new CustomEvent("restyle:say", { detail: sentence(points()[to].says) }));
  });
  place.addEventListener("restyle:drawn", hide);
}
