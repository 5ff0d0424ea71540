// Saves what is typed: on the server as it is typed, and in this browser while the server cannot be reached.
// What the server says of a saved draft is handed on as "restyle:saved", with what was `sent`.
// A save carries a version that counts up; the server refuses an older one, so two tabs cannot mix. What was typed is
// kept here too when the server does not take it: somebody was signed out, or the item went to somebody else.
const PAUSE = 700; // milliseconds without a key
const AGAIN = 5000;
const PREFIX = "restyle-draft-";
let timer = null;
let sending = null;

const current = () => document.querySelector("form[data-draft]");
const place = (form) => PREFIX + form.dataset.place;
const FIXED = new Set(["csrfmiddlewaretoken", "slot", "lease", "key", "seconds", "guideline", "kind", "comment"]);
const typed = (form) => [...new FormData(form)].filter(([name]) => !FIXED.has(name));

function say(form, state) {
  const note = form.querySelector("[data-saved]");
  note.dataset.state = state;
  const words = { saving: "wordsSaving", saved: "wordsSaved", offline: "wordsOffline", stale: "wordsStale", newer: "wordsNewer" };
  if (note.textContent !== note.dataset[words[state]]) note.textContent = note.dataset[words[state]];
}

function keep(form) {
  try { localStorage.setItem(place(form), JSON.stringify({ typed: typed(form), at: Date.now() })); } catch { /* full or private */ }
}
function forget(form) {
  try { localStorage.removeItem(place(form)); } catch { /* private */ }
}

function refused(form, signedOut) {
  if (!form.isConnected) return;
  keep(form);
  say(form, signedOut ? "stale" : "offline");
}

async function save(form) {
  timer = null;
  if (!form.isConnected) return;
  if (sending) { later(form, PAUSE); return; }
  const body = new FormData(form);
  const version = Number(form.dataset.version) + 1;
  body.set("version", version);
  form.dataset.version = version;
  say(form, "saving");
  try {
    sending = fetch(form.dataset.draft, { method: "POST", body, credentials: "same-origin" });
    const answer = await sending;
    if (answer.status === 409) { form.dataset.version = version - 1; say(form, "newer"); } // it must not catch up
    else if (answer.status >= 500) throw new Error("the server is in trouble");
    else if (!answer.ok || answer.redirected) refused(form, answer.redirected || answer.status === 403);
    else {
      forget(form);
      say(form, "saved");
      const detail = { ...(await answer.json()), sent: Object.fromEntries(body) };
      if (form.isConnected) document.dispatchEvent(new CustomEvent("restyle:saved", { detail }));
    }
  } catch {
    if (!form.isConnected) return;
    keep(form);
    say(form, "offline");
    later(form, AGAIN);
  } finally {
    sending = null;
  }
}

function later(form, pause) {
  clearTimeout(timer);
  timer = setTimeout(() => save(form), pause);
}

function restore() {
  const form = current();
  if (!form) return;
  let kept = null;
  try { kept = JSON.parse(localStorage.getItem(place(form))); } catch { /* private, or not ours */ }
  if (!kept) return;
  for (const [name, value] of kept.typed) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "radio") field.checked = field.value === value;
      else if (field.type === "checkbox") field.checked = true;
      else field.value = value;
    }
  }
  document.dispatchEvent(new CustomEvent("restyle:restored"));
  save(form);
}

// Copies of items that were handed in long ago from another page are of no use to anybody.
function tidy() {
  const week = 7 * 24 * 3600 * 1000;
  try {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
      if (Date.now() - JSON.parse(localStorage.getItem(key)).at > week) localStorage.removeItem(key);
    }
  } catch { /* private */ }
}

function changed(event) {
  const form = event.target.closest("form[data-draft]");
  if (!form || FIXED.has(event.target.name)) return;
  later(form, PAUSE);
}
document.addEventListener("input", changed);
addEventListener("online", () => { const form = current(); if (form) later(form, 0); });
addEventListener("pagehide", () => {
  const form = current();
  if (form && (timer || ["saving", "offline", "stale"].includes(form.querySelector("[data-saved]").dataset.state))) keep(form);
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const form = current();
  if (!form || event.target.id !== "work" || !event.detail.shouldSwap) return;
  clearTimeout(timer);
  timer = null;
  if (event.detail.xhr.status < 300) forget(form);
});
// Signed out: htmx leads to the sign-in page next, and from there back here.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const form = event.target.closest("form[data-draft]");
  if (form && event.detail.xhr.status === 401) refused(form, true);
});
document.addEventListener("htmx:responseError", (event) => {
  const form = event.target.closest("form[data-draft]");
  if (form) refused(form, event.detail.xhr.status === 403);
});
document.addEventListener("htmx:sendError", (event) => {
  const form = event.target.closest("form[data-draft]");
  if (form) { keep(form); say(form, "offline"); }
});
document.addEventListener("htmx:afterSettle", restore);
tidy();
restore();
