// Draws the two texts with their marks, and a row for each mark.
import { option } from "../marking/pointed.js";
import { overlap } from "../marking/words.js";
import { described, fill, kindsOf, query, queryAll, read, root, textOf, texts } from "./page.js";

export function draw() {
  const state = read();
  for (const side of Object.keys(texts)) drawText(side, state.marks);
  drawRows(state.marks);
  const none = query("[data-none]");
  if (none) none.checked = state.none;
}

// The text, cut where a word, a mark or what is chosen begins or ends; what is chosen is shown while `shows`.
export function drawText(side, marks) {
  const { box, words, selection, shows } = texts[side];
  const own = marks.filter((mark) => mark.side === side);
  const chosen = shows ? selection.range : null;
  let active = "";
  const ends = own.toSorted((a, b) => a.start - b.start);
  let [open, next] = [[], 0];
  const nodes = words.pieces(chosen ? [...own, chosen] : own).map((range) => {
    while (next < ends.length && ends[next].start <= range.start) open.push(ends[next++]);
    open = open.filter((mark) => mark.end > range.start);
    const node = words.text(range).trim() ? option(range, words, side) : gap(words.text(range));
    if (open.length) decorate(node, open);
    if (node.id && chosen && overlap(chosen, range)) {
      node.setAttribute("aria-selected", "true");
      active = node.id;
    }
    return node;
  });
  box.replaceChildren(...nodes);
  if (active) box.setAttribute("aria-activedescendant", active);
  else box.removeAttribute("aria-activedescendant");
}

function gap(text) {
  const element = document.createElement("span");
  element.setAttribute("role", "presentation");
  element.textContent = text;
  return element;
}

const severities = () => [...queryAll('[data-choice="severity"]')].map((each) => each.dataset.value);

// The colour of the most severe mark on a piece; several marks have a second line below.
function decorate(node, marks) {
  const steps = severities();
  const worst = Math.max(...marks.map((mark) => steps.indexOf(mark.severity)));
  node.dataset.step = steps.length > 1 ? Math.round((2 * worst) / (steps.length - 1)) : 1;
  if (marks.length > 1) node.dataset.several = "";
  const text = node.textContent;
  const what = marks.map(described).filter(Boolean).join("; ");
  if (node.id) node.setAttribute("aria-label", fill(root().dataset.wordsMarked, { text, what }));
}

const nameOf = (mark) => `${mark.side}-${mark.start}-${mark.end}`;

// A row that is there already stays, with its caret.
function drawRows(marks) {
  const list = query("[data-marks]");
  const old = new Map();
  for (const row of list.children) old.set(row.dataset.name, [...(old.get(row.dataset.name) ?? []), row]);
  const rows = marks.map((mark) => old.get(nameOf(mark))?.shift() ?? newRow(mark));
  rows.forEach((row, number) => fillRow(row, marks[number], number));
  if (rows.length !== list.children.length || rows.some((row, n) => row !== list.children[n])) list.replaceChildren(...rows);
  query("[data-no-marks]").hidden = rows.length > 0;
  query("[data-total]").textContent = rows.length || "";
}

function newRow(mark) {
  const row = query("[data-mark]").content.firstElementChild.cloneNode(true);
  row.dataset.name = nameOf(mark);
  row.querySelector("[data-go]").textContent = textOf(mark);
  const kind = row.querySelector("[data-kind]");
  const fitting = new Set(kindsOf(mark.side).map((each) => each.name));
  for (const each of kind?.querySelectorAll("option") ?? []) if (each.value && !fitting.has(each.value)) each.remove();
  for (const group of kind?.querySelectorAll("optgroup") ?? []) if (!group.children.length) group.remove();
  for (const each of row.querySelectorAll("[data-words]")) {
    each.setAttribute("aria-label", fill(each.dataset.words, { text: textOf(mark) }));
  }
  return row;
}

function fillRow(row, mark, number) {
  row.dataset.number = number;
  for (const name of ["severity", "kind", "reason"]) {
    const input = row.querySelector(`[data-${name}]`);
    if (input && input.value !== mark[name]) input.value = mark[name];
    if (input?.matches("select")) input.toggleAttribute("data-open", !mark[name]);
  }
}
