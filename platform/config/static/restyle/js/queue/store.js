// Answers that wait in this browser (IndexedDB), each with the keyed handle of the person who gave it: whoever else
// signs in here neither sees nor sends them. A record: {number, person, base, slot, fields, said, at, refused}.
const NAME = "restyle";
const ANSWERS = "answers";
const DRAFTS = "restyle-draft-"; // what the work page keeps of each item in localStorage
export const PERSON = document.body.dataset.person ?? "";

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(ANSWERS, { keyPath: "number", autoIncrement: true });
  return done(request);
}

async function within(mode, act) {
  const database = await opened();
  try {
    const transaction = database.transaction(ANSWERS, mode);
    const result = await done(act(transaction.objectStore(ANSWERS)));
    if (mode === "readwrite") {
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
    }
    return result;
  } finally { database.close(); }
}

// The person's own, the oldest first; none where the browser keeps nothing (private windows of some).
export async function kept() {
  if (!PERSON) return [];
  try {
    return (await within("readonly", (answers) => answers.getAll())).filter(({ person }) => person === PERSON);
  } catch { return []; }
}

export const waiting = async () => (await kept()).filter(({ refused }) => !refused);
export const add = (record) => within("readwrite", (answers) => answers.add({ ...record, person: PERSON, at: Date.now() }));
export const change = (record) => within("readwrite", (answers) => answers.put(record));

export async function remove({ number, slot }) {
  await within("readwrite", (answers) => answers.delete(number));
  forgetDrafts(slot);
}

export function forgetDrafts(slot) {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(`${DRAFTS}${slot} `)) localStorage.removeItem(name);
  } catch { /* private */ }
}

function forgetTyped() {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(DRAFTS)) localStorage.removeItem(name);
    sessionStorage.clear();
  } catch { /* private */ }
}

// What anybody left here, once they are signed out; and what a page that is left still writes of a draft.
export async function empty() {
  try { await within("readwrite", (answers) => answers.clear()); } catch { /* nothing is kept */ }
  forgetTyped();
  window.addEventListener("pagehide", forgetTyped);
}
