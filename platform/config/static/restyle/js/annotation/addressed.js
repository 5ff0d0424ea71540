// What is said to the patient: the server proposes it with each draft, and somebody says that it is right or writes it.
// In the state a line is null until then; `said` tells which were said to be right. A change of what it is made from
// takes that back: a proposal that was only agreed to follows, and own words stay, to be looked at again.
const NAMES = ["rephrased_addressed", "simplified_addressed"];
let root, before, proposed;
const stale = new Set(); // lines whose proposal is of an earlier state: the server's next word is awaited

const field = () => document.querySelector("[data-rephrase] [data-state]");
const read = () => JSON.parse(field().value);
const shown = (line) => (Array.isArray(line) ? line.map((one) => one.full || one.text).join("") : line ?? "");
const short = (name) => name.replace("_addressed", "");
// Whatever the order of its keys: the database has its own.
const plain = (value) => JSON.stringify(value, (_, part) => (
  part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part
));
const same = (a, b) => plain(a) === plain(b);
const alone = () => "lastAlone" in root.dataset;

function write(state, step = "") {
  before = state;
  field().value = JSON.stringify(state);
  field().dataset.step = step;
  field().dispatchEvent(new CustomEvent("input", { bubbles: true }));
  draw();
}

// What a line is made from.
function basis({ spans, simplified, unchanged, final }, name) {
  return name === NAMES[0] ? [spans] : [spans, simplified, unchanged, final];
}

// Runs before the others hear of the change, so that it is one step of undo with it.
function changedAbove() {
  const state = read();
  const changed = NAMES.filter((name) => !same(basis(before, name), basis(state, name)));
  if (!changed.length) return;
  for (const name of changed) {
    stale.add(name);
    if (same(state[name], proposed[short(name)])) state[name] = null;
    delete state.said[name];
  }
  before = state;
  field().value = JSON.stringify(state);
  draw();
}

// The form itself, before it is addressed to anybody.
function form(state, name) {
  const written = document.querySelector("[data-written]")?.textContent ?? "";
  const source = alone() ? document.querySelector("[data-diff-source]").textContent : written;
  if (name === NAMES[0]) return written;
  return state.unchanged || state.final ? source : state.simplified;
}

function wanted(state, name) {
  const special = state.unchanged || state.final;
  if (name === NAMES[0]) return special || state.spans.some((span) => span.full.trim()) || state.simplified.trim() !== "";
  return alone() ? special || state.simplified.trim() !== "" : !special && state.simplified.trim() !== "";
}

function draw() {
  const state = read();
  let open = false;
  for (const name of NAMES) {
    const line = root.querySelector(`[data-line="${name}"]`);
    if (!line) continue;
    line.hidden = !wanted(state, name);
    open ||= !line.hidden;
    drawLine(line, state, name);
  }
  root.hidden = !open;
  const waiting = [...root.querySelectorAll("[data-line]:not([hidden]) [data-right]")]
    .filter((box) => !box.checked && !box.closest("[data-own]").hidden);
  root.querySelector("[data-all-right]").disabled = !waiting.length ||
    waiting.some((box) => stale.has(box.closest("[data-line]").dataset.line));
}

function drawLine(line, state, name) {
  const value = state[name] ?? proposed[short(name)];
  const nothing = state[name] === null && shown(value).trim() === form(state, name).trim();
  const text = line.querySelector("textarea");
  line.querySelector("[data-same]").hidden = !nothing;
  for (const part of line.querySelectorAll("[data-own]")) part.hidden = nothing;
  if (text.value !== shown(value)) text.value = shown(value);
  line.querySelector("[data-mirror]").replaceChildren(...mirrored(value));
  line.querySelector("[data-right]").checked = state.said[name] === true;
  line.querySelector("[data-right]").disabled = stale.has(name) && state[name] === null;
  line.querySelector("[data-again]").hidden = state[name] === null || same(state[name], proposed[short(name)]) || stale.has(name);
}

function mirrored(value) {
  if (!Array.isArray(value)) return [];
  return value.map((one) => {
    if (!one.full) return document.createTextNode(one.text);
    const node = document.createElement("mark");
    node.textContent = one.full;
    return node;
  });
}

// The pieces after an edit of their text: a full form that was edited stays one, one that was taken out whole does not.
function retyped(pieces, after) {
  const old = shown(pieces);
  let [start, tail] = [0, 0];
  while (start < Math.min(old.length, after.length) && old[start] === after[start]) start++;
  while (tail < Math.min(old.length, after.length) - start && old.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const end = old.length - tail;
  let text = after.slice(start, after.length - tail);
  const made = [];
  let at = 0;
  for (const piece of pieces) {
    const words = piece.full || piece.text;
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, words.length)];
    const inside = start === end ? (piece.full ? from > 0 && from < words.length : from <= words.length) : from < to;
    at += words.length;
    if (!inside || start > at || (start === end && !text)) {
      if (start === end && text && piece.full && start <= at - words.length) { made.push({ text, full: "" }); text = ""; }
      made.push(piece);
      continue;
    }
    const left = words.slice(0, from) + text + words.slice(Math.max(from, to));
    text = "";
    made.push(piece.full && !(from === 0 && to === words.length) ? { ...piece, full: left } : { text: left, full: "" });
  }
  if (text) made.push({ text, full: "" });
  return made.filter((piece) => piece.text || piece.full);
}

function edited(event) {
  const name = event.target.closest("[data-line]")?.dataset.line;
  if (!name || !event.target.matches("textarea")) return;
  const state = read();
  const value = state[name] ?? proposed[short(name)];
  const next = Array.isArray(value) ? retyped(value, event.target.value) : event.target.value;
  write({ ...state, [name]: next, said: { ...state.said, [name]: true } }, name);
}

function agreed(state, name) {
  return { ...state, [name]: state[name] ?? proposed[short(name)], said: { ...state.said, [name]: true } };
}

function withdrawn(state, name) {
  const { [name]: _, ...said } = state.said;
  return { ...state, [name]: same(state[name], proposed[short(name)]) ? null : state[name], said };
}

function clicked(event) {
  const line = event.target.closest("[data-line]");
  const state = read();
  if (event.target.matches("[data-right]")) {
    const name = line.dataset.line;
    write(event.target.checked ? agreed(state, name) : withdrawn(state, name));
  } else if (event.target.closest("[data-again]")) {
    write(agreed({ ...state, [line.dataset.line]: null }, line.dataset.line));
    line.querySelector("textarea").focus();
  } else if (event.target.closest("[data-anyway]")) {
    write(agreed(state, line.dataset.line));
    line.querySelector("textarea").focus();
  } else if (event.target.closest("[data-all-right]")) {
    const open = [...root.querySelectorAll("[data-line]:not([hidden])")].filter((each) => !each.querySelector("[data-own]").hidden);
    write(open.reduce((made, each) => agreed(made, each.dataset.line), state));
  }
}

function begin() {
  root = document.querySelector("[data-addressed]");
  if (!root) return;
  proposed = JSON.parse(root.dataset.proposed);
  before = read();
  stale.clear();
  draw();
}

const here = () => root?.isConnected;
document.addEventListener("input", (event) => {
  if (here() && event.target === field()) changedAbove();
}, true);
document.addEventListener("input", (event) => { if (here() && root.contains(event.target)) edited(event); });
document.addEventListener("click", (event) => { if (here() && root.contains(event.target)) clicked(event); });
document.addEventListener("restyle:saved", ({ detail }) => {
  if (!here() || !detail.proposed || detail.sent.work !== field().value) return;
  proposed = detail.proposed;
  stale.clear();
  draw();
});
document.addEventListener("restyle:compare", () => { if (here()) draw(); });
document.addEventListener("restyle:restored", () => {
  if (!here()) return;
  const state = read();
  for (const name of NAMES) if (!same(basis(before, name), basis(state, name))) stale.add(name);
  before = state;
  draw();
});
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "work") begin(); });
begin();
