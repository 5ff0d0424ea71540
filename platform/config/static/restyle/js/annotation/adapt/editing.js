// What an annotator does to the current sentence: each act changes the state, writes the hidden field and draws.
import { current, decisionOf, serialized, setDecision, setOperation, setReason, setTargets } from "./state.js";
import { added, joinedWithPrevious, moved, removed, splitAt } from "./targets.js";
import { compare, draw, drawProgress, drawStatus, earlierOf, root } from "./drawing.js";
import { focusCurrent, focusReason, focusTarget, goToUndecided, placeOf } from "./navigation.js";

export const field = () => root.querySelector("[data-state]");

// `step` names a text that is being typed: changes that follow each other under one name are undone together.
function write(step = "") {
  field().dataset.step = step;
  field().value = serialized();
  field().dispatchEvent(new CustomEvent("input", { bubbles: true }));
  drawProgress();
}

export function chooseOperation(operation) {
  setOperation(operation);
  write();
  draw(current);
  if (operation === "kept") goToUndecided();
  else if (operation === "dropped") focusReason();
  else focusTarget(0, operation === "split" ? 0 : undefined);
}

export function chooseReason(reason) {
  setReason(reason);
  write();
  draw(current);
  goToUndecided();
}

export function typeReason(reason) {
  setReason(reason);
  write(`reason-${current}`);
  drawStatus(current);
}

function putTargets({ targets, place, cursor }) {
  setTargets(targets);
  write();
  draw(current);
  focusTarget(place, cursor);
}

export function typeTarget(textarea) {
  const place = placeOf(textarea);
  const { targets, operation } = decisionOf(current);
  const lines = textarea.value.split(/\r?\n/);
  if (lines.length > 1) {
    putTargets(splitAt(targets, place, lines));
    return;
  }
  setTargets(targets.with(place, textarea.value));
  write(`text-${current}-${place}`);
  if (operation !== decisionOf(current).operation) draw(current);
  drawStatus(current);
  compare(current);
}

export const joinTarget = (place) => putTargets(joinedWithPrevious(decisionOf(current).targets, place));

// The button adds a target, or removes or moves the one that it stands beside.
export function changeTargets(button) {
  const holder = button.closest(".adapt-target");
  const place = holder ? [...holder.parentElement.children].indexOf(holder) : -1;
  const { targets } = decisionOf(current);
  if (button.matches("[data-add]")) putTargets(added(targets));
  else if (button.matches("[data-remove]")) putTargets(removed(targets, place));
  else putTargets(moved(targets, place, button.matches("[data-up]") ? -1 : 1));
}

export function useEarlier() {
  setDecision(earlierOf(current));
  write();
  draw(current);
  focusCurrent();
}
