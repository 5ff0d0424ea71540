// Keys and clicks on the page of an alignment.
import { MOVES, goTo, neighbour, showSide, showTranslations } from "./columns.js";
import { choose, pairChosen, removePair, removePairOf, setNone } from "./editing.js";
import { root, rows } from "./page.js";

let last = null; // the row that was in focus last

const focusPairs = () => (root().querySelector("[data-pair] button") ?? root().querySelector("[data-none]")).focus();

function removeListed(item) {
  removePair(Number(item.dataset.pair));
  focusPairs();
}

export function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const row = event.target.closest("[data-align] [data-place]");
  const item = event.target.closest("[data-align] [data-pair]");
  if (event.key === "Delete" && (row || item)) {
    event.preventDefault();
    if (row) removePairOf(row);
    else removeListed(item);
  } else if (row && event.key === "Enter") {
    event.preventDefault();
    pairChosen();
  } else if (MOVES.has(event.key) && (row || isIdle(event.target))) {
    event.preventDefault();
    goTo(row ? neighbour(row, event.key) : current());
  }
}

// Arrows lead back to the sentences from where they mean nothing else: from no field at all, or from a button or a
// tick box of the page.
const isIdle = (element) => root() && (element === document.body || element.closest("[data-align] :is(button, [data-none])"));
const current = () => (last?.isConnected && last.checkVisibility() ? last : rows(root().dataset.side)[0]);

export function onFocus(event) {
  last = event.target.closest("[data-align] [data-place]") ?? last;
}

export function onClick(event) {
  const button = event.target.closest("[data-align]") && event.target.closest("button");
  if (!button) return;
  if (button.matches("[data-make]")) pairChosen();
  else if (button.matches("[data-side-button]")) showSide(button.dataset.sideButton);
  else if (button.matches("[data-translations]")) showTranslations(button.getAttribute("aria-pressed") !== "true");
  else if (button.matches(".pair-remove")) removeListed(button.closest("[data-pair]"));
}

export function onChange(event) {
  const box = event.target;
  if (!box.closest("[data-align]")) return;
  if (box.matches("[data-none]")) setNone(box.checked);
  else if (box.matches("[data-place] input")) choose(box.closest("[data-place]"));
}
