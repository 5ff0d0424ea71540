// The items that this page has ahead, as the server rendered them. They are in memory alone: no text of them is written
// to the disk. The leases are renewed while the page is looked at, and given back when it is left.
import { csrfToken, isOurs } from "../server.js";
import { headers } from "./sending.js";
import { kept } from "./store.js";
import { currentForm } from "./work_form.js";

let items = []; // {slot, html}
let shown = null; // the item on the page, as it came
let isMine = false; // this tab has the items of the campaign
let timer = null;
let asking = false;

export const isAhead = () => items.length > 0;
export const nextAhead = () => items.shift();
export const itemOnPage = () => shown;
export const putBack = () => { items.unshift(shown); };

function capture() {
  const form = currentForm();
  shown = form && { slot: form.elements.slot.value, html: form.closest("#work").outerHTML };
}

export async function leaseAhead() {
  const form = currentForm();
  if (!form || !isMine || asking || document.visibilityState !== "visible") return;
  clearTimeout(timer);
  asking = true;
  let pause = 30;
  const { value } = form.elements.slot;
  try {
    const body = new URLSearchParams({ guideline: form.elements.guideline.value });
    const answer = await fetch(form.dataset.ahead, { method: "POST", headers: headers(), body, redirect: "manual" });
    if (answer.ok && isOurs(answer)) {
      const told = await answer.json();
      const passed = new Set((await kept()).map(({ slot }) => slot)); // answered, and waiting to be sent
      const isOfThisItem = currentForm()?.elements.slot.value === value; // else the page went on meanwhile
      if (isOfThisItem) {
        items = told.items.filter(({ slot }) => slot !== value && !passed.has(slot));
        document.dispatchEvent(new CustomEvent("restyle:ahead", { detail: items.length }));
      }
      pause = isOfThisItem ? told.renew : 0;
    }
  } catch { /* no network: what is there stays */ } finally { asking = false; }
  clearTimeout(timer);
  timer = setTimeout(leaseAhead, pause * 1000);
}

export function giveBack() {
  const form = currentForm();
  if (!isMine || !items.length || !form) return;
  const body = new FormData();
  body.append("csrfmiddlewaretoken", csrfToken());
  for (const { slot } of items) body.append("slot", slot);
  navigator.sendBeacon(form.dataset.giveBack, body);
}

// Before other modules draw in it.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "work") return;
  capture();
  if (!shown) return;
  items = items.filter(({ slot }) => slot !== shown.slot);
  leaseAhead();
});
capture();
if (currentForm()) {
  // Held until the page is left; without locks there is no telling tabs apart, and nothing is leased ahead.
  navigator.locks?.request(`restyle-ahead ${currentForm().dataset.ahead}`, () => {
    isMine = true;
    leaseAhead();
    return new Promise(() => {});
  });
}
