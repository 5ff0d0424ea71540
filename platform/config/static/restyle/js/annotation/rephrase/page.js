// Where things stand on the page of a sentence, and the hidden field that holds the state: {spans: [{start, end, full}],
// simplified, unchanged, final, ...}.
export let root = null;

export function findRoot() {
  root = document.querySelector("[data-rephrase]");
  return root;
}

export const query = (selector) => root.querySelector(selector);
export const queryAll = (selector) => root.querySelectorAll(selector);
export const field = () => query("[data-state]");
export const read = () => JSON.parse(field().value);

export const placeOf = (range) => `${range.start}-${range.end}`; // a mark's name in its row
export const inputOf = (span) => query(`[data-place="${placeOf(span)}"] input`);
export const spanOf = (row) => {
  const [start, end] = row.dataset.place.split("-").map(Number);
  return { start, end };
};

export const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
export const say = (words) => document.dispatchEvent(new CustomEvent("restyle:say", { detail: words }));
