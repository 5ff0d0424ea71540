// Draws the two texts with their marks, and a row for each mark.
import { option } from "../marking/pointed.js";
import { described, fill, kindsOf, query, queryAll, read, root, textOf, texts } from "./page.js";

export function draw() {
  const state = read();
  for (const side of Object.keys(texts)) drawText(side, state.marks);
  drawRows(state.marks);
  const none = query("[data-none]");
  if (none) none.checked = state.none;
}

// The text, cut where a word, a mark or what is chosen begins or ends.
export function drawText(side, marks) {
  const { box, words, selection, shows } = texts[side];
  const own = marks.filter((mark) => mark.side === side).toSorted((a, b) => a.start - b.start);
  const steps = severities();
  const called = new Map(); // what marks are, in words: told once of each kind and severity
  const wordsFor = (mark) => {
    const key = `${mark.severity} ${mark.kind}`;
    if (!called.has(key)) called.set(key, described(mark));
    return called.get(key);
  };
  let [open, next] = [[], 0];
  const pieces = words.pieces(shows ? [...own, selection.range] : own);
  texts[side].edges = new Set([...pieces.map((range) => range.start), words.characters.length]);
  replace(box, pieces.map((range) => {
    while (next < own.length && own[next].start <= range.start) open.push(own[next++]);
    open = open.filter((mark) => mark.end > range.start);
    const node = words.text(range).trim() ? option(range, words, side) : gap(words.text(range));
    if (open.length) decorate(node, open, steps, wordsFor);
    return node;
  }));
  drawChosen(side);
}

// Only what is drawn otherwise comes anew, from the first such piece to the last one: to lay out a long text takes longest.
function replace(box, nodes) {
  const old = [...box.childNodes];
  const isAsBefore = (was, node) => {
    if (was.nodeType !== Node.ELEMENT_NODE) return false;
    const chosen = was.getAttribute("aria-selected");
    if (chosen !== null) node.setAttribute("aria-selected", chosen);
    return was.isEqualNode(node);
  };
  const most = Math.min(old.length, nodes.length);
  let begin = 0;
  while (begin < most && isAsBefore(old[begin], nodes[begin])) begin++;
  let end = 0;
  while (end < most - begin && isAsBefore(old[old.length - 1 - end], nodes[nodes.length - 1 - end])) end++;
  for (const gone of old.slice(begin, old.length - end)) gone.remove();
  const after = old[old.length - end] ?? null;
  for (const node of nodes.slice(begin, nodes.length - end)) box.insertBefore(node, after);
}

// What is chosen, while it is shown: on the pieces as they are, unless it begins or ends within one.
export function drawChoice(side) {
  const { edges, selection: { range }, shows } = texts[side];
  if (shows && !(edges.has(range.start) && edges.has(range.end))) drawText(side, read().marks);
  else drawChosen(side);
}

function drawChosen(side) {
  const { box, selection: { range }, shows } = texts[side];
  let active = "";
  for (const node of box.querySelectorAll("[role=option]")) {
    const start = Number(node.dataset.start);
    const chosen = shows && start >= range.start && start < range.end;
    if (chosen !== (node.getAttribute("aria-selected") === "true")) node.setAttribute("aria-selected", String(chosen));
    if (chosen) active = node.id;
  }
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
function decorate(node, marks, steps, wordsFor) {
  const worst = Math.max(...marks.map((mark) => steps.indexOf(mark.severity)));
  node.dataset.step = steps.length > 1 ? Math.round((2 * worst) / (steps.length - 1)) : 1;
  if (marks.length > 1) node.dataset.several = "";
  const text = node.textContent;
  const what = marks.map(wordsFor).filter(Boolean).join("; ");
  if (node.id) node.setAttribute("aria-label", fill(root().dataset.wordsMarked, { text, what }));
}

const nameOf = (mark) => `${mark.side}-${mark.start}-${mark.end}`;

// A row that is there already stays, with its caret.
function drawRows(marks) {
  const list = query("[data-marks]");
  const old = new Map();
  for (const row of list.children) old.set(row.dataset.name, [...(old.get(row.dataset.name) ?? []), row]);
  const rows = marks.map((mark) => old.get(nameOf(mark))?.shift() ?? newRow(mark));
  for (const left of [...old.values()].flat()) left.remove();
  let after = list.firstElementChild;
  rows.forEach((row, number) => {
    if (row === after) after = after.nextElementSibling;
    else list.insertBefore(row, after);
    fillRow(row, marks[number], number);
  });
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
  if (row.dataset.number !== String(number)) row.dataset.number = number;
  for (const name of ["severity", "kind", "reason"]) {
    const input = row.querySelector(`[data-${name}]`);
    if (input && input.value !== mark[name]) input.value = mark[name];
    if (name !== "reason") input?.toggleAttribute("data-open", !mark[name]);
  }
}
