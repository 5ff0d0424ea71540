// Draws the sentence with its marks, a row for each mark, and the sentence in plain words.
import { option } from "../marking/pointed.js";
import { overlap } from "../marking/words.js";
import { formsOf } from "./memory.js";
import { fill, placeOf, query, queryAll, read, root } from "./page.js";
import { selection, text, words, writtenOut } from "./sentence.js";

// The sentence, cut where a word, a mark or what is chosen begins or ends.
export function drawSentence(box, spans, focused) {
  const shown = focused ? selection.range : null;
  const nodes = [];
  let [group, active] = [null, ""];
  for (const range of words.pieces(shown ? [...spans, shown] : spans)) {
    const span = spans.find((each) => overlap(each, range));
    if (!span) group = null;
    else if (group?.span !== span) nodes.push((group = { span, node: markElement(span) }).node);
    const node = words.tokensIn(range).length ? letters(range) : document.createTextNode(text(range));
    if (node.id && shown && overlap(shown, range)) {
      node.setAttribute("aria-selected", "true");
      active = node.id;
    }
    if (group) group.node.append(node);
    else nodes.push(node);
  }
  box.replaceChildren(...nodes);
  if (active) box.setAttribute("aria-activedescendant", active);
  else box.removeAttribute("aria-activedescendant");
}

function markElement(span) {
  const element = document.createElement("span");
  const wording = span.full ? root.dataset.wordsMarked : root.dataset.wordsOpen;
  element.className = "rephrase-span";
  element.dataset.full = span.full;
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", fill(wording, { term: text(span), full: span.full }));
  return element;
}

function letters(range) {
  const element = option(range, words);
  if (words.isRemoved(range)) element.dataset.taken = "";
  return element;
}

// A row for each mark; one that is there already stays, with its caret.
function drawRows(list, spans) {
  const old = new Map([...list.children].map((row) => [row.dataset.place, row]));
  const rows = spans.map((span) => old.get(placeOf(span)) ?? newRow(span));
  rows.forEach((row, number) => {
    const input = row.querySelector("input");
    if (input.value !== spans[number].full) input.value = spans[number].full;
    drawOffers(row, spans[number], spans);
  });
  if (rows.length !== list.children.length || rows.some((row, n) => row !== list.children[n])) list.replaceChildren(...rows);
  list.hidden = !rows.length;
}

// Below a mark: the forms chosen before, and the same form for the other places of this abbreviation.
function drawOffers(row, span, spans) {
  const term = text(span);
  const buttons = formsOf(span).filter((form) => form !== span.full)
    .map((form) => offer(form, fill(root.dataset.wordsOffer, { form, term }), "offer", form));
  const places = words.occurrences(span);
  const isOpen = (place) => !spans.some((each) => overlap(each, place) && each.full === span.full);
  if (span.full.trim() && places.some(isOpen)) {
    const count = places.length;
    const spoken = fill(root.dataset.wordsEverywhereOf, { count, term });
    buttons.push(offer(fill(root.dataset.wordsEverywhere, { count }), spoken, "everywhere", ""));
  }
  const box = row.querySelector("[data-offers]");
  row.querySelector("input").placeholder = formsOf(span)[0] ?? "";
  box.hidden = !buttons.length;
  const shown = [...box.children].map((button) => button.textContent).join("\n");
  if (shown !== buttons.map((button) => button.textContent).join("\n")) box.replaceChildren(...buttons);
}

function offer(wording, spoken, name, value) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button small quiet";
  button.dir = "auto";
  button.dataset[name] = value;
  button.textContent = wording;
  button.setAttribute("aria-label", spoken);
  return button;
}

function newRow(span) {
  const row = query("[data-mark]").content.firstElementChild.cloneNode(true);
  const [label, input, button] = row.children;
  row.dataset.place = placeOf(span);
  label.textContent = text(span);
  label.htmlFor = input.id = `full-${row.dataset.place}`;
  input.setAttribute("aria-label", fill(root.dataset.wordsFull, { term: text(span) }));
  button.setAttribute("aria-label", fill(root.dataset.wordsUnmark, { term: text(span) }));
  return row;
}

export function draw() {
  const state = read();
  const box = query("[data-marking]");
  if (box) {
    drawSentence(box, state.spans, box === document.activeElement);
    drawRows(query("[data-marks]"), state.spans);
    const sentence = writtenOut(state.spans);
    if (query("[data-written]").textContent !== sentence) query("[data-written]").textContent = sentence;
  }
  for (const button of queryAll("[data-case]")) button.setAttribute("aria-pressed", String(state[button.dataset.case]));
  const plain = query("[data-simplified]");
  if (plain.value !== state.simplified) plain.value = state.simplified;
  query("[data-plain]").hidden = (state.unchanged || state.final) && !state.simplified;
  document.dispatchEvent(new CustomEvent("restyle:compare"));
}
