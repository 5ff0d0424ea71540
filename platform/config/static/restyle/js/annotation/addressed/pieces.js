// A line as pieces: {text, full}, where `full` is the full form that stands for an abbreviation. A line is pieces or a
// plain text.

const wordsOf = (piece) => piece.full || piece.text;
export const textOf = (line) => (Array.isArray(line) ? line.map(wordsOf).join("") : line ?? "");

export const retyped = (line, text) => (Array.isArray(line) ? retypedPieces(line, text) : text);

// Where the two texts differ: from `start` to `end` of the old one, in place of which `text` stands.
function difference(old, after) {
  let [start, tail] = [0, 0];
  while (start < Math.min(old.length, after.length) && old[start] === after[start]) start++;
  while (tail < Math.min(old.length, after.length) - start && old.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start, end: old.length - tail, text: after.slice(start, after.length - tail) };
}

// The pieces after an edit of their text: a full form that was edited stays one, one that was taken out whole does not.
function retypedPieces(pieces, after) {
  const { start, end, text: inserted } = difference(textOf(pieces), after);
  let text = inserted; // what no piece has taken yet
  const result = [];
  let place = 0;
  for (const piece of pieces) {
    const words = wordsOf(piece);
    const [from, to] = [Math.max(start - place, 0), Math.min(end - place, words.length)];
    place += words.length;
    if (!isTouched(piece, from, to, start === end) || start > place || (start === end && !text)) {
      if (start === end && text && piece.full && start <= place - words.length) { result.push(plain(text)); text = ""; }
      result.push(piece);
      continue;
    }
    const left = words.slice(0, from) + text + words.slice(Math.max(from, to));
    text = "";
    result.push(piece.full && !(from === 0 && to === words.length) ? { ...piece, full: left } : plain(left));
  }
  if (text) result.push(plain(text));
  return result.filter((piece) => piece.text || piece.full);
}

const plain = (text) => ({ text, full: "" });

// Whether the edit belongs to the piece; what is only inserted at the border of a full form does not become part of it.
function isTouched(piece, from, to, isInsertion) {
  if (!isInsertion) return from < to;
  return piece.full ? from > 0 && from < piece.full.length : from <= piece.text.length;
}
