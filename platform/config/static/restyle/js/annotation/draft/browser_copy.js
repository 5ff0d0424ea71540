// What this browser keeps of a draft while the server does not take it, by item and by page: two pages of one item do
// not write over each other. The page's name (WRITER) outlives a reload. Where storage is full or private, nothing is
// kept.
import { typedFields } from "./form.js";

const PREFIX = "restyle-draft-";
const WEEK = 7 * 24 * 3600 * 1000; // milliseconds

// What this tab remembers under a name; at first what `make` gives.
function remembered(name, make) {
  try {
    const value = sessionStorage.getItem(name) ?? make();
    sessionStorage.setItem(name, value);
    return value;
  } catch { return make(); } // private: each page is a writer of its own
}
const randomName = () => [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(16)).join("");

export const WRITER = remembered("restyle-writer", randomName);

const prefixOf = (form) => `${PREFIX}${form.dataset.place} `;
const nameOf = (form) => prefixOf(form) + WRITER;

// True where it can be read back: what is full or private keeps nothing, or something older.
export function keepCopy(form) {
  const copy = JSON.stringify({ typed: typedFields(form), at: Date.now(), seen: form.elements.seen.value });
  try {
    localStorage.setItem(nameOf(form), copy);
    return localStorage.getItem(nameOf(form)) === copy;
  } catch { return false; }
}

export function forgetCopy(form) {
  try {
    localStorage.removeItem(nameOf(form));
    if (form.dataset.from) localStorage.removeItem(form.dataset.from);
  } catch { /* private */ }
}

// What this page kept, else what another one did that is gone by now: [its name, what it holds].
export function findCopy(form) {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefixOf(form)));
    const copies = names.map((name) => [name, JSON.parse(localStorage.getItem(name))]);
    return copies.find(([name]) => name === nameOf(form)) ?? copies.sort(([, first], [, second]) => second.at - first.at)[0];
  } catch { return undefined; /* private, or not ours */ }
}

// Copies of items that were handed in long ago from another page are of no use to anybody.
export function removeOldCopies() {
  try {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
      if (Date.now() - JSON.parse(localStorage.getItem(key)).at > WEEK) localStorage.removeItem(key);
    }
  } catch { /* private */ }
}

// Counts on over a reload: what was on its way then may still arrive, and must not be the newer one.
export function nextVersion(form) {
  const name = `restyle-version-${form.dataset.place}`;
  const { version: last } = form.dataset;
  const version = 1 + Math.max(Number(last), Number(form.elements.seen.value), Number(remembered(name, () => 0)));
  form.dataset.version = version;
  try { sessionStorage.setItem(name, version); } catch { /* private */ }
  return version;
}
