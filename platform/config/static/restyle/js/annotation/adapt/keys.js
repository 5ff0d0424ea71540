// Keys, clicks and typing on the page of an abstract. The keys of the choices stand on the editor's buttons, so the
// keys.js of all pages activates those of the current sentence.
import {
  changeTargets, chooseOperation, chooseReason, joinTarget, typeReason, typeTarget, useEarlier,
} from "./editing.js";
import { goBy, goToUndecided, makeCurrent, placeOf } from "./navigation.js";

const sentenceOf = (element) => element.closest("[data-adapt] [data-sentence]");

export function onClick(event) {
  const button = event.target.closest("[data-adapt] button");
  if (!button) return;
  if (button.dataset.operation) chooseOperation(button.dataset.operation);
  else if (button.dataset.stepBy) goBy(Number(button.dataset.stepBy));
  else if (button.matches("[data-use]")) useEarlier();
  else if (button.matches("[data-add], [data-remove], [data-up], [data-down]")) changeTargets(button);
  else if (button.dataset.reason !== undefined) chooseReason(button.dataset.reason);
}

export function onInput({ target }) {
  if (target.matches("[data-target-text]")) typeTarget(target);
  else if (target.matches("[data-reason-text]")) typeReason(target.value);
}

export function onFocus(event) {
  const sentence = sentenceOf(event.target);
  if (sentence) makeCurrent(Number(sentence.dataset.sentence));
}

export function onKey(event) {
  const sentence = sentenceOf(event.target);
  if (!sentence || event.ctrlKey || event.metaKey) return;
  const isTyping = event.target.matches("textarea, input");
  const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (steps && !event.shiftKey && event.altKey === isTyping) { event.preventDefault(); goBy(steps); }
  else if (event.key === "Escape" && isTyping) sentence.focus({ preventScroll: true });
  else if (event.key === "Enter" && event.target.matches("[data-reason-text]")) { event.preventDefault(); goToUndecided(); }
  else if (event.key === "Backspace" && event.target.matches("[data-target-text]")) onBackspace(event);
}

// At the start of a target it joins it with the one before.
function onBackspace(event) {
  const { selectionStart, selectionEnd } = event.target;
  const place = placeOf(event.target);
  if (place > 0 && selectionStart === 0 && selectionEnd === 0) { event.preventDefault(); joinTarget(place); }
}
