// Long texts are folded to what differs: runs of words that all of them share, and a long source, show their ends alone.
// A click on a gap, or the key of "Whole texts", opens them. Of what a text says nothing is lost: the gaps are buttons.
import { matches } from "../diff/alignment.js";
import { words } from "../diff/words.js";

const LONG = 600; // characters: about eight lines
const AROUND = 8; // words that stay on each side of a difference
const LEAST = 12; // words that a gap hides at least
const GAP = " … ";

const wholeOf = new WeakMap();

// Which words of the first text stand in each of the others, in order.
function shared(own, others) {
  const counts = new Uint16Array(own.length);
  for (const other of others) {
    for (const [start, , length] of matches(own, other)) for (let n = 0; n < length; n++) counts[start + n] += 1;
  }
  return [...counts].map((count) => count === others.length);
}

// Runs of what stays and what is hidden: { from, to, hidden }.
function runs(same) {
  const hidden = same.map((_, at) => {
    for (let n = Math.max(0, at - AROUND); n <= Math.min(same.length - 1, at + AROUND); n++) if (!same[n]) return false;
    return true;
  });
  const found = [];
  hidden.forEach((is, at) => {
    if (found.at(-1)?.hidden === is) found.at(-1).to = at + 1;
    else found.push({ from: at, to: at + 1, hidden: is });
  });
  return found.map((run) => ({ ...run, hidden: run.hidden && run.to - run.from >= LEAST }));
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
  const found = runs(others.length ? shared(all.map(({ text }) => text), others) : all.map(() => true));
  if (!found.some(({ hidden }) => hidden)) return;
  const nodes = found.map(({ from, to, hidden }) => (hidden
    ? gap(label)
    : document.createTextNode(all.slice(from, to).map(({ text, space }) => text + space).join(""))));
  wholeOf.set(element, element.textContent);
  element.replaceChildren(...nodes);
}

function unfold(element) {
  if (!wholeOf.has(element)) return;
  element.textContent = wholeOf.get(element);
  wholeOf.delete(element);
}

function foldAll(root) {
  const groups = [...root.querySelectorAll(".judging-list")].map((list) => [...list.querySelectorAll("[data-fold]")]);
  for (const texts of groups.filter((group) => group.length > 1)) {
    const split = texts.map((element) => words(element.textContent));
    texts.forEach((element, at) => {
      if (element.textContent.length < LONG) return;
      const others = split.filter((_, other) => other !== at).map((all) => all.map(({ text }) => text));
      fold(element, split[at], others, root.dataset.wordsDiffer);
    });
  }
}

const folded = (root) => [...root.querySelectorAll("[data-fold]")].filter((element) => wholeOf.has(element));

export function foldTexts(root) {
  foldAll(root);
  root.querySelector("[data-whole-texts]").hidden = !folded(root).length;
}

document.addEventListener("click", ({ target }) => {
  const root = target.closest("[data-judging]");
  if (!root) return;
  if (target.closest(".fold-gap")) unfold(target.closest("[data-fold]"));
  const button = target.closest("[data-whole-texts]");
  if (!button) return;
  const open = button.getAttribute("aria-pressed") === "false";
  button.setAttribute("aria-pressed", String(open));
  if (open) folded(root).forEach(unfold);
  else foldAll(root);
});
