// Adapting an abstract sentence by sentence. The work is the JSON of the hidden field; it is read when the page comes
// and when undo or a draft changed it.
import { draw, drawIn, drawProgress, root, row } from "./adapt/drawing.js";
import { field } from "./adapt/editing.js";
import { onClick, onFocus, onInput, onKey } from "./adapt/keys.js";
import { focusCurrent, goTo } from "./adapt/navigation.js";
import { current, decisionOf, load, numbers, start } from "./adapt/state.js";

const sourcesIn = (element) => new Map([...element.querySelectorAll("[data-sentence]")].map((each) =>
  [Number(each.dataset.sentence), each.querySelector("[data-diff-source]").dataset.diffSource]));

function begin() {
  const element = document.querySelector("[data-adapt]");
  if (!element || element === root) return;
  drawIn(element);
  const toCorrect = Number(root.dataset.wrong.replace("sentence-", ""));
  start(field().value, sourcesIn(root), toCorrect);
  for (const details of root.querySelectorAll("[data-wide-open]")) details.open = matchMedia("(min-width: 64rem)").matches;
  numbers().forEach(draw);
  drawProgress();
  if (!root.checkVisibility() || (root.dataset.wrong && !toCorrect)) return;
  // After focus.js, which would leave the focus on the message (it is read out all the same); but somebody who has begun
  // to work is not torn away.
  setTimeout(() => {
    if (root.contains(document.activeElement)) return;
    if (current === numbers()[0] && !toCorrect) focusCurrent();
    else goTo(current);
  });
}

function restore() {
  if (!root?.isConnected) return;
  const before = new Map(numbers().map((number) => [number, JSON.stringify(decisionOf(number))]));
  const hadFocus = row(current).contains(document.activeElement);
  load(field().value);
  for (const number of numbers()) if (before.get(number) !== JSON.stringify(decisionOf(number))) draw(number);
  drawProgress();
  if (hadFocus && !row(current).contains(document.activeElement)) focusCurrent();
}

document.addEventListener("click", onClick);
document.addEventListener("input", onInput);
document.addEventListener("focusin", onFocus);
document.addEventListener("keydown", onKey);
document.addEventListener("restyle:restored", restore);
document.addEventListener("htmx:afterSettle", begin);
begin();
