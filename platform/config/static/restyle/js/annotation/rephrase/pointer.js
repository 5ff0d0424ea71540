// Marking with the mouse: a click takes a word; dragging takes characters within one word, else whole words.
import { draggedRange, wordAt } from "../marking/pointed.js";
import { drawSentence } from "./drawing.js";
import { mark } from "./editing.js";
import { read } from "./page.js";
import { selection, words } from "./sentence.js";

let isDown = false; // the sentence stays as it is drawn while the mouse is down, else the selection would be lost

export function onMouseDown(event) { isDown = event.target.closest("[data-marking]") !== null; }

export function onMouseUp(event) {
  if (isDown) markPointed(event);
  isDown = false;
}

export function onFocusChange({ target, type }) {
  if (target.matches("[data-marking]") && !isDown) drawSentence(target, read().spans, type === "focusin");
}

function markPointed(event) {
  const box = event.target.closest?.("[data-marking]");
  if (!box || event.button !== 0) return;
  const range = draggedRange(box, words) ?? wordAt(event, words);
  getSelection().removeAllRanges();
  isDown = false;
  if (!range) return;
  selection.anew({ start: range.start, end: range.end });
  mark(selection.range);
}
