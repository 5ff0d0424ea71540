// How many characters the text holds that is being written, of those that it may hold (data-longest), in [data-characters].
// Nothing typed is cut: [data-too-long] says how many are too many, and the server refuses them.
import { counted } from "../counted.js";
import { isTooLong, lengthOf, longestOf, mark, said } from "../longest.js";

const isOurs = (field) => field.dataset?.longest !== undefined && field.closest("[data-work]") !== null;

function count(field) {
  for (const place of document.querySelectorAll("[data-characters]")) {
    place.hidden = false;
    place.textContent = counted(place.dataset.counted, longestOf(field), { count: lengthOf(field) });
  }
}

function warn() {
  const place = document.querySelector("[data-too-long]");
  if (!place) return;
  const over = [];
  for (const field of document.querySelectorAll("[data-work] [data-longest]")) {
    const isOver = isTooLong(field);
    if (isOver) over.push(field);
    mark(field, isOver);
  }
  const field = over.find((each) => each === document.activeElement) ?? over[0];
  const words = field ? said(place.dataset.words, field) : "";
  if (place.textContent !== words) place.textContent = words;
}

function show({ target }) {
  if (!isOurs(target)) return;
  if (target instanceof HTMLTextAreaElement) count(target);
  warn();
}
document.addEventListener("input", show);
document.addEventListener("focusin", show);
document.addEventListener("restyle:restored", warn);
document.addEventListener("htmx:afterSettle", warn);
warn();
