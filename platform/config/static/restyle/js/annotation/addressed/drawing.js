// Draws the lines that are said to the patient.
import { textOf } from "./pieces.js";
import { NAMES, isProposal, isStale, isWanted, lineOf } from "./state.js";

const lastAlone = (root) => "lastAlone" in root.dataset;

export const ownLines = (root) =>
  [...root.querySelectorAll("[data-line]:not([hidden])")].filter((line) => !line.querySelector("[data-own]").hidden);

// The sentence before it is addressed to anybody.
function unaddressed(root, work, name) {
  const written = document.querySelector("[data-written]")?.textContent ?? "";
  if (name === NAMES[0]) return written;
  const source = lastAlone(root) ? document.querySelector("[data-diff-source]").textContent : written;
  return work.unchanged || work.final ? source : work.simplified;
}

export function draw(root, work) {
  let isAnyWanted = false;
  for (const name of NAMES) {
    const line = root.querySelector(`[data-line="${name}"]`);
    if (!line) continue;
    line.hidden = !isWanted(work, name, lastAlone(root));
    isAnyWanted ||= !line.hidden;
    drawLine(line, work, name, unaddressed(root, work, name));
  }
  root.hidden = !isAnyWanted;
  const unconfirmed = ownLines(root).filter((line) => !line.querySelector("[data-right]").checked);
  root.querySelector("[data-all-right]").disabled = !unconfirmed.length;
}

function drawLine(line, work, name, form) {
  const value = lineOf(work, name);
  const namesNobody = work[name] === null && textOf(value).trim() === form.trim();
  const textarea = line.querySelector("textarea");
  line.querySelector("[data-same]").hidden = !namesNobody;
  for (const part of line.querySelectorAll("[data-own]")) part.hidden = namesNobody;
  if (textarea.value !== textOf(value)) textarea.value = textOf(value);
  line.querySelector("[data-mirror]").replaceChildren(...highlighted(value));
  line.querySelector("[data-right]").checked = work.said[name] === true;
  line.querySelector("[data-right]").disabled = isStale(name) && work[name] === null;
  line.querySelector("[data-again]").hidden = work[name] === null || isProposal(work, name) || isStale(name);
}

// Behind the text field: the same text with its full forms marked.
function highlighted(line) {
  if (!Array.isArray(line)) return [];
  return line.map((piece) => {
    if (!piece.full) return document.createTextNode(piece.text);
    const mark = document.createElement("mark");
    mark.textContent = piece.full;
    return mark;
  });
}
