// The sentence as characters and tokens. Places count characters (code points), never halves of one; a range is
// {start, end}. Nothing of the page is known here.
const TOKEN = /\[\*\*(?:[^[*]|\[(?!\*\*)|\*(?!\*\]))*\*\*\]|[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?|[^\s\p{L}\p{M}\p{N}]/gu;
export let characters = [];
let tokens = []; // {start, end, removed: whether it stands for what was taken out, word: whether it has letters}

export const text = (range) => characters.slice(range.start, range.end).join("");
export const overlap = (a, b) => a.start < b.end && b.start < a.end;
export const tokensIn = (range) => tokens.filter((token) => overlap(token, range));
export const isRemoved = (range) => tokens.some((token) => token.removed && overlap(token, range));

const isReadableWord = (token) => token.word && !token.removed;

export const firstWord = () => tokens.find(isReadableWord);

// The next word that an arrow key goes to; signs and what was taken out are passed over.
export function nextWord(from, direction) {
  const words = tokens.filter(isReadableWord);
  return direction > 0
    ? words.find((token) => token.start >= from.end)
    : words.findLast((token) => token.end <= from.start);
}

export function tokenize(source) {
  characters = Array.from(source);
  const size = (part) => Array.from(part).length;
  let [unit, place] = [0, 0]; // the same place in UTF-16 units and in characters
  tokens = [...source.matchAll(TOKEN)].map((match) => {
    place += size(source.slice(unit, match.index));
    unit = match.index + match[0].length;
    const start = place;
    place += size(match[0]);
    return { start, end: place, removed: match[0].startsWith("[**"), word: /[\p{L}\p{N}]/u.test(match[0]) };
  });
}

// The sentence cut where a token or one of these ranges begins or ends.
export function pieces(ranges) {
  const edges = new Set([0, characters.length]);
  for (const range of [...tokens, ...ranges]) edges.add(range.start).add(range.end);
  const cuts = [...edges].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, number) => ({ start, end: cuts[number + 1] }));
}

// Where else the same words stand, as whole tokens, this place among them.
export function occurrences(range) {
  const wanted = text(range);
  const ends = new Set(tokens.map((token) => token.end));
  return tokens
    .filter((token) => !token.removed)
    .map(({ start }) => ({ start, end: start + (range.end - range.start) }))
    .filter((found) => ends.has(found.end) && text(found) === wanted && !isRemoved(found));
}

// The sentence with the full forms in place of the abbreviations.
export function writtenOut(spans) {
  let [sentence, place] = ["", 0];
  for (const span of spans) {
    sentence += text({ start: place, end: span.start }) + (span.full.trim() || text(span));
    place = span.end;
  }
  return sentence + text({ start: place, end: characters.length });
}
