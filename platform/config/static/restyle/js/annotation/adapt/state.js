// What is decided about each sentence of an abstract, and which sentence is the current one. The work is {sentences:
// [{number, operation, targets, reason}]}: a sentence is kept, rewritten (one target), split (several) or dropped (with
// a reason); "" is not decided. Nothing of the page is known here.
let decisions = new Map(); // the sentence's number → its decision
let sources = new Map(); // the sentence's number → its text
let written = new Map(); // targets as they were last written, for coming back from another choice
export let current = 0;

const isWritten = ({ operation }) => operation === "rewritten" || operation === "split";

export function load(work) {
  decisions = new Map(JSON.parse(work).sentences.map((decision) => [decision.number, decision]));
}

// Begins anew with this work on these sentences, at the one to be corrected, else at the first undecided one.
export function start(work, texts, toCorrect) {
  load(work);
  sources = texts;
  written = new Map([...decisions.values()].filter(isWritten).map(({ number, targets }) => [number, [...targets]]));
  current = decisions.has(toCorrect) ? toCorrect : nextUndecided(0) ?? numbers()[0];
}

export const serialized = () => JSON.stringify({ sentences: [...decisions.values()] });
export const numbers = () => [...decisions.keys()];
export const has = (number) => decisions.has(number);
export const decisionOf = (number) => decisions.get(number);
export const writesTargets = (number) => isWritten(decisions.get(number));
export const isDecided = (number) => status(number) === decisions.get(number).operation && status(number) !== "";

// The operation of a sentence where it is complete, else what is missing: "why", "empty", "same"; "" where none is
// chosen.
export function status(number) {
  const { operation, targets, reason } = decisions.get(number);
  if (operation === "dropped") return reason.trim() ? operation : "why";
  if (writesTargets(number)) {
    if (targets.some((target) => !target.trim())) return "empty";
    if (operation === "rewritten" && targets[0].trim() === sources.get(number).trim()) return "same";
  }
  return operation;
}

// The next sentence without a decision after this one, else the first without.
export function nextUndecided(number) {
  const undecided = numbers().filter((each) => !isDecided(each));
  return undecided.find((each) => each > number) ?? undecided[0];
}

export function neighbour(by) {
  const all = numbers();
  return all[Math.min(Math.max(all.indexOf(current) + by, 0), all.length - 1)];
}

export function select(number) { current = number; }

export function setOperation(operation) {
  const decision = decisions.get(current);
  const source = sources.get(current);
  const last = written.get(current) ?? [source];
  const split = last.length > 1 ? last : [...last, ""];
  decision.targets = { kept: [source], dropped: [], rewritten: [last.join(" ").trim()], split }[operation];
  decision.reason = operation === "dropped" ? decision.reason : "";
  decision.operation = operation;
}

// One target is a rewrite, more are a split.
export function setTargets(targets) {
  const decision = decisions.get(current);
  decision.targets = targets;
  decision.operation = targets.length > 1 ? "split" : "rewritten";
  written.set(current, targets);
}

export function setReason(reason) { decisions.get(current).reason = reason; }

export function setDecision(decision) {
  Object.assign(decisions.get(current), structuredClone(decision));
  if (decision.targets.length) written.set(current, [...decision.targets]);
}
