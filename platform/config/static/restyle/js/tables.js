// Tables that are wider than the page. Each .table-scroll shows at its edges whether columns go on to that side.
// table[data-sortable] is sorted by its heads; one that is also named by data-tools (parts/table_tools.html stands before
// it) has its columns chosen, grouped and pinned, and its rows set closer, all of it in the address (tables/address.js).
import { read, usual, write } from "./tables/address.js";
import { chooser, togglePin } from "./tables/chooser.js";
import { columnsOf, hold, lay } from "./tables/columns.js";
import { left, turn, watch } from "./tables/edges.js";
import { heads, named, prepare, sort } from "./tables/sorting.js";

const many = (text, n) => text.replace("%n", n);

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
    button.textContent = n ? many(n === 1 ? button.dataset.one : button.dataset.more, n) : button.dataset.back;
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
    if (!head?.matches("[scope=col]") || event.ctrlKey || event.altKey || event.metaKey || head.cellIndex === 0) return;
    if (event.key === "p") change((state) => togglePin(state, named(head)), head);
    else if (event.key === "h") {
      (head.nextElementSibling ?? head.previousElementSibling).querySelector("button")?.focus();
      change(({ hidden }) => hidden.add(named(head)));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function furnish(table) {
  const name = table.dataset.tools;
  const tools = document.querySelector(`[data-table-tools="${CSS.escape(name)}"]`);
  const box = table.parentElement;
  const columns = columnsOf(table);
  const compact = tools.querySelector("[data-compact]");
  const reset = tools.querySelector("[data-reset]");
  const count = tools.querySelector("[data-count]");
  let state = read(name);

  const show = () => {
    lay(table, state);
    table.classList.toggle("compact", state.compact);
    compact.setAttribute("aria-pressed", state.compact);
    shown(state);
    const hidden = columns.filter((column) => state.hidden.has(column.name)).length;
    count.textContent = hidden ? `${columns.length - 1 - hidden}/${columns.length - 1}` : "";
    reset.hidden = !hidden && !state.pinned.length && !state.sort && state.compact === usual().compact;
    tell();
  };
  const change = (how, head) => {
    how(state);
    write(name, state);
    show();
    head?.querySelector("button")?.focus();
  };
  const rows = [...table.tBodies[0].rows];
  const shown = chooser(tools, columns, change);
  const tell = cue(tools, box, table);
  compact.addEventListener("click", () => change(() => { state.compact = !state.compact; }));
  reset.addEventListener("click", () => {
    table.tBodies[0].append(...rows);
    table.querySelector("[aria-sort]")?.removeAttribute("aria-sort");
    change(() => { state = usual(); });
    compact.focus();
  });
  onHead(table, change);
  const by = columns.find((column) => state.sort && column.name === state.sort);
  if (by) sort(table, by.head, state.way);
  table.addEventListener("restyle:sorted", () => {
    const head = heads(table).find((one) => one.hasAttribute("aria-sort"));
    change(() => Object.assign(state, { sort: named(head), way: head.getAttribute("aria-sort") }));
  });
  new ResizeObserver(() => hold(table)).observe(table);
  tools.hidden = false;
  show();
}

function begin(within) {
  within.querySelectorAll("table[data-sortable]:not(:has(button.sort))").forEach((table) => {
    prepare(table);
    if (table.dataset.tools) furnish(table);
  });
  within.querySelectorAll(".table-scroll:not([data-watched])").forEach((box) => {
    box.dataset.watched = "";
    watch(box);
  });
}
begin(document);
document.addEventListener("htmx:load", ({ detail: { elt } }) => { if (elt.querySelectorAll) begin(elt); });
