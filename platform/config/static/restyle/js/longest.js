// Nothing that is typed is cut: below a field with more than `data-longest` characters a sentence says how many are too
// many, and its form waits until they are fewer. On work pages it stands in the bar (annotation/characters.js).
import { inFull } from "./counted.js";

export const lengthOf = (field) => Array.from(field.value).length; // a letter beyond 16 bits is one, as for the server
export const longestOf = (field) => Number(field.dataset.longest);
export const isTooLong = (field) => field.value.length > longestOf(field) && lengthOf(field) > longestOf(field);
export const mark = (field, isOver) => {
  if (isOver === field.hasAttribute("data-over")) return;
  field.toggleAttribute("data-over", isOver);
  if (isOver) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
};
export function said(words, field) {
  const [number, longest] = [lengthOf(field), longestOf(field)];
  return inFull(words, { count: number, more: number - longest, longest });
}

const places = new WeakMap();
const isOurs = (field) => field.dataset?.longest !== undefined && !field.closest("[data-work]");

// It is there, and empty, before it says anything: then it is read out.
function placeOf(field) {
  const known = places.get(field);
  if (known?.isConnected) return known;
  const place = Object.assign(document.createElement("p"), { className: "too-long small", role: "status" });
  (field.closest(".field, td, li") ?? field.form ?? field.parentElement).append(place);
  places.set(field, place);
  return place;
}

function show({ target }) {
  if (!isOurs(target)) return;
  const place = placeOf(target);
  const isOver = isTooLong(target);
  mark(target, isOver);
  const words = isOver ? said(document.getElementById("toast").dataset.wordsTooLong, target) : "";
  if (place.textContent !== words) place.textContent = words;
}
document.addEventListener("input", show);
document.addEventListener("focusin", show);
document.addEventListener("submit", (event) => {
  const field = [...event.target.querySelectorAll("[data-over]")].find(isOurs);
  if (!field || event.submitter?.formNoValidate) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  field.focus();
}, true);
