// Active seconds on an item: the page is visible and somebody moved, typed or touched within the last half minute. They
// outlive a reload, go with the draft to the server, so that they count on elsewhere, and are counted to the moment in
// which the item is handed in.
const IDLE = 30_000;
const STEP = 250;
const NAME = "restyle-seconds"; // in sessionStorage: [slot, milliseconds]
let slot = null;
let active = 0; // milliseconds
let counted = performance.now();
let lastInput = counted;

for (const name of ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"]) {
  document.addEventListener(name, () => { lastInput = performance.now(); }, { passive: true });
}

function countedBefore(shown) {
  try {
    const [of, milliseconds] = JSON.parse(sessionStorage.getItem(NAME)) ?? [];
    return of === shown ? milliseconds : 0;
  } catch { return 0; } // private
}

function count() {
  const now = performance.now();
  const passed = now - counted;
  counted = now;
  const form = document.querySelector("form[data-work]");
  const fields = form?.elements;
  if (!fields?.seconds) return;
  const shown = form.dataset.place ?? location.pathname; // of an answer that is changed its own
  if (shown !== slot) {
    slot = shown;
    active = Math.max(countedBefore(slot), 1000 * fields.seconds.defaultValue);
  } else if (document.visibilityState === "visible" && now - lastInput <= IDLE) active += Math.min(passed, 2 * STEP);
  fields.seconds.value = (active / 1000).toFixed(2);
}

setInterval(count, STEP);
document.addEventListener("submit", count, true);
document.addEventListener("htmx:afterSettle", count);
addEventListener("pagehide", () => {
  try { sessionStorage.setItem(NAME, JSON.stringify([slot, active])); } catch { /* private */ }
});
count();
