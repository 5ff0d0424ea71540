// Keys, clicks and the pointer on the page of marks. By keys: arrows choose words, a digit marks. By the pointer: a click
// takes a word, a second one takes all up to there, dragging takes what it goes over; then a button marks.
import { draggedRange, wordAt } from "../marking/pointed.js";
import { overlap } from "../marking/words.js";
import { choose, goTo, mark, setNone, setPart, show, unmark, unmarkChosen } from "./editing.js";
import { query, queryAll, read, texts } from "./page.js";

const textAt = (target) => texts[target.closest?.("[data-marking]")?.dataset.marking];
const numberOf = (target) => Number(target.closest("[data-number]").dataset.number);
const plain = (event) => !(event.ctrlKey || event.metaKey || event.altKey);

// Before the page's own keys, which a scale below the text would take.
export function onKey(event) {
  if (event.isComposing) return;
  if (event.target.closest?.("[data-marks]")) { onRowKey(event); return; }
  const text = event.target.matches?.("[data-marking]") && textAt(event.target);
  if (!text) return;
  const range = text.selection.afterKey(event);
  if (range) choose(text.side, range);
  else if (!plain(event)) return;
  else if (/^\d$/.test(event.key)) choiceOf(queryAll("[data-choice]")[event.key - 1]);
  else if (event.key === "Delete" || event.key === "Backspace") unmarkChosen(text.side);
  else if (event.key === "Enter") enter(text);
  else return;
  event.preventDefault();
}

// Enter goes to what the mark that is chosen still lacks, else on to the score.
function enter({ side, selection }) {
  const number = read().marks.findIndex((each) => each.side === side && overlap(each, selection.range));
  const row = query("[data-marks]").children[number];
  const lacking = row && ([...row.querySelectorAll("[data-open], [data-reason]")].find((each) => !each.value));
  (lacking ?? query(".scale input") ?? query("[data-none]"))?.focus();
}

// From a row, back to its mark in the text.
function onRowKey(event) {
  if (!plain(event) || !(event.key === "Escape" || (event.key === "Enter" && event.target.matches("input, select")))) return;
  event.preventDefault();
  goTo(numberOf(event.target));
}

function choiceOf(button) {
  if (button) mark({ [button.dataset.choice]: button.dataset.value });
}

// By touch nothing is chosen before a tap: a button would mark a word that nobody pointed at.
let touches = matchMedia("(pointer: coarse)").matches;

export function onAnyPointer({ pointerType }) { touches = pointerType === "touch"; }
export function onAnyKey() { touches = false; }

let down = null; // a text stays as it is drawn while the mouse is down, else the selection would be lost

export function onMouseDown(event) { down = event.button === 0 ? textAt(event.target) : null; }

export function onMouseUp(event) {
  const text = down;
  down = null;
  if (!text || textAt(event.target) !== text) return;
  const dragged = draggedRange(text.box, text.words);
  const word = dragged ?? wordAt(event, text.words);
  getSelection().removeAllRanges();
  if (!word) return;
  const range = { start: word.start, end: word.end };
  if (dragged || !text.grows) choose(text.side, range, true);
  else {
    choose(text.side, text.selection.to(range));
    text.grows = false;
  }
  text.box.focus({ preventScroll: true });
}

export function onFocus({ target }) {
  const text = target.matches?.("[data-marking]") && textAt(target);
  if (text && !down && !text.shows && !touches) {
    choose(text.side, text.selection.range);
    text.grows = false;
  }
}

export function onClick({ target }) {
  const button = target.closest("button");
  if (!button) return;
  if (button.matches("[data-choice]")) choiceOf(button);
  else if (button.matches("[data-go]")) goTo(numberOf(button));
  else if (button.matches("[data-remove]")) unmark(numberOf(button));
}

export function onChange({ target }) {
  if (target.matches("[data-none]")) setNone(target.checked);
  else if (target.matches("[data-severity], [data-kind]")) {
    setPart(numberOf(target), target.matches("[data-kind]") ? "kind" : "severity", target.value);
  }
}

export function onInput({ target }) {
  if (target.matches("[data-reason]")) setPart(numberOf(target), "reason", target.value);
}

// What is chosen stays in sight while its buttons are pressed; elsewhere it is put away.
export function onFocusOut({ relatedTarget }) {
  if (!relatedTarget || relatedTarget.closest("[data-spans]")) return;
  for (const text of Object.values(texts)) if (text.shows) show(text.side, false);
}
