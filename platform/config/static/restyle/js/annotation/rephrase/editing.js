// What an annotator does to the sentence: marking abbreviations, writing their full forms, saying it in plain words.
import { overlap } from "../marking/words.js";
import { draw } from "./drawing.js";
import { field, inputOf, query, read, root, say } from "./page.js";
import { selection, text, words, writtenOut } from "./sentence.js";

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
  if (words.isRemoved(range)) { say(root.dataset.wordsTaken); return; }
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

// As if it were typed: in a text field Ctrl+Z is the browser's own, which takes back nothing that a script set.
export function insertForm(span, full) {
  const input = inputOf(span);
  input.focus();
  input.select();
  if (!document.execCommand("insertText", false, full)) takeForm(span, full);
}

// A form that is offered is a step of its own, so that what was typed before it can be had back.
export function takeForm(span, full) {
  const state = read();
  state.spans.find((each) => each.start === span.start).full = full;
  write(state);
}

// Marks every other place of the same abbreviation too, with the same full form; another mark in the way stays.
export function writeOutEverywhere(range) {
  const state = read();
  const { full } = state.spans.find((span) => span.start === range.start);
  for (const place of words.occurrences(range)) {
    const touched = state.spans.find((span) => overlap(span, place));
    if (!touched) state.spans.push({ ...place, full });
    else if (touched.start === place.start && touched.end === place.end) touched.full = full;
  }
  write({ ...state, spans: state.spans.sort((a, b) => a.start - b.start) });
  inputOf(range).focus();
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
  selection.select(range);
  draw();
}

// Goes back into the sentence, to the word after this range.
export function goBehind(range) {
  selection.after(range);
  query("[data-marking]").focus();
}
