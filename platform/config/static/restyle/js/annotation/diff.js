// What the rewrite in [data-diff] changed of the source, by words, as <ins> and <del>. Where a form has several, each
// stands in its own [data-diff-scope], and fires "restyle:compare" when a script changed it. A source whose element
// shows more than its text keeps the text in the attribute.
import { nodes } from "./diff/drawing.js";
import { isMostlyOther, wordDiff } from "./diff/pieces.js";

function show(field) {
  const work = field.closest("[data-diff-scope], form");
  const box = work.querySelector("[data-diff-box]");
  const marked = work.querySelector("[data-diff-source]");
  const source = marked.dataset.diffSource || marked.textContent;
  const unchanged = work.querySelector("[data-unchanged]");
  const text = field.value.trim();
  const same = text === source.trim();
  if (unchanged) unchanged.toggleAttribute("data-quiet", !same && !unchanged.querySelector("input").checked);
  box.hidden = !text || same;
  if (box.hidden) return;
  const pieces = wordDiff(source.trim(), text);
  box.hidden = isMostlyOther(pieces);
  if (!box.hidden) box.querySelector("[data-diff-shown]").replaceChildren(...nodes(pieces));
}

const showAll = (within) => within.querySelectorAll("[data-diff]").forEach(show);
document.addEventListener("input", (event) => { if (event.target.matches("[data-diff]")) show(event.target); });
document.addEventListener("restyle:compare", ({ target }) => {
  if (target === document) showAll(document); // a script that drew the form anew
  else if (target.matches("[data-diff]")) show(target);
});
document.addEventListener("restyle:restored", () => showAll(document));
document.addEventListener("htmx:afterSettle", () => showAll(document));
showAll(document);
