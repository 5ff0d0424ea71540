// Where the pointer is in a text of options [data-start]: the word under it, and what was dragged over.
export function wordAt(event, words) {
  const start = Number(event.target.closest("[data-start]")?.dataset.start);
  return words.tokensIn({ start, end: start + 1 })[0];
}

// Characters within one word, else whole words; null where nothing was dragged over.
export function draggedRange(box, words) {
  const selection = getSelection();
  if (selection.isCollapsed || !box.contains(selection.anchorNode) || !box.contains(selection.focusNode)) return null;
  const ends = [
    placeIn(box, selection.anchorNode, selection.anchorOffset),
    placeIn(box, selection.focusNode, selection.focusOffset),
  ];
  const range = { start: Math.min(...ends), end: Math.max(...ends) };
  const touched = words.tokensIn(range);
  if (!touched.length) return null;
  return touched.length === 1 && touched[0].word
    ? { start: Math.max(range.start, touched[0].start), end: Math.min(range.end, touched[0].end) }
    : { start: touched[0].start, end: touched.at(-1).end };
}

// How many characters of the text stand before this point of the document.
function placeIn(box, node, offset) {
  const before = document.createRange();
  before.setStart(box, 0);
  before.setEnd(node, offset);
  return Array.from(before.toString()).length;
}

export function option(range, words, name = "letter") {
  const element = document.createElement("span");
  element.id = `${name}-${range.start}`;
  element.dataset.start = range.start;
  element.setAttribute("role", "option");
  element.setAttribute("aria-selected", "false");
  element.textContent = words.text(range);
  return element;
}
