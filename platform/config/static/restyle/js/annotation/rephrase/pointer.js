// Marking with the mouse: a click takes a word; dragging takes characters within one word, else whole words.
import { drawSentence } from "./drawing.js";
import { mark } from "./editing.js";
import { read } from "./page.js";
import { selectAnew, selected } from "./selection.js";
import { tokensIn } from "./sentence.js";

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
  const start = Number(event.target.closest("[data-start]")?.dataset.start);
  const range = draggedRange(box) ?? tokensIn({ start, end: start + 1 })[0];
  getSelection().removeAllRanges();
  isDown = false;
  if (!range) return;
  selectAnew({ start: range.start, end: range.end });
  mark(selected);
}

function draggedRange(box) {
  const selection = getSelection();
  if (selection.isCollapsed || !box.contains(selection.anchorNode) || !box.contains(selection.focusNode)) return null;
  const ends = [
    placeIn(box, selection.anchorNode, selection.anchorOffset),
    placeIn(box, selection.focusNode, selection.focusOffset),
  ];
  const range = { start: Math.min(...ends), end: Math.max(...ends) };
  const touched = tokensIn(range);
  if (!touched.length) return null;
  return touched.length === 1 && touched[0].word
    ? { start: Math.max(range.start, touched[0].start), end: Math.min(range.end, touched[0].end) }
    : { start: touched[0].start, end: touched.at(-1).end };
}

// How many characters of the sentence stand before this point of the document.
function placeIn(box, node, offset) {
  const before = document.createRange();
  before.setStart(box, 0);
  before.setEnd(node, offset);
  return Array.from(before.toString()).length;
}
