// Both texts in pieces: { kind: "same", "gone" or "new", text }. The same as foundation/word_diff/pieces.py and
// clean_up.py: matches that help no reader are given up, so that a rewritten sentence is one removal and one addition.
import { matches } from "./alignment.js";
import { isSpace, words } from "./words.js";

const LEAST = 5; // of the shorter text a fifth must be kept, in characters, or nothing counts as kept
const LONG = 400; // characters, of which a third is shared at least where the pieces are shown
const SHARED = 3;
const START = [0, 0, 0];

function lengthsOf(all) {
  const sums = [0];
  for (const word of all) sums.push(sums.at(-1) + [...word].length);
  return sums;
}

function cleaned(runs, before, after) {
  const [here, there] = [lengthsOf(before), lengthsOf(after)];
  const lengthOf = ([i, , length]) => here[i + length] - here[i];
  const changed = (one, next) => Math.max(here[next[0]] - here[one[0] + one[2]], there[next[1]] - there[one[1] + one[2]]);
  const isSwallowed = (one, run, next) => [changed(one, run), changed(run, next)].every((size) => lengthOf(run) <= size);
  const kept = [];
  for (const run of [...runs, [before.length, after.length, 0]]) {
    while (kept.length && isSwallowed(kept.at(-2) ?? START, kept.at(-1), run)) kept.pop();
    kept.push(run);
  }
  kept.pop();
  const total = kept.reduce((sum, run) => sum + lengthOf(run), 0);
  return total * LEAST >= Math.min(here.at(-1), there.at(-1)) ? kept : [];
}

const textOf = (all) => all.map(({ text, space }) => text + space).join("");

function steps(before, after, runs) {
  const found = [];
  const add = (kind, text) => { if (text) found.push({ kind, text }); };
  let [at, past] = [0, 0];
  for (const [i, k, length] of [...runs, [before.length, after.length, 0]]) {
    add("gone", textOf(before.slice(at, i)));
    add("new", textOf(after.slice(past, k)));
    for (let n = 0; n < length; n++) {
      const [one, other] = [before[i + n], after[k + n]];
      add("same", one.text);
      if (one.space === other.space) add("same", one.space);
      else { add("gone", one.space); add("new", other.space); }
    }
    [at, past] = [i + length, k + length];
  }
  return found;
}

// Changes beside one another as one, without the white space in which both of its sides end.
function grouped(all) {
  const found = [];
  const add = (kind, text) => {
    if (!text) return;
    if (found.at(-1)?.kind === kind) found.at(-1).text += text;
    else found.push({ kind, text });
  };
  let [gone, fresh] = ["", ""];
  const close = () => {
    let shared = 0;
    while (shared < Math.min(gone.length, fresh.length) && gone.at(-1 - shared) === fresh.at(-1 - shared)
      && isSpace(gone.at(-1 - shared))) shared++;
    add("gone", gone.slice(0, gone.length - shared));
    add("new", fresh.slice(0, fresh.length - shared));
    add("same", gone.slice(gone.length - shared));
    [gone, fresh] = ["", ""];
  };
  for (const { kind, text } of all) {
    if (kind === "gone") gone += text;
    else if (kind === "new") fresh += text;
    else { close(); add("same", text); }
  }
  close();
  return found;
}

export function wordDiff(before, after, ...by) {
  const [old, fresh] = [words(before, ...by), words(after, ...by)];
  const [here, there] = [old, fresh].map((all) => all.slice(1).map(({ text }) => text));
  const kept = cleaned(matches(here, there), here, there).map(([i, k, length]) => [i + 1, k + 1, length]);
  return grouped(steps(old, fresh, [[0, 0, 1], ...kept]));
}

// Whether long texts share so little that one after the other they are read more easily than in pieces.
export function isMostlyOther(pieces) {
  const size = { same: 0, gone: 0, new: 0 };
  for (const { kind, text } of pieces) size[kind] += [...text].length;
  const longest = size.same + Math.max(size.gone, size.new);
  return longest > LONG && size.same * SHARED < longest;
}
