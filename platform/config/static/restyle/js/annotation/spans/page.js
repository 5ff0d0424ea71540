// Where things stand on the page of marks, and the hidden field that holds the state: {marks: [{side, start, end, kind,
// severity, reason}], none}.
import { Selection } from "../marking/selection.js";
import { Words } from "../marking/words.js";

export const root = () => document.querySelector("[data-spans]");
export const texts = {}; // side -> {side, box, words, selection}

export function begin() {
  for (const side of Object.keys(texts)) delete texts[side];
  for (const box of root()?.querySelectorAll("[data-marking]") ?? []) {
    const words = new Words(box.textContent);
    texts[box.dataset.marking] = { side: box.dataset.marking, box, words, selection: new Selection(words) };
  }
  return root() !== null;
}

export const query = (selector) => root().querySelector(selector);
export const queryAll = (selector) => root().querySelectorAll(selector);
const field = () => query("[data-state]");
export const read = () => JSON.parse(field().value);

// `step` names a text that is being typed: changes that follow each other under one name are undone together.
export function write(state, step = "") {
  field().value = JSON.stringify(state);
  field().dataset.step = step;
  field().dispatchEvent(new CustomEvent("input", { bubbles: true }));
}

export const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
export const say = (words) => document.dispatchEvent(new CustomEvent("restyle:say", { detail: words }));
export const tell = (words) => document.dispatchEvent(new CustomEvent("restyle:toast", { detail: words })); // seen, too
const kinds = () => JSON.parse(root().dataset.kinds); // {name, sides}
export const kindsOf = (side) => kinds().filter((kind) => kind.sides.includes(side));
export const textOf = (mark) => texts[mark.side].words.text(mark);

// What a mark is, in words: "Minor, Omission".
export function described(mark) {
  const kinds = query("[data-mark]").content.querySelector("[data-kind]");
  const kind = mark.kind && kinds?.querySelector(`[value="${CSS.escape(mark.kind)}"]`)?.textContent;
  const severity = query(`[data-choice="severity"][data-value="${CSS.escape(mark.severity)}"]`)?.dataset.label;
  return [severity, kind].filter(Boolean).join(", ");
}
