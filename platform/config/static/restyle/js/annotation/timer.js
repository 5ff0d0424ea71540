// Active seconds on an item: the page is visible and somebody moved, typed or touched within the last half minute.
const IDLE = 30_000;
const STEP = 250;
let form = null;
let active = 0;
let lastInput = performance.now();

for (const name of ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"]) {
  document.addEventListener(name, () => { lastInput = performance.now(); }, { passive: true });
}

setInterval(() => {
  const shown = document.querySelector("form[data-work]");
  if (shown !== form && shown?.elements.slot?.value !== form?.elements.slot?.value) active = 0;
  form = shown;
  if (!form?.elements.seconds || document.visibilityState !== "visible" || performance.now() - lastInput > IDLE) return;
  active += STEP / 1000;
  form.elements.seconds.value = active.toFixed(2);
}, STEP);
