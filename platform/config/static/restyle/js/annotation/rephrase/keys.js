// Keys, typing and clicks of buttons on the page of a sentence.
import {
  beginWithWrittenOut, choose, goBehind, insertForm, mark, setFull, setSimplified, takeForm, toggleCase, unmark,
  writeOutEverywhere,
} from "./editing.js";
import { formsOf } from "./memory.js";
import { spanOf } from "./page.js";
import { selection } from "./sentence.js";

export function onKey(event) {
  if (event.target.matches("[data-marking]")) onSentenceKey(event);
  else if (event.target.closest("[data-marks]")) onRowKey(event);
}

function onSentenceKey(event) {
  const range = selection.afterKey(event);
  if (range) choose(range);
  else if (event.key === "Enter" && !event.ctrlKey && !event.altKey && !event.metaKey) mark(selection.range);
  else if (event.key === "Delete" || event.key === "Backspace") unmark(selection.range);
  else return;
  event.preventDefault();
}

function onRowKey(event) {
  if (event.key !== "Escape" && (event.key !== "Enter" || event.ctrlKey || event.altKey || event.metaKey)) return;
  if (!event.target.matches("input")) return;
  event.preventDefault();
  const span = spanOf(event.target.closest("li"));
  const [usual] = formsOf(span);
  if (!event.target.value.trim() && event.key === "Enter" && usual) takeForm(span, usual);
  else if (!event.target.value.trim()) unmark(span);
  goBehind(span);
}

function onRowButton(button, span) {
  if (button.dataset.offer !== undefined) insertForm(span, button.dataset.offer);
  else if (button.dataset.everywhere !== undefined) writeOutEverywhere(span);
  else { unmark(span); goBehind(span); }
}

export function onInput({ target }) {
  if (target.matches("[data-simplified]")) setSimplified(target.value);
  const row = target.closest("[data-marks] li");
  if (row) setFull(spanOf(row), target.value);
}

export function onClick({ target }) {
  const name = target.closest("[data-case]")?.dataset.case;
  if (name) toggleCase(name);
  const row = target.closest("button") && target.closest("[data-marks] li");
  if (row) onRowButton(target.closest("button"), spanOf(row));
  if (target.closest("[data-prefill]")) beginWithWrittenOut();
}
