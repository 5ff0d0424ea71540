// Pairing the sentences of two columns: what each event on the page leads to.
import { showTranslationsAsBefore } from "./align/columns.js";
import { draw, lightPair } from "./align/drawing.js";
import { onChange, onClick, onFocus, onKey } from "./align/keys.js";
import { root } from "./align/page.js";

function begin() {
  if (!root()) return;
  showTranslationsAsBefore();
  draw();
}

document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
document.addEventListener("change", onChange);
document.addEventListener("focusin", lightPair);
document.addEventListener("focusin", onFocus);
document.addEventListener("pointerover", lightPair);
document.addEventListener("restyle:restored", draw);
document.addEventListener("htmx:afterSettle", begin);
begin();
