// On a phone a scale that was answered, or that waits for its turn, is folded to its legend and the answer (work.css).
// A tap on either unfolds it; a choice folds it. Keys and screen readers reach every step all the same.
let answer = null;

const scaleOf = (event) => event.target.closest(".scale:has(.scale-steps)");

export function onPointerDown(event) {
  answer = scaleOf(event)?.querySelector(":checked") ?? null;
}

export function onScaleClick(event) {
  const scale = scaleOf(event);
  if (scale && (event.target.closest("legend") || (answer && event.target === answer))) scale.toggleAttribute("data-open");
}

export function onScaleChange(event) {
  scaleOf(event)?.removeAttribute("data-open");
}
