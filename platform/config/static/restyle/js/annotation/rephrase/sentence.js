// The sentence that is worked on, with what is chosen in it.
import { Selection } from "../marking/selection.js";
import { Words } from "../marking/words.js";

export const words = new Words("");
export const selection = new Selection(words);
export const text = (range) => words.text(range);

export function tokenize(source) {
  words.read(source);
  selection.begin();
}

// The sentence with the full forms in place of the abbreviations.
export function writtenOut(spans) {
  let [sentence, place] = ["", 0];
  for (const span of spans) {
    sentence += text({ start: place, end: span.start }) + (span.full.trim() || text(span));
    place = span.end;
  }
  return sentence + text({ start: place, end: words.characters.length });
}
