// Tables that are wider than the page. Each .table-scroll shows at its edges whether columns go on to that side.
// table[data-sortable] is sorted by its heads. One with data-tools, its name, gets the tools of #table-tools before it: its
// columns are chosen, grouped, pinned and made wider, its rows set closer, and all of it is kept (tables/address.js).
import { counted } from "./counted.js";
import { isCompact, keep, keyed, otherRows, read, usual, write } from "./tables/address.js";
import { chooser, togglePin } from "./tables/chooser.js";
import { columnsOf, hold, lay } from "./tables/columns.js";
import { left, turn, watch } from "./tables/edges.js";
import { heads, named, prepare, sort } from "./tables/sorting.js";
import { byKey, grip } from "./tables/widths.js";

function outside(box, table) {
  const { left: from, right: to } = box.getBoundingClientRect();
  const places = heads(table).filter((head) => !head.hidden && !head.matches(".pinned")).map((head) => head.getBoundingClientRect());
  const mirrored = getComputedStyle(box).direction === "rtl";
  return places.filter((place) => (mirrored ? place.left < from - 1 : place.right > to + 1)).length;
}

function cue(tools, box, table) {
  const button = tools.querySelector("[data-aside]");
  const tell = () => {
    button.hidden = box.scrollWidth - box.clientWidth <= 1;
    const n = left(box) > 1 ? outside(box, table) : 0;
    button.dataset.way = n ? "on" : "back";
    button.textContent = n ? counted(button.dataset.counted, n) : button.dataset.back;
  };
  button.addEventListener("click", () => turn(box));
  box.addEventListener("scroll", tell, { passive: true });
  new ResizeObserver(tell).observe(box);
  new ResizeObserver(tell).observe(table);
  return tell;
}

function onHead(table, change) {
  table.tHead.addEventListener("keydown", (event) => {
    const head = event.target.closest("th");
    if (!head?.matches("[scope=col]") || event.ctrlKey || event.altKey || event.metaKey) return;
    const [key, name, first] = [event.key === "=" ? "+" : event.key, named(head), head.cellIndex === 0];
    if ("+-0".includes(key)) change((state) => byKey(state, name, head, key), head);
    else if (key === "p" && !first) change((state) => togglePin(state, name), head);
    else if (key === "h" && !first) {
      (head.nextElementSibling ?? head.previousElementSibling).querySelector("button")?.focus();
      change(({ hidden }) => hidden.add(name));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function toolsOf(table) {
  const name = table.dataset.tools;
  const tools = document.getElementById("table-tools").content.firstElementChild.cloneNode(true);
  const panel = tools.querySelector("[popover]");
  tools.dataset.tableTools = name;
  panel.id = `columns-of-${name}`;
  tools.querySelector("[popovertarget]").setAttribute("popovertarget", panel.id);
  table.parentElement.before(tools);
  return tools;
}

function furnish(table) {
  const name = table.dataset.tools;
  const tools = toolsOf(table);
  const box = table.parentElement;
  const columns = columnsOf(table);
  const compact = tools.querySelector("[data-compact]");
  const reset = tools.querySelector("[data-reset]");
  const count = tools.querySelector("[data-count]");
  const choices = columns.filter((column) => column.name && !column.first);
  let state = keyed(read(table), columns);

  const show = () => {
    lay(table, state);
    table.classList.toggle("compact", isCompact(state));
    compact.setAttribute("aria-pressed", isCompact(state));
    shown(state);
    const hidden = columns.filter((column) => state.hidden.has(column.name)).length;
    count.textContent = hidden ? `${choices.length - hidden}/${choices.length}` : "";
    reset.hidden = !hidden && !state.pinned.length && !state.sort && !state.rows && !state.widths.size;
    tell();
  };
  const change = (how, head) => {
    how(state);
    write(name, state);
    keep(table, state);
    show();
    head?.querySelector("button")?.focus();
  };
  const rows = [...table.tBodies[0].rows];
  const shown = chooser(tools, columns, change);
  const tell = cue(tools, box, table);
  compact.addEventListener("click", () => change(() => { state.rows = otherRows(state); }));
  reset.addEventListener("click", () => {
    table.tBodies[0].append(...rows);
    table.querySelector("[aria-sort]")?.removeAttribute("aria-sort");
    change(() => { state = usual(); });
    compact.focus();
  });
  onHead(table, change);
  for (const column of columns.filter((one) => one.name)) {
    grip(column, (of, width) => change(({ widths }) => (width === null ? widths.delete(of) : widths.set(of, width))));
  }
  const by = table.dataset.sortable !== undefined && columns.find((column) => state.sort && column.name === state.sort);
  if (by) sort(table, by.head, state.way);
  table.addEventListener("restyle:sorted", () => {
    const head = heads(table).find((one) => one.hasAttribute("aria-sort"));
    change(() => Object.assign(state, { sort: named(head), way: head.getAttribute("aria-sort") }));
  });
  new ResizeObserver(() => hold(table)).observe(table);
  if (table.dataset.view) write(name, state);
  show();
}

function begin(within) {
  within.querySelectorAll("table[data-sortable]:not(:has(button.sort))").forEach(prepare);
  within.querySelectorAll("table[data-tools]:not(:has(.grip))").forEach(furnish);
  within.querySelectorAll(".table-scroll:not([data-watched])").forEach((box) => {
    box.dataset.watched = "";
    watch(box);
  });
}
begin(document);
document.addEventListener("htmx:load", ({ detail: { elt } }) => { if (elt.querySelectorAll) begin(elt); });
