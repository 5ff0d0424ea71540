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
  const text = texts[side];
  const { words, selection, shows } = text;
  const own = marks.filter((mark) => mark.side === side).toSorted((a, b) => a.start - b.start);
  const steps = severities();
  const called = new Map(); // what marks are, in words: told once of each kind and severity
  const wordsFor = (mark) => {
    const key = `${mark.severity} ${mark.kind}`;
    if (!called.has(key)) called.set(key, described(mark));
    return called.get(key);
  };
  let [open, next] = [[], 0];
  const ranges = words.pieces(shows ? [...own, selection.range] : own);
  text.edges = new Set([...ranges.map((range) => range.start), words.characters.length]);
  replace(text, ranges.map((range) => {
    while (next < own.length && own[next].start <= range.start) open.push(own[next++]);
    open = open.filter((mark) => mark.end > range.start);
    return open.length ? { ...range, ...look(open, steps, wordsFor) } : range;
  }));
  drawChosen(side);
}

// Only what looks otherwise is made anew, from the first such piece to the last one: to make and to lay out a long text
// takes longest.
function replace(text, pieces) {
  const { box } = text;
  const old = text.drawn?.length === box.childNodes.length ? text.drawn : null;
  const most = old ? Math.min(old.length, pieces.length) : 0;
  let begin = 0;
  while (begin < most && isSame(old[begin], pieces[begin])) begin++;
  let end = 0;
  while (end < most - begin && isSame(old.at(-1 - end), pieces.at(-1 - end))) end++;
  const made = pieces.slice(begin, pieces.length - end).map((piece) => node(piece, text));
  text.drawn = pieces;
  if (!old) { box.replaceChildren(...made); return; }
  const after = box.childNodes[old.length - end] ?? null;
  for (let gone = old.length - end - begin; gone > 0; gone--) box.childNodes[begin].remove();
  for (const each of made) box.insertBefore(each, after);
}

const isSame = (a, b) =>
  a.start === b.start && a.end === b.end && a.step === b.step && a.several === b.several && a.what === b.what;

// What is chosen, while it is shown: on the pieces as they are, unless it begins or ends within one.
export function drawChoice(side) {
  const { edges, selection: { range }, shows } = texts[side];
  if (shows && !(edges.has(range.start) && edges.has(range.end))) drawText(side, read().marks);
  else drawChosen(side);
}

function drawChosen(side) {
  const text = texts[side];
  const { box, drawn, selection: { range }, shows } = text;
  const isChosen = ({ start }) => shows && start >= range.start && start < range.end;
  const chosen = drawn.flatMap((piece, place) => (isChosen(piece) ? [box.childNodes[place]] : [])).filter((each) => each.id);
  for (const each of text.chosen ?? []) if (!chosen.includes(each)) each.setAttribute("aria-selected", "false");
  for (const each of chosen) if (each.ariaSelected !== "true") each.setAttribute("aria-selected", "true");
  text.chosen = chosen;
  if (chosen.length) box.setAttribute("aria-activedescendant", chosen.at(-1).id);
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
function look(marks, steps, wordsFor) {
  const worst = Math.max(...marks.map((mark) => steps.indexOf(mark.severity)));
  return {
    step: steps.length > 1 ? Math.round((2 * worst) / (steps.length - 1)) : 1,
    several: marks.length > 1,
    what: marks.map(wordsFor).filter(Boolean).join("; "),
  };
}

function node(piece, { words, side }) {
  const text = words.text(piece);
  const element = text.trim() ? option(piece, words, side) : gap(text);
  if (piece.step === undefined) return element;
  element.dataset.step = piece.step;
  if (piece.several) element.dataset.several = "";
  if (element.id) element.setAttribute("aria-label", fill(root().dataset.wordsMarked, { text, what: piece.what }));
  return element;
}

const nameOf = (mark) => `${mark.side}-${mark.start}-${mark.end}`;

const listed = new WeakMap(); // list -> a {row, name, number, told} for each row, in their order

// A row that is there already stays, with its caret.
function drawRows(marks) {
  const list = query("[data-marks]");
  const old = new Map();
  for (const each of listed.get(list) ?? []) old.set(each.name, [...(old.get(each.name) ?? []), each]);
  const rows = marks.map((mark) => old.get(nameOf(mark))?.shift() ?? { row: newRow(mark), name: nameOf(mark) });
  for (const left of [...old.values()].flat()) left.row.remove();
  listed.set(list, rows);
  let after = list.firstElementChild;
  rows.forEach((each, number) => {
    if (each.row === after) after = after.nextElementSibling;
    else list.insertBefore(each.row, after);
    fillRow(each, marks[number], number);
  });
  query("[data-no-marks]").hidden = rows.length > 0;
  query("[data-total]").textContent = rows.length || "";
}

function newRow(mark) {
  const row = query("[data-mark]").content.firstElementChild.cloneNode(true);
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

function fillRow(each, mark, number) {
  const { row } = each;
  if (each.number !== number) row.dataset.number = each.number = number;
  const told = `${mark.severity}\n${mark.kind}\n${mark.reason}`;
  if (each.told === told) return;
  each.told = told;
  for (const name of ["severity", "kind", "reason"]) {
    const input = row.querySelector(`[data-${name}]`);
    if (input && input.value !== mark[name]) input.value = mark[name];
    if (name !== "reason") input?.toggleAttribute("data-open", !mark[name]);
  }
}
