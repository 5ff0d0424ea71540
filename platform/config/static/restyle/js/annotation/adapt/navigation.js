// Going from sentence to sentence, and to a place in a text of the current one.
import { current, has, neighbour, nextUndecided, select } from "./state.js";
import { draw, root, row } from "./drawing.js";

export function makeCurrent(number) {
  if (number === current) return;
  const last = current;
  select(number);
  if (has(last)) draw(last);
  draw(number);
}

const scrollTo = (number) => row(number).scrollIntoView({ block: "nearest" });

export const focusCurrent = () => row(current).focus({ preventScroll: true });

export function goTo(number) {
  if (number === undefined) return;
  makeCurrent(number);
  focusCurrent();
  scrollTo(number);
}

export const goBy = (steps) => goTo(neighbour(steps));

const say = (words) => document.dispatchEvent(new CustomEvent("restyle:say", { detail: words }));

export function goToUndecided() {
  const next = nextUndecided(current);
  if (next === undefined) focusCurrent();
  else goTo(next);
  say(next === undefined ? root.dataset.wordsAll : row(next).ariaLabel);
}

const targetTexts = () => [...row(current).querySelectorAll("[data-target-text]")];

export const placeOf = (textarea) => targetTexts().indexOf(textarea);

export const focusReason = () => row(current).querySelector("[data-why] :is(button, input)").focus();

// Puts the cursor there in the target; without a place, at its end.
export function focusTarget(place, cursor) {
  const textarea = targetTexts()[place];
  const at = cursor ?? textarea?.value.length;
  textarea?.focus({ preventScroll: true });
  textarea?.setSelectionRange(at, at);
  scrollTo(current);
}
