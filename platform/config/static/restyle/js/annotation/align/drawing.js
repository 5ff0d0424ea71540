// Draws an alignment from its state. A pair's letter and colour are its place in the list.
import { SIDES, bothChosen, letter, pairsWith } from "./state.js";
import { placeOf, read, reusable, root, rows, sideOf, words } from "./page.js";

const HUES = 8;

function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function badge(n) {
  const element = make("span", "letter", letter(n));
  element.dataset.hue = n % HUES;
  return element;
}

function drawRow(row, state) {
  const [side, place] = [sideOf(row), placeOf(row)];
  const numbers = pairsWith(state, side, place);
  const box = row.querySelector("input");
  box.checked = state.chosen[side].includes(place);
  box.setAttribute("aria-disabled", String(numbers.length > 0 && !reusable()));
  row.classList.toggle("chosen", box.checked);
  row.classList.toggle("paired", numbers.length > 0);
  if (numbers.length) row.dataset.hue = numbers[0] % HUES;
  else delete row.dataset.hue;
  row.querySelector("[data-letters]").replaceChildren(...numbers.map(badge));
  row.querySelector("[data-in]").textContent = numbers.map((n) => words("In", n)).join(", ");
}

function pairItem(pair, n) {
  const item = make("li", "pair");
  item.dataset.pair = n;
  item.dataset.hue = n % HUES;
  const texts = make("div", "pair-texts");
  texts.append(...SIDES.map((side) => pairSide(side, pair[side])));
  item.append(badge(n), texts, removeButton(n));
  return item;
}

function pairSide(side, places) {
  const cell = make("div", "pair-side");
  cell.append(...places.map((place) => {
    const text = make("p", "text", plainText(rows(side)[place]));
    text.dir = "auto";
    text.lang = rows(side)[place].querySelector("[lang]").lang;
    return text;
  }));
  return cell;
}

function removeButton(n) {
  const button = make("button", "button quiet small icon-only pair-remove", "\u00d7");
  button.type = "button";
  button.setAttribute("aria-label", words("Remove", n));
  button.id = `align-remove-${n}`;
  return button;
}

// The sentence without the notes that its concepts carry.
function plainText(row) {
  const text = row.querySelector("[data-text]").cloneNode(true);
  text.querySelectorAll("[role=tooltip]").forEach((note) => note.remove());
  return text.textContent;
}

export function draw() {
  if (!root()) return;
  const state = read();
  for (const side of SIDES) {
    rows(side).forEach((row) => drawRow(row, state));
    root().querySelector(`[data-count="${side}"]`).textContent = state.chosen[side].length || "";
  }
  drawPairs(state);
  drawMakeButton(state);
}

function drawPairs(state) {
  root().querySelector("[data-pairs]").replaceChildren(...state.pairs.map(pairItem));
  root().querySelector("[data-pairs]").hidden = !state.pairs.length; // an empty list is a stop with nothing to hear
  root().querySelector("[data-no-pairs]").hidden = state.pairs.length > 0 || state.none;
  root().querySelector("[data-total]").textContent = state.pairs.length || "";
  const none = root().querySelector("[data-none]");
  none.checked = state.none;
  none.disabled = state.pairs.length > 0;
}

function drawMakeButton(state) {
  root().querySelector("[data-make]").setAttribute("aria-disabled", String(!bothChosen(state)));
  const next = root().querySelector("[data-make-letter]");
  next.textContent = letter(state.pairs.length);
  next.dataset.hue = state.pairs.length % HUES;
}

// The sentences of a pair light up together.
export function lightPair(event) {
  const n = event.target.closest?.("[data-align] [data-pair]")?.dataset.pair;
  if (!root()) return;
  const pair = n === undefined ? null : read().pairs[n];
  for (const side of SIDES) {
    rows(side).forEach((row) => row.classList.toggle("lit", pair?.[side].includes(placeOf(row)) ?? false));
  }
}
