// Sends drafts to the server, one at a time. A save carries a version that counts up, the version that this page has
// `seen`, and the page's name (`writer`). Where another page saved something newer the server refuses it and sends both
// versions; until one is chosen, and whenever the server does not take it, what is typed is kept in this browser.
import { csrfHeader, isOurs } from "../../server.js";
import { forgetCopy, keepCopy, nextVersion } from "./browser_copy.js";
import { asksForChoice, hasUnsavedStatus, showStatus } from "./form.js";

export const PAUSE = 700; // milliseconds without a key
const RETRY_PAUSE = 5000;
const LEAVING = 5000; // after which somebody who was about to leave has stayed
let timer = null;
let sending = null;
let isLeaving = false;

export const isUnsaved = (form) => timer !== null || hasUnsavedStatus(form);

export function cancelSave() {
  clearTimeout(timer);
  timer = null;
}

export function saveLater(form, pause) {
  clearTimeout(timer);
  timer = setTimeout(() => save(form), pause);
}

export async function save(form) {
  timer = null;
  if (!form.isConnected) return;
  if (asksForChoice(form)) { keepAs(form, "newer"); return; }
  if (sending) { saveLater(form, PAUSE); return; }
  const body = new FormData(form);
  body.set("version", nextVersion(form));
  showStatus(form, "saving");
  try {
    sending = fetch(form.dataset.draft, { method: "POST", body, headers: csrfHeader(), credentials: "same-origin" });
    await readAnswer(form, body, await sending);
  } catch {
    if (form.isConnected) keepAndRetry(form);
  } finally {
    sending = null;
  }
}

async function readAnswer(form, body, answer) {
  if (!isOurs(answer)) throw new Error("somebody else answered");
  if (answer.status === 409) showVersions(form, await answer.json());
  else if (answer.status >= 500) throw new Error("the server is in trouble");
  else if (!answer.ok || answer.redirected) keepRefused(form, answer.redirected || answer.status === 403);
  else confirmSaved(form, body, await answer.json());
}

// Hands on what the server says of the draft as "restyle:saved", with what was `sent`.
function confirmSaved(form, body, feedback) {
  form.elements.seen.value = body.get("version");
  if (isLeaving) keepCopy(form);
  else if (timer === null) forgetCopy(form);
  showStatus(form, "saved");
  const detail = { ...feedback, sent: Object.fromEntries(body) };
  if (form.isConnected) document.dispatchEvent(new CustomEvent("restyle:saved", { detail }));
}

// The next page was asked for, and may have been drawn before the draft on its way comes in: the copy stays for it.
export function keepToLeave(form) {
  isLeaving = true;
  keepCopy(form);
  setTimeout(() => { isLeaving = false; }, LEAVING);
}

function keepAs(form, status) {
  const isKept = keepCopy(form);
  showStatus(form, isKept || status === "newer" ? status : "lost");
}

export function keepAndRetry(form) {
  keepAs(form, "offline");
  saveLater(form, RETRY_PAUSE);
}

export function keepRefused(form, isSignedOut) {
  if (form.isConnected) keepAs(form, isSignedOut ? "stale" : "offline");
}

// Another page saved a newer one: both are shown, and one is chosen.
function showVersions(form, { panel }) {
  if (!form.isConnected) return;
  keepAs(form, "newer");
  form.querySelector("[data-versions]").innerHTML = panel;
}

// Of the two versions this page's stays: it is saved as if the other had been seen.
export function keepMine(form, version) {
  form.elements.seen.value = version;
  form.querySelector("[data-versions]").replaceChildren();
  save(form);
}

export function takeOther(form) {
  cancelSave();
  forgetCopy(form);
  showStatus(form, "saved");
  if (form.dataset.afresh) htmx.ajax("GET", form.dataset.afresh, { source: form, target: "#work", swap: "outerHTML" });
  else location.reload();
}
