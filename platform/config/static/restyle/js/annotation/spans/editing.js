// What an annotator does to the texts: choosing a span, marking it, saying what it is.
import { overlap } from "../marking/words.js";
import { draw, drawChoice } from "./drawing.js";
import { described, fill, kindsOf, query, read, root, say, tell, textOf, texts, write } from "./page.js";

let current = null; // the side that was in use last: the buttons are for what is chosen there

export function choose(side, range, anew = false) {
  const text = texts[side];
  for (const other of Object.values(texts)) if (other !== text && other.shows) show(other.side, false);
  if (anew) text.selection.anew(range);
  else text.selection.select(range);
  current = side;
  text.grows = true;
  show(side, true);
}

export function show(side, shows) {
  texts[side].shows = shows;
  if (!shows) texts[side].grows = false;
  drawChoice(side);
}

// Marks what is chosen; a mark on the same span takes the new choice. `choice` is {severity} or {kind}.
export function mark(choice) {
  const text = texts[current] ?? texts.output ?? texts.source;
  if (!text?.shows) { tell(root().dataset.wordsChoose); return; }
  const { side, box, selection: { range } } = text;
  if (!text.words.text(range).trim()) return;
  const fitting = kindsOf(side);
  if (choice.kind && !fitting.some((kind) => kind.name === choice.kind)) { tell(root().dataset.wordsSide); return; }
  const state = read();
  const same = state.marks.find((each) => each.side === side && each.start === range.start && each.end === range.end);
  const only = fitting.length === 1 ? fitting[0].name : "";
  const made = same ?? { side, start: range.start, end: range.end, kind: only, severity: "", reason: "" };
  Object.assign(made, choice);
  if (!same) state.marks.push(made);
  state.marks.sort((a, b) => (a.side === "output") - (b.side === "output") || a.start - b.start || a.end - b.end);
  text.grows = false;
  write({ ...state, none: false });
  draw();
  say(fill(root().dataset.wordsMarked, { text: textOf(made), what: described(made) }));
  const row = query("[data-marks]").children[state.marks.indexOf(made)];
  const open = made.kind === "" && row.querySelector("[data-kind]");
  (open || box).focus();
}

export function unmarkChosen(side) {
  const { selection: { range } } = texts[side];
  keep((each) => each.side !== side || !overlap(each, range));
}

export function unmark(number) {
  const [side, box] = [read().marks[number].side, texts[read().marks[number].side].box];
  texts[side].selection.anew(read().marks[number]);
  keep((_, place) => place !== number);
  box.focus();
}

function keep(stays) {
  const state = read();
  const marks = state.marks.filter(stays);
  if (marks.length === state.marks.length) return;
  write({ ...state, marks });
  draw();
  say(root().dataset.wordsRemoved);
}

export function setPart(number, name, value) {
  const state = read();
  state.marks[number][name] = value;
  write(state, name === "reason" ? `reason-${number}` : "");
  draw();
}

export function goTo(number) {
  const { side, start, end } = read().marks[number];
  choose(side, { start, end }, true);
  texts[side].grows = false;
  texts[side].box.focus();
}

export function setNone(none) {
  const state = read();
  write({ ...state, none, marks: none ? [] : state.marks });
  draw();
}
