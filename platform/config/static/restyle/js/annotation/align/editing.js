// What an annotator does to an alignment: choosing sentences, making a pair of them, removing one.
import { bothChosen, isRepeated, paired, pairsWith, toggled, withNone, withoutPair } from "./state.js";
import { field, placeOf, read, reusable, rows, say, sideOf, toast, words } from "./page.js";
import { goTo } from "./columns.js";
import { draw } from "./drawing.js";

function write(state, step = "") {
  field().dataset.step = step;
  field().value = JSON.stringify(state);
  draw();
  field().dispatchEvent(new CustomEvent("input", { bubbles: true }));
}

export function choose(row) {
  const state = read();
  const numbers = pairsWith(state, sideOf(row), placeOf(row));
  if (numbers.length && !reusable()) {
    draw();
    say(words("Taken", numbers[0]));
    toast(words("Taken", numbers[0]));
    return;
  }
  write(toggled(state, sideOf(row), placeOf(row)), "choose");
}

export function pairChosen() {
  const state = read();
  if (!bothChosen(state)) toast(words("Both"));
  else if (isRepeated(state)) toast(words("Twice"));
  else {
    write(paired(state));
    goTo(nextUnpaired(Math.max(...state.chosen.source)));
    say(words("Made", state.pairs.length));
  }
}

// Where the next pair begins: the first sentence of the source after `place` that is in no pair, else the first at all.
function nextUnpaired(place) {
  const state = read();
  const open = rows("source").filter((row) => !pairsWith(state, "source", placeOf(row)).length);
  return open.find((row) => placeOf(row) > place) ?? open[0];
}

export function removePair(n) {
  const state = read();
  if (n === undefined || !state.pairs[n]) return;
  write(withoutPair(state, n));
  say(words("Removed", n));
}

// Removes the last pair that the sentence belongs to.
export const removePairOf = (row) => removePair(pairsWith(read(), sideOf(row), placeOf(row)).at(-1));

export const setNone = (none) => write(withNone(read(), none));
