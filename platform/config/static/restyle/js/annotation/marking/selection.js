// The range that is chosen in a text by keys or by the pointer. It grows from an anchor: the word or part that was chosen
// before Shift was held.
const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };

export class Selection {
  constructor(words) {
    this.words = words;
    this.begin();
  }

  begin() { this.anew(this.words.firstWord() ?? { start: 0, end: 0 }); }
  select(range) { this.range = range; }
  anew(range) { this.range = this.anchor = range; }
  after(range) { this.anew(this.words.nextWord(range, 1) ?? range); }

  // The range that a key leads to; null for a key that leads nowhere. Ctrl with an arrow resizes by a character (with
  // Shift at the start), Shift by a word; an arrow alone moves on.
  afterKey(event) {
    if (event.key === "Home") return this.#anchored(this.words.nextWord({ end: 0 }, 1) ?? this.range);
    if (event.key === "End") {
      return this.#anchored(this.words.nextWord({ start: this.words.characters.length }, -1) ?? this.range);
    }
    if (!(event.key in ARROWS)) return null;
    const rightToLeft = getComputedStyle(event.target).direction === "rtl";
    const direction = rightToLeft ? -ARROWS[event.key] : ARROWS[event.key];
    if (event.ctrlKey || event.metaKey) return this.#resized(event.shiftKey ? "start" : "end", direction);
    return event.shiftKey ? this.#extended(direction) : this.#anchored(this.words.nextWord(this.range, direction) ?? this.range);
  }

  // From the anchor to this range, whichever comes first.
  to(range) {
    return { start: Math.min(this.anchor.start, range.start), end: Math.max(this.anchor.end, range.end) };
  }

  #anchored(range) {
    this.anchor = range;
    return range;
  }

  // One character more or less, at the start or the end of what is chosen.
  #resized(edge, direction) {
    const { range, words } = this;
    const resized = edge === "start"
      ? { start: Math.max(0, range.start + direction), end: range.end }
      : { start: range.start, end: Math.min(words.characters.length, range.end + direction) };
    return resized.start < resized.end ? this.#anchored(resized) : range;
  }

  // A word more beyond the anchor, or a word less on the way back to it.
  #extended(direction) {
    const { anchor, range: from, words } = this;
    const forward = from.end > anchor.end || (from.start === anchor.start && direction > 0);
    if (forward && direction < 0) {
      return { start: anchor.start, end: (words.nextWord({ start: from.end - 1 }, -1) ?? anchor).end };
    }
    if (forward) return { start: anchor.start, end: (words.nextWord(from, 1) ?? from).end };
    if (direction < 0) return { start: (words.nextWord(from, -1) ?? from).start, end: anchor.end };
    return { start: (words.nextWord({ end: from.start + 1 }, 1) ?? anchor).start, end: anchor.end };
  }
}
