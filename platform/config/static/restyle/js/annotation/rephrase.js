// Marks abbreviations in a sentence and writes their full forms, and says the sentence in plain words (MedLane).
// The state is {spans: [{start, end, full}], simplified, unchanged, final, ...} in the hidden field [data-state]; places
// count characters (code points), never halves of one.
const TOKEN = /\[\*\*(?:[^[*]|\[(?!\*\*)|\*(?!\*\]))*\*\*\]|[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?|[^\s\p{L}\p{M}\p{N}]/gu;
const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };
let root, letters, tokens, chosen, anchor;
let pointing = false; // the sentence stays as it is drawn while the mouse is down, else the selection would be lost

const all = (selector) => root.querySelectorAll(selector);
const one = (selector) => root.querySelector(selector);
const field = () => one("[data-state]");
const read = () => JSON.parse(field().value);
const text = (range) => letters.slice(range.start, range.end).join("");
const overlap = (a, b) => a.start < b.end && b.start < a.end;
const takenOut = (range) => tokens.some((token) => token.taken && overlap(token, range));
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const say = (words) => document.dispatchEvent(new CustomEvent("restyle:say", { detail: words }));

function write(state, step = "") {
  field().value = JSON.stringify(state);
  field().dataset.step = step;
  field().dispatchEvent(new CustomEvent("input", { bubbles: true }));
  draw();
}

function tokenize(source) {
  letters = Array.from(source);
  const size = (part) => Array.from(part).length;
  let [unit, at] = [0, 0];
  tokens = [...source.matchAll(TOKEN)].map((found) => {
    at += size(source.slice(unit, found.index));
    unit = found.index + found[0].length;
    const start = at;
    at += size(found[0]);
    return { start, end: at, taken: found[0].startsWith("[**"), word: /[\p{L}\p{N}]/u.test(found[0]) };
  });
}

// The sentence, cut where a word, a mark or the choice begins or ends.
function drawSentence(box, spans, focused) {
  const edges = new Set([0, letters.length, ...(focused && chosen ? [chosen.start, chosen.end] : [])]);
  for (const each of [...tokens, ...spans]) edges.add(each.start).add(each.end);
  const cuts = [...edges].sort((a, b) => a - b);
  const made = [];
  let [group, active] = [null, ""];
  cuts.slice(0, -1).forEach((start, number) => {
    const range = { start, end: cuts[number + 1] };
    const span = spans.find((each) => overlap(each, range));
    if (!span) group = null;
    else if (group?.span !== span) made.push((group = { span, node: marked(span) }).node);
    const node = tokens.some((token) => overlap(token, range)) ? option(range) : document.createTextNode(text(range));
    if (node.id && focused && chosen && overlap(chosen, range)) {
      node.setAttribute("aria-selected", "true");
      active = node.id;
    }
    if (group) group.node.append(node);
    else made.push(node);
  });
  box.replaceChildren(...made);
  if (active) box.setAttribute("aria-activedescendant", active);
  else box.removeAttribute("aria-activedescendant");
}

function marked(span) {
  const node = document.createElement("span");
  const words = span.full ? root.dataset.wordsMarked : root.dataset.wordsOpen;
  node.className = "rephrase-span";
  node.dataset.full = span.full;
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", fill(words, { term: text(span), full: span.full }));
  return node;
}

function option(range) {
  const node = document.createElement("span");
  node.id = `letter-${range.start}`;
  node.dataset.start = range.start;
  node.setAttribute("role", "option");
  node.setAttribute("aria-selected", "false");
  if (takenOut(range)) node.dataset.taken = "";
  node.textContent = text(range);
  return node;
}

// A row for each mark; one that is there already stays, with its caret.
function drawRows(list, spans) {
  const old = new Map([...list.children].map((row) => [row.dataset.place, row]));
  const rows = spans.map((span) => old.get(`${span.start}-${span.end}`) ?? newRow(span));
  rows.forEach((row, number) => {
    const input = row.querySelector("input");
    if (input.value !== spans[number].full) input.value = spans[number].full;
  });
  if (rows.length !== list.children.length || rows.some((row, n) => row !== list.children[n])) list.replaceChildren(...rows);
  list.hidden = !rows.length;
}

function newRow(span) {
  const row = one("[data-mark]").content.firstElementChild.cloneNode(true);
  const [label, input, button] = row.children;
  row.dataset.place = `${span.start}-${span.end}`;
  label.textContent = text(span);
  label.htmlFor = input.id = `full-${row.dataset.place}`;
  input.setAttribute("aria-label", fill(root.dataset.wordsFull, { term: text(span) }));
  button.setAttribute("aria-label", fill(root.dataset.wordsUnmark, { term: text(span) }));
  return row;
}

function written(state) {
  let [made, at] = ["", 0];
  for (const span of state.spans) {
    made += text({ start: at, end: span.start }) + (span.full.trim() || text(span));
    at = span.end;
  }
  return made + text({ start: at, end: letters.length });
}

function draw() {
  const state = read();
  const box = one("[data-marking]");
  if (box) {
    drawSentence(box, state.spans, box === document.activeElement);
    drawRows(one("[data-marks]"), state.spans);
    if (one("[data-written]").textContent !== written(state)) one("[data-written]").textContent = written(state);
  }
  for (const button of all("[data-case]")) button.setAttribute("aria-pressed", String(state[button.dataset.case]));
  const plain = one("[data-simplified]");
  if (plain.value !== state.simplified) plain.value = state.simplified;
  one("[data-plain]").hidden = (state.unchanged || state.final) && !state.simplified;
  document.dispatchEvent(new CustomEvent("restyle:compare"));
}

const rowOf = (span) => one(`[data-place="${span.start}-${span.end}"] input`);

function mark(range) {
  const state = read();
  const there = state.spans.find((span) => overlap(span, range));
  if (there) { rowOf(there).focus(); return; }
  if (takenOut(range)) { say(root.dataset.wordsTaken); return; }
  if (!text(range).trim()) return;
  const spans = [...state.spans, { start: range.start, end: range.end, full: "" }].sort((a, b) => a.start - b.start);
  write({ ...state, spans });
  rowOf(range).focus();
}

function unmark(range) {
  const state = read();
  const spans = state.spans.filter((span) => !overlap(span, range));
  if (spans.length < state.spans.length) write({ ...state, spans });
}

function choose(range) {
  chosen = range;
  draw();
}

// The next word that an arrow key goes to; signs and what was taken out are passed over.
function step(from, way) {
  const words = tokens.filter((token) => token.word && !token.taken);
  return way > 0 ? words.find((token) => token.start >= from.end) : words.findLast((token) => token.end <= from.start);
}

function back(after) {
  const box = one("[data-marking]");
  chosen = anchor = step(after, 1) ?? after;
  box.focus();
}

function moved(event, way) {
  if (event.ctrlKey || event.metaKey) {
    const range = event.shiftKey
      ? { start: Math.max(0, chosen.start + way), end: chosen.end }
      : { start: chosen.start, end: Math.min(letters.length, chosen.end + way) };
    if (range.start < range.end) anchor = range;
    return range.start < range.end ? range : chosen;
  }
  if (!event.shiftKey) return (anchor = step(chosen, way) ?? chosen);
  // Beyond the anchor the choice grows; on the way back to it, it shrinks.
  const forward = chosen.end > anchor.end || (chosen.start === anchor.start && way > 0);
  if (forward && way < 0) return { start: anchor.start, end: (step({ start: chosen.end - 1 }, -1) ?? anchor).end };
  if (forward) return { start: anchor.start, end: (step(chosen, 1) ?? chosen).end };
  if (way < 0) return { start: (step(chosen, -1) ?? chosen).start, end: anchor.end };
  return { start: (step({ end: chosen.start + 1 }, 1) ?? anchor).start, end: anchor.end };
}

function keyInSentence(event) {
  const rightToLeft = getComputedStyle(event.target).direction === "rtl";
  const way = ARROWS[event.key];
  if (way) choose(moved(event, rightToLeft ? -way : way));
  else if (event.key === "Home") choose((anchor = step({ end: 0 }, 1) ?? chosen));
  else if (event.key === "End") choose((anchor = step({ start: letters.length }, -1) ?? chosen));
  else if (event.key === "Enter" && !event.ctrlKey && !event.altKey && !event.metaKey) mark(chosen);
  else if (event.key === "Delete" || event.key === "Backspace") unmark(chosen);
  else return;
  event.preventDefault();
}

const spanOf = (row) => {
  const [start, end] = row.dataset.place.split("-").map(Number);
  return { start, end };
};

function keyInRow(event) {
  if (event.key !== "Escape" && (event.key !== "Enter" || event.ctrlKey || event.altKey || event.metaKey)) return;
  if (!event.target.matches("input") || event.isComposing) return;
  event.preventDefault();
  const span = spanOf(event.target.closest("li"));
  if (!event.target.value.trim()) unmark(span);
  back(span);
}

// What the mouse drew: letters within one word, else whole words.
function drawn(box) {
  const selection = getSelection();
  if (selection.isCollapsed || !box.contains(selection.anchorNode) || !box.contains(selection.focusNode)) return null;
  const place = (node, offset) => {
    const before = document.createRange();
    before.setStart(box, 0);
    before.setEnd(node, offset);
    return Array.from(before.toString()).length;
  };
  const ends = [place(selection.anchorNode, selection.anchorOffset), place(selection.focusNode, selection.focusOffset)];
  const range = { start: Math.min(...ends), end: Math.max(...ends) };
  const touched = tokens.filter((token) => overlap(token, range));
  if (!touched.length) return null;
  return touched.length === 1 && touched[0].word
    ? { start: Math.max(range.start, touched[0].start), end: Math.min(range.end, touched[0].end) }
    : { start: touched[0].start, end: touched.at(-1).end };
}

function pointed(event) {
  const box = event.target.closest?.("[data-marking]");
  if (!box || event.button !== 0) return;
  const start = event.target.closest("[data-start]")?.dataset.start;
  const token = tokens.find((each) => overlap(each, { start: Number(start), end: Number(start) + 1 }));
  const range = drawn(box) ?? token;
  getSelection().removeAllRanges();
  pointing = false;
  if (!range) return;
  chosen = anchor = { start: range.start, end: range.end };
  mark(chosen);
}

function typed(event) {
  if (event.target.matches("[data-simplified]")) write({ ...read(), simplified: event.target.value }, "simplified");
  const row = event.target.closest("[data-marks] li");
  if (!row) return;
  const [state, place] = [read(), spanOf(row)];
  state.spans.find((span) => span.start === place.start).full = event.target.value;
  write(state, `full-${place.start}`);
}

function clicked(event) {
  const state = read();
  const name = event.target.closest("[data-case]")?.dataset.case;
  if (name) write({ ...state, [name]: !state[name] });
  const row = event.target.closest("button") && event.target.closest("[data-marks] li");
  if (row) { unmark(spanOf(row)); back(spanOf(row)); }
  if (event.target.closest("[data-prefill]")) {
    write({ ...state, simplified: written(state) });
    one("[data-simplified]").focus();
  }
}

function begin() {
  root = document.querySelector("[data-rephrase]");
  if (!root) return;
  const box = one("[data-marking]");
  tokenize((box ?? one("[data-diff-source]")).textContent);
  chosen = anchor = tokens.find((token) => token.word && !token.taken) ?? { start: 0, end: 0 };
  draw();
}

const within = (act) => (event) => { if (root?.contains(event.target)) act(event); };
document.addEventListener("input", within(typed));
document.addEventListener("click", within(clicked));
document.addEventListener("mousedown", within((event) => { pointing = event.target.closest("[data-marking]") !== null; }));
document.addEventListener("mouseup", (event) => {
  if (pointing) pointed(event);
  pointing = false;
});
document.addEventListener("keydown", within((event) => {
  if (event.target.matches("[data-marking]")) keyInSentence(event);
  else if (event.target.closest("[data-marks]")) keyInRow(event);
}));
for (const name of ["focusin", "focusout"]) {
  document.addEventListener(name, within(({ target, type }) => {
    if (target.matches("[data-marking]") && !pointing) drawSentence(target, read().spans, type === "focusin");
  }));
}
document.addEventListener("restyle:restored", () => { if (root?.isConnected) draw(); });
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "work") begin(); });
begin();
