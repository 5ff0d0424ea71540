// Texts as words: what a diff never cuts. The same as foundation/word_diff/words.py.
// A word is a run of grapheme clusters that begin with a letter, a digit or "_", so marks and joiners stay with their
// letters. Scripts that write no spaces between words give one cluster each; other clusters stand alone.
const SPACE = /^\p{White_Space}/u;
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const DIGIT = /^\p{Nd}/u;
const HEBREW = /^(?=\p{L})\p{Script=Hebrew}/u;
const WORDED = /[\p{L}\p{M}\p{N}_]/u;
const BETWEEN_LETTERS = new Set("'’\u05f3\u05f4\u00b7"); // don't, l’eau, ג׳ירפה, col·legi
const BETWEEN_DIGITS = new Set(".,:'’"); // 3.5, 1,000, 10:30
const ALMOST_CLUSTERS = // of browsers without Intl.Segmenter
  /\r\n|\p{RI}\p{RI}|[^](?:[\p{M}\p{Emoji_Modifier}\u200c]|\u200d\p{Extended_Pictographic}?)*/gu;
const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });

export const clusters = (text, by = segmenter) =>
  by ? Array.from(by.segment(text), ({ segment }) => segment) : (text.match(ALMOST_CLUSTERS) ?? []);
export const isSpace = (character) => SPACE.test(character);
export const hasLetters = (text) => WORDED.test(text);

function kindOf(cluster) {
  const character = String.fromCodePoint(cluster.codePointAt(0));
  if (SPACE.test(character)) return "space";
  if (UNSPACED.test(character) || !WORDED.test(character)) return "alone";
  return DIGIT.test(character) ? "digit" : HEBREW.test(character) ? "hebrew" : "letter";
}

const isLetter = (kind) => kind === "letter" || kind === "hebrew";
const isWord = (kind) => isLetter(kind) || kind === "digit";

// Whether the cluster is a sign inside a word, as in "don't", "3.5" and צה"ל.
function joins(all, kinds, at) {
  if (at < 1 || at >= all.length - 1) return false;
  const sides = [kinds[at - 1], kinds[at + 1]];
  return (
    (BETWEEN_LETTERS.has(all[at]) && sides.every(isLetter)) ||
    (BETWEEN_DIGITS.has(all[at]) && sides.every((kind) => kind === "digit")) ||
    (all[at] === '"' && sides.every((kind) => kind === "hebrew"))
  );
}

const continues = (all, kinds, at) =>
  isWord(kinds[at])
    ? isWord(kinds[at - 1]) || (at > 1 && joins(all, kinds, at - 1))
    : joins(all, kinds, at);

// The words of a text, each with the white space behind it; the first is empty and holds the space before the others.
export function words(text, by = segmenter) {
  const all = clusters(text, by);
  const kinds = all.map(kindOf);
  const found = [{ text: "", space: "" }];
  all.forEach((cluster, at) => {
    if (kinds[at] === "space") found.at(-1).space += cluster;
    else if (found.at(-1).space || at === 0 || !continues(all, kinds, at)) found.push({ text: cluster, space: "" });
    else found.at(-1).text += cluster;
  });
  return found;
}
