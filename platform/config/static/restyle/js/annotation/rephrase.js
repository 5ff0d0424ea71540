// Marks abbreviations in a sentence and writes their full forms, and says the sentence in plain words (MedLane): what
// each event on the page leads to.
import { draw } from "./rephrase/drawing.js";
import { onClick, onInput, onKey } from "./rephrase/keys.js";
import { remember } from "./rephrase/memory.js";
import { findRoot, query, root } from "./rephrase/page.js";
import { onFocusChange, onMouseDown, onMouseUp } from "./rephrase/pointer.js";
import { tokenize } from "./rephrase/sentence.js";

function begin() {
  if (!findRoot()) return;
  tokenize((query("[data-marking]") ?? query("[data-diff-source]")).textContent);
  draw();
  remember(draw);
}

const within = (act) => (event) => { if (root?.contains(event.target)) act(event); };
document.addEventListener("input", within(onInput));
document.addEventListener("click", within(onClick));
document.addEventListener("mousedown", within(onMouseDown));
document.addEventListener("mouseup", onMouseUp);
document.addEventListener("keydown", within(onKey));
document.addEventListener("focusin", within(onFocusChange));
document.addEventListener("focusout", within(onFocusChange));
document.addEventListener("restyle:restored", () => { if (root?.isConnected) draw(); });
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "work") begin(); });
begin();
