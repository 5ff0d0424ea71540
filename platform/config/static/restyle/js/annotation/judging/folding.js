// Long texts that are compared are folded to what differs: whole sentences that all of them share are hidden, but for one
// beside each difference. A click on a gap, or the key of "Whole texts", opens them; [name=unfolded] says which were
// opened, by their places ("-": none). Where the browser knows no sentences, and where a text is judged alone, nothing
// is folded. Of what a text says nothing is lost: the gaps are buttons.
import { matches } from "../diff/alignment.js";

const LONG = 600; // characters: about eight lines
const LEAST = 80; // characters that a gap hides at least
const GAP = " … ";

const wholeOf = new WeakMap();

function sentences(element) {
  const { lang } = element.closest("[lang]");
  const segmenter = new Intl.Segmenter(Intl.Segmenter.supportedLocalesOf(lang || []), { granularity: "sentence" });
  return [...segmenter.segment(element.textContent)].map(({ segment }) => segment);
}
const told = (sentence) => sentence.trim();

// Which sentences of the first text stand in each of the others, in order.
function shared(own, others) {
  const counts = new Uint16Array(own.length);
  for (const other of others) {
    for (const [start, , length] of matches(own, other)) for (let n = 0; n < length; n++) counts[start + n] += 1;
  }
  return [...counts].map((count) => count === others.length);
}

// Runs of what stays and what is hidden: { text, hidden }.
function runs(all, same) {
  const found = [];
  all.forEach((text, at) => {
    const hidden = same[at] && (same[at - 1] ?? true) && (same[at + 1] ?? true);
    if (found.at(-1)?.hidden === hidden) found.at(-1).text += text;
    else found.push({ text, hidden });
  });
  return found.map((run) => ({ ...run, hidden: run.hidden && run.text.length >= LEAST }));
}

function gap(label) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "fold-gap";
  button.textContent = GAP;
  button.setAttribute("aria-label", label);
  return button;
}

function fold(element, all, others, label) {
  const found = runs(all, shared(all.map(told), others));
  if (!found.some(({ hidden }) => hidden)) return;
  wholeOf.set(element, element.textContent);
  element.replaceChildren(...found.map(({ text, hidden }) => (hidden ? gap(label) : document.createTextNode(text))));
}

const fieldOf = (root) => root.querySelector("[name=unfolded]");
const opened = (root) => fieldOf(root).value.split(" ").filter((place) => place && place !== "-");
const placeOf = (element) => element.closest("[data-text]").dataset.text;

function unfold(root, element) {
  if (!wholeOf.has(element)) return;
  element.textContent = wholeOf.get(element);
  wholeOf.delete(element);
  fieldOf(root).value = [...new Set([...opened(root), placeOf(element)])].join(" ");
  fieldOf(root).dispatchEvent(new Event("input", { bubbles: true }));
}

function foldAll(root, stay = []) {
  const texts = [...root.querySelectorAll("[data-fold]")];
  if (texts.length < 2 || !Intl.Segmenter || texts.every(({ textContent }) => textContent.length < LONG)) return;
  const split = texts.map(sentences);
  texts.forEach((element, at) => {
    if (element.textContent.length < LONG || wholeOf.has(element) || stay.includes(placeOf(element))) return;
    fold(element, split[at], split.filter((_, other) => other !== at).map((all) => all.map(told)), root.dataset.wordsDiffer);
  });
}

const folded = (root) => [...root.querySelectorAll("[data-fold]")].filter((element) => wholeOf.has(element));

export function foldTexts(root) {
  foldAll(root, fieldOf(root) ? opened(root) : []);
  const isFolded = folded(root).length > 0;
  root.querySelector("[data-whole-texts]").hidden = !isFolded;
  if (isFolded) fieldOf(root).value ||= "-";
}

document.addEventListener("click", ({ target }) => {
  const root = target.closest("[data-judging]");
  if (!root) return;
  if (target.closest(".fold-gap")) unfold(root, target.closest("[data-fold]"));
  const button = target.closest("[data-whole-texts]");
  if (!button) return;
  const open = button.getAttribute("aria-pressed") === "false";
  button.setAttribute("aria-pressed", String(open));
  if (open) folded(root).forEach((element) => unfold(root, element));
  else foldAll(root);
});
