// Pieces as nodes. A change with letters has its own direction; without, it takes that of the text around it. Where no
// word stayed, the first change says the direction of the whole: "auto" does not look into what has one of its own.
import { hasLetters } from "./words.js";

function node({ kind, text }, standsApart) {
  if (kind === "same") return document.createTextNode(text);
  const element = document.createElement(kind === "gone" ? "del" : "ins");
  element.textContent = text;
  if (standsApart) element.dir = "auto";
  return element;
}

export function nodes(pieces) {
  const spoken = pieces.filter(({ text }) => hasLetters(text));
  const leads = spoken.some(({ kind }) => kind === "same") ? null : spoken[0];
  return pieces.map((piece) => node(piece, piece !== leads && hasLetters(piece.text)));
}
