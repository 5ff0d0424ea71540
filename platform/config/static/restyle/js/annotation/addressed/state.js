// What is said to the patient. In the work a line is null until somebody says that the server's proposal is right or
// writes it; `said` tells which lines were said to be right. A change of what a line is made from takes that back: a
// proposal that was only agreed to follows, and own words stay, to be looked at again. Nothing of the page is known
// here.
import { retyped } from "./pieces.js";

export const NAMES = ["rephrased_addressed", "simplified_addressed"];
const stale = new Set(); // lines whose proposal is of an earlier state: the server's next word is awaited
let proposals = {};
let last = null; // the work as it was last seen

export const isStale = (name) => stale.has(name);
const proposalOf = (name) => proposals[name.replace("_addressed", "")];
export const lineOf = (work, name) => work[name] ?? proposalOf(name);
export const isProposal = (work, name) => same(work[name], proposalOf(name));

// Whatever the order of its keys: the database has its own.
const canonical = (value) => JSON.stringify(value, (_, part) => (
  part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part
));
const same = (a, b) => canonical(a) === canonical(b);

// What a line is made from.
function basis({ spans, simplified, unchanged, final }, name) {
  return name === NAMES[0] ? [spans] : [spans, simplified, unchanged, final];
}

export function start(work, proposed) {
  last = work;
  setProposals(proposed);
}

export function setProposals(proposed) {
  proposals = proposed;
  stale.clear();
}

export function remember(work) { last = work; }

// The lines whose basis has changed since the work was last seen; their proposals are stale from now on.
export function changedLines(work) {
  const changed = NAMES.filter((name) => !same(basis(last, name), basis(work, name)));
  changed.forEach((name) => stale.add(name));
  return changed;
}

export function agreed(work, name) {
  return { ...work, [name]: lineOf(work, name), said: { ...work.said, [name]: true } };
}

export function withdrawn(work, name) {
  const { [name]: _, ...said } = work.said;
  return { ...work, [name]: isProposal(work, name) ? null : work[name], said };
}

export const edited = (work, name, text) => agreed({ ...work, [name]: retyped(lineOf(work, name), text) }, name);

// Whether the line is asked for; `lastAlone` where the sentence has no form with its abbreviations written out.
export function isWanted(work, name, lastAlone) {
  const isLeft = work.unchanged || work.final;
  const isSimplified = work.simplified.trim() !== "";
  if (name === NAMES[0]) return isLeft || work.spans.some((span) => span.full.trim()) || isSimplified;
  return lastAlone ? isLeft || isSimplified : !isLeft && isSimplified;
}
