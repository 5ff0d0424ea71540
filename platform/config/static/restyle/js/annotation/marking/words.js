// A text as characters and tokens. Places count characters (code points), never halves of one; a range is {start, end}.
// Nothing of the page is known here.
const TOKEN = /\[\*\*(?:[^[*]|\[(?!\*\*)|\*(?!\*\]))*\*\*\]|[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?|[^\s\p{L}\p{M}\p{N}]/gu;

export const overlap = (a, b) => a.start < b.end && b.start < a.end;
const isReadable = (token) => token.word && !token.removed;

export class Words {
  constructor(source) { this.read(source); }

  read(source) {
    this.characters = Array.from(source);
    const size = (part) => Array.from(part).length;
    let [unit, place] = [0, 0]; // the same place in UTF-16 units and in characters
    // {start, end, removed: whether it stands for what was taken out, word: whether it has letters}
    this.tokens = [...source.matchAll(TOKEN)].map((match) => {
      place += size(source.slice(unit, match.index));
      unit = match.index + match[0].length;
      const start = place;
      place += size(match[0]);
      return { start, end: place, removed: match[0].startsWith("[**"), word: /[\p{L}\p{N}]/u.test(match[0]) };
    });
  }

  text(range) { return this.characters.slice(range.start, range.end).join(""); }
  tokensIn(range) { return this.tokens.filter((token) => overlap(token, range)); }
  isRemoved(range) { return this.tokens.some((token) => token.removed && overlap(token, range)); }
  firstWord() { return this.tokens.find(isReadable); }

  // The next word that an arrow key goes to; signs and what was taken out are passed over.
  nextWord(from, direction) {
    const words = this.tokens.filter(isReadable);
    return direction > 0
      ? words.find((token) => token.start >= from.end)
      : words.findLast((token) => token.end <= from.start);
  }

  // The text cut where a token or one of these ranges begins or ends.
  pieces(ranges) {
    const edges = new Set([0, this.characters.length]);
    for (const range of [...this.tokens, ...ranges]) edges.add(range.start).add(range.end);
    const cuts = [...edges].sort((a, b) => a - b);
    return cuts.slice(0, -1).map((start, number) => ({ start, end: cuts[number + 1] }));
  }

  // Where else the same words stand, as whole tokens, this place among them.
  occurrences(range) {
    const wanted = this.text(range);
    const ends = new Set(this.tokens.map((token) => token.end));
    return this.tokens
      .filter((token) => !token.removed)
      .map(({ start }) => ({ start, end: start + (range.end - range.start) }))
      .filter((found) => ends.has(found.end) && this.text(found) === wanted && !this.isRemoved(found));
  }
}
