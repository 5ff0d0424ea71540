// What an annotator does to the sentence: marking abbreviations, writing their full forms, saying it in plain words.
import { draw } from "./drawing.js";
import { field, inputOf, query, read, root, say } from "./page.js";
import { select, selectAfter } from "./selection.js";
import { isRemoved, overlap, text, writtenOut } from "./sentence.js";

// `step` names a text that is being typed: changes that follow each other under one name are undone together.
function write(state, step = "") {
  field().value = JSON.stringify(state);
  field().dataset.step = step;
  field().dispatchEvent(new CustomEvent("input", { bubbles: true }));
  draw();
}

// Marks the range, or goes to the mark that it touches.
export function mark(range) {
  const state = read();
  const touched = state.spans.find((span) => overlap(span, range));
  if (touched) { inputOf(touched).focus(); return; }
  if (isRemoved(range)) { say(root.dataset.wordsTaken); return; }
  if (!text(range).trim()) return;
  const spans = [...state.spans, { start: range.start, end: range.end, full: "" }].sort((a, b) => a.start - b.start);
  write({ ...state, spans });
  inputOf(range).focus();
}

export function unmark(range) {
  const state = read();
  const spans = state.spans.filter((span) => !overlap(span, range));
  if (spans.length < state.spans.length) write({ ...state, spans });
}

export function setFull(span, full) {
  const state = read();
  state.spans.find((each) => each.start === span.start).full = full;
  write(state, `full-${span.start}`);
}

export const setSimplified = (simplified) => write({ ...read(), simplified }, "simplified");

// `name` is "unchanged" or "final": a sentence that is not rewritten.
export function toggleCase(name) {
  const state = read();
  write({ ...state, [name]: !state[name] });
}

// The sentence in plain words begins with the one whose abbreviations are written out.
export function beginWithWrittenOut() {
  const state = read();
  write({ ...state, simplified: writtenOut(state.spans) });
  query("[data-simplified]").focus();
}

export function choose(range) {
  select(range);
  draw();
}

// Goes back into the sentence, to the word after this range.
export function goBehind(range) {
  selectAfter(range);
  query("[data-marking]").focus();
}
