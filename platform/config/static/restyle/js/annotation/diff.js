// What the rewrite in [data-diff] changed of the source, word by word, as <ins> and <del>. Where a form has several, each
// stands in its own [data-diff-scope], and fires "restyle:compare" when a script changed it. A source whose element
// shows more than its text keeps the text in the attribute.
const LONGEST = 1500; // words; beyond it the table would be slow to fill while typing
const words = (text) => text.match(/\s+|[\p{L}\p{N}_'’]+|[^\s\p{L}\p{N}_]/gu) ?? [];

function table(before, after) {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      rows[i][j] = before[i] === after[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
    }
  }
  return rows;
}

function pieces(before, after) {
  const rows = table(before, after);
  const found = [];
  const add = (kind, word) => {
    if (found.at(-1)?.kind === kind) found.at(-1).text += word;
    else found.push({ kind, text: word });
  };
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) { add("same", before[i]); i++; j++; }
    else if (j === after.length || (i < before.length && rows[i + 1][j] >= rows[i][j + 1])) add("del", before[i++]);
    else add("ins", after[j++]);
  }
  return found;
}

function node({ kind, text }) {
  if (kind === "same") return document.createTextNode(text);
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

function show(field) {
  const work = field.closest("[data-diff-scope], form");
  const box = work.querySelector("[data-diff-box]");
  const marked = work.querySelector("[data-diff-source]");
  const source = marked.dataset.diffSource || marked.textContent;
  const unchanged = work.querySelector("[data-unchanged]");
  const text = field.value.trim();
  const same = text === source.trim();
  if (unchanged) unchanged.toggleAttribute("data-quiet", !same && !unchanged.querySelector("input").checked);
  const before = words(source);
  const after = words(text);
  box.hidden = !text || same || before.length > LONGEST || after.length > LONGEST;
  if (!box.hidden) box.querySelector("[data-diff-shown]").replaceChildren(...pieces(before, after).map(node));
}

const showAll = (within) => within.querySelectorAll("[data-diff]").forEach(show);
document.addEventListener("input", (event) => { if (event.target.matches("[data-diff]")) show(event.target); });
document.addEventListener("restyle:compare", ({ target }) => {
  if (target === document) showAll(document); // a script that drew the form anew
  else if (target.matches("[data-diff]")) show(target);
});
document.addEventListener("restyle:restored", () => showAll(document));
document.addEventListener("htmx:afterSettle", () => showAll(document));
showAll(document);
