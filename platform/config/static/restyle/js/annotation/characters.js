// How many characters the text holds that is being written, of those that it may hold, in [data-characters].
import { counted } from "../counted.js";

function show({ target }) {
  if (!(target instanceof HTMLTextAreaElement) || !target.closest("[data-work]") || target.maxLength < 0) return;
  for (const place of document.querySelectorAll("[data-characters]")) {
    place.hidden = false;
    place.textContent = counted(place.dataset.counted, target.maxLength, { count: Array.from(target.value).length });
  }
}
document.addEventListener("input", show);
document.addEventListener("focusin", show);
