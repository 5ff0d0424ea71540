// Saves what is typed: on the server as it is typed, and in this browser while the server cannot be reached.
// What the server says of a saved draft is handed on as "restyle:saved", with what was `sent`.
// A save carries a version that counts up, the version that this page has `seen`, and the page's name (`writer`, which a
// reload keeps). Where another page saved something newer the server refuses it and sends both versions, of which one is
// chosen; until then, and whenever the server does not take it, what is typed is kept here.
const PAUSE = 700; // milliseconds without a key
const AGAIN = 5000;
const PREFIX = "restyle-draft-";
const FIXED = new Set(["csrfmiddlewaretoken", "slot", "lease", "key", "seconds", "guideline", "seen", "writer", "revision", "before"]);
let timer = null;
let sending = null;

function remembered(name, make) {
  try {
    const there = sessionStorage.getItem(name) ?? make();
    sessionStorage.setItem(name, there);
    return there;
  } catch { return make(); } // private: each page is a writer of its own
}
const drawn = () => [...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(16)).join("");
const WRITER = remembered("restyle-writer", drawn);

const current = () => document.querySelector("form[data-draft]");
const place = (form) => PREFIX + form.dataset.place;
const own = (form) => `${place(form)} ${WRITER}`;
const typed = (form) => [...new FormData(form)].filter(([name]) => !FIXED.has(name));
const unsaved = (form) => timer !== null || ["saving", "offline", "stale", "newer"].includes(form.querySelector("[data-saved]").dataset.state);

function say(form, state) {
  const note = form.querySelector("[data-saved]");
  note.dataset.state = state;
  const words = { saving: "wordsSaving", saved: "wordsSaved", offline: "wordsOffline", stale: "wordsStale", newer: "wordsNewer" };
  if (note.textContent !== note.dataset[words[state]]) note.textContent = note.dataset[words[state]];
}

function keep(form) {
  const kept = { typed: typed(form), at: Date.now(), seen: form.elements.seen.value };
  try { localStorage.setItem(own(form), JSON.stringify(kept)); } catch { /* full or private */ }
}
function forget(form) {
  try {
    localStorage.removeItem(own(form));
    if (form.dataset.from) localStorage.removeItem(form.dataset.from);
  } catch { /* private */ }
}

function refused(form, signedOut) {
  if (!form.isConnected) return;
  keep(form);
  say(form, signedOut ? "stale" : "offline");
}

// Counts on over a reload: what was on its way then may still arrive, and must not be the newer one.
function nextVersion(form) {
  const name = `restyle-version-${form.dataset.place}`;
  const version = 1 + Math.max(Number(form.dataset.version), Number(form.elements.seen.value), Number(remembered(name, () => 0)));
  form.dataset.version = version;
  try { sessionStorage.setItem(name, version); } catch { /* private */ }
  return version;
}

async function save(form) {
  timer = null;
  if (!form.isConnected) return;
  if (form.querySelector("[data-keep-mine]")) { keep(form); say(form, "newer"); return; }
  if (sending) { later(form, PAUSE); return; }
  const body = new FormData(form);
  const version = nextVersion(form);
  body.set("version", version);
  say(form, "saving");
  try {
    sending = fetch(form.dataset.draft, { method: "POST", body, credentials: "same-origin" });
    const answer = await sending;
    if (answer.status === 409) ask(form, await answer.json());
    else if (answer.status >= 500) throw new Error("the server is in trouble");
    else if (!answer.ok || answer.redirected) refused(form, answer.redirected || answer.status === 403);
    else {
      const said = await answer.json();
      form.elements.seen.value = version;
      if (timer === null) forget(form);
      say(form, "saved");
      const detail = { ...said, sent: Object.fromEntries(body) };
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

// Another page saved a newer one: both are shown, and one is chosen.
function ask(form, { panel }) {
  if (!form.isConnected) return;
  keep(form);
  say(form, "newer");
  form.querySelector("[data-versions]").innerHTML = panel;
}

function chosen(event) {
  const form = event.target.closest("form[data-draft]");
  const version = event.target.dataset.keepMine;
  if (!form) return;
  if (version) {
    form.elements.seen.value = version;
    form.querySelector("[data-versions]").replaceChildren();
    save(form);
  } else if (event.target.matches("[data-take-other]")) {
    clearTimeout(timer);
    timer = null;
    forget(form);
    say(form, "saved");
    if (form.dataset.afresh) htmx.ajax("GET", form.dataset.afresh, { source: form, target: "#work", swap: "outerHTML" });
    else location.reload();
  }
}

function later(form, pause) {
  clearTimeout(timer);
  timer = setTimeout(() => save(form), pause);
}

// What this page kept, else what another one did that is gone by now: [its name, what it holds].
function found(form) {
  try {
    const names = Object.keys(localStorage).filter((name) => name === own(form) || name.startsWith(`${place(form)} `));
    const all = names.map((name) => [name, JSON.parse(localStorage.getItem(name))]);
    return all.find(([name]) => name === own(form)) ?? all.sort(([, one], [, other]) => other.at - one.at)[0];
  } catch { return undefined; /* private, or not ours */ }
}

function restore() {
  const form = current();
  if (!form) return;
  form.elements.writer.value = WRITER;
  const [name, kept] = found(form) ?? [];
  if (!kept) return;
  form.dataset.from = name;
  form.elements.seen.value = kept.seen;
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
document.addEventListener("click", chosen);
addEventListener("online", () => { const form = current(); if (form) later(form, 0); });
addEventListener("pagehide", () => { const form = current(); if (form && unsaved(form)) keep(form); });
document.addEventListener("htmx:beforeSwap", (event) => {
  const form = current();
  if (!form || event.target.id !== "work" || !event.detail.shouldSwap) return;
  const aside = event.detail.requestConfig.elt.matches("[data-aside]"); // what is typed stays behind, and waits
  if (aside && unsaved(form)) keep(form);
  clearTimeout(timer);
  timer = null;
  if (event.detail.xhr.status < 300 && !aside) forget(form);
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
  if (form) { keep(form); say(form, "offline"); later(form, AGAIN); }
});
document.addEventListener("htmx:afterSettle", restore);
tidy();
restore();
