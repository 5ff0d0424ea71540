// The range that is chosen in the sentence by keys or by the pointer. It grows from an anchor: the word or part that was
// chosen before Shift was held.
import { characters, firstWord, nextWord } from "./sentence.js";

export let selected = null;
let anchor = null;

export function select(range) { selected = range; }
export function selectAnew(range) { selected = anchor = range; }

export const selectFirst = () => selectAnew(firstWord() ?? { start: 0, end: 0 });
export const selectAfter = (range) => selectAnew(nextWord(range, 1) ?? range);

// The ranges that an arrow key leads to; `direction` is 1 towards the end of the sentence, -1 towards its start.
export const neighbour = (direction) => anchored(nextWord(selected, direction) ?? selected);
export const atStart = () => anchored(nextWord({ end: 0 }, 1) ?? selected);
export const atEnd = () => anchored(nextWord({ start: characters.length }, -1) ?? selected);

function anchored(range) {
  anchor = range;
  return range;
}

// One character more or less, at the start or the end of what is chosen.
export function resized(edge, direction) {
  const range = edge === "start"
    ? { start: Math.max(0, selected.start + direction), end: selected.end }
    : { start: selected.start, end: Math.min(characters.length, selected.end + direction) };
  return range.start < range.end ? anchored(range) : selected;
}

// A word more beyond the anchor, or a word less on the way back to it.
export function extended(direction) {
  const forward = selected.end > anchor.end || (selected.start === anchor.start && direction > 0);
  const from = selected;
  if (forward && direction < 0) {
    return { start: anchor.start, end: (nextWord({ start: from.end - 1 }, -1) ?? anchor).end };
  }
  if (forward) return { start: anchor.start, end: (nextWord(from, 1) ?? from).end };
  if (direction < 0) return { start: (nextWord(from, -1) ?? from).start, end: anchor.end };
  return { start: (nextWord({ end: from.start + 1 }, 1) ?? anchor).start, end: anchor.end };
}
