// Saves what is typed: on the server as it is typed, and in this browser while the server cannot be reached. What each
// event on the page leads to.
import { WRITER, findCopy, forgetCopy, keepCopy, removeOldCopies } from "./draft/browser_copy.js";
import { currentForm, fillIn, formOf, isTyped, showStatus } from "./draft/form.js";
import {
  PAUSE, cancelSave, isUnsaved, keepAndRetry, keepMine, keepRefused, keepToLeave, save, saveLater, takeOther,
} from "./draft/saving.js";

function restore() {
  const form = currentForm();
  if (!form) return;
  form.elements.writer.value = WRITER;
  const [name, copy] = findCopy(form) ?? [];
  if (!copy) return;
  form.dataset.from = name;
  form.elements.seen.value = copy.seen;
  fillIn(form, copy.typed);
  document.dispatchEvent(new CustomEvent("restyle:restored"));
  save(form);
}

function onInput({ target }) {
  const form = formOf(target);
  if (form && isTyped(target)) saveLater(form, PAUSE);
}

function onClick({ target }) {
  const form = formOf(target);
  if (!form) return;
  if (target.dataset.keepMine) keepMine(form, target.dataset.keepMine);
  else if (target.matches("[data-take-other]")) takeOther(form);
}

function onSwap(event) {
  const form = currentForm();
  if (!form || event.target.id !== "work" || !event.detail.shouldSwap) return;
  const isAside = event.detail.requestConfig.elt.matches("[data-aside]"); // what is typed stays behind, and waits
  if (isAside && isUnsaved(form)) keepCopy(form);
  cancelSave();
  if (event.detail.xhr.status < 300 && !isAside) forgetCopy(form);
}

// Handed in, and the page goes elsewhere: what it leaves behind is no draft.
function forgetHandedIn(form) {
  cancelSave();
  forgetCopy(form);
  showStatus(form, "saved");
}

// Of a form that nobody typed in nothing is kept, where another act of its page was not taken.
const withForm = (act) => (event) => {
  const form = formOf(event.target);
  if (form && (event.target === form || isUnsaved(form))) act(form, event.detail.xhr);
};

// Another item takes the place of this one without the server's word; what is typed waits.
function setAside({ detail: form }) {
  cancelSave();
  keepCopy(form);
}

function onFillIn({ detail: fields }) {
  const form = currentForm();
  fillIn(form, fields);
  document.dispatchEvent(new CustomEvent("restyle:restored"));
  save(form);
}

document.addEventListener("restyle:set-aside", setAside);
document.addEventListener("restyle:fill-in", onFillIn);
document.addEventListener("restyle:save-now", () => { const form = currentForm(); if (form) saveLater(form, 0); });
document.addEventListener("input", onInput);
document.addEventListener("click", onClick);
// Not of a form that nobody typed in: its emptiness would be newer than the answer that another tab is about to send.
addEventListener("online", () => { const form = currentForm(); if (form && isUnsaved(form)) saveLater(form, 0); });
addEventListener("beforeunload", () => { const form = currentForm(); if (form && isUnsaved(form)) keepToLeave(form); });
addEventListener("pagehide", () => { const form = currentForm(); if (form && isUnsaved(form)) keepCopy(form); });
document.addEventListener("htmx:beforeSwap", onSwap);
// Signed out: htmx leads to the sign-in page next, and from there back here.
document.addEventListener("htmx:beforeOnLoad", withForm((form, xhr) => {
  if (xhr.status === 401) keepRefused(form, true);
  else if (xhr.status < 300 && xhr.getResponseHeader("HX-Redirect")) forgetHandedIn(form);
}));
document.addEventListener("htmx:responseError", withForm((form, xhr) => keepRefused(form, xhr.status === 403)));
document.addEventListener("htmx:sendError", withForm(keepAndRetry));
document.addEventListener("htmx:afterSettle", restore);
removeOldCopies();
restore();
