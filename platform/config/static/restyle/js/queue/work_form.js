// The form of the item on the page: whether it can be handed in without the server's word, and another in its place.
import { NOT_TYPED } from "../annotation/draft/form.js";
import { PERSON } from "./store.js";

const FIXED = new Set([...NOT_TYPED, "unfolded"]);

export const currentForm = () => document.querySelector("#work form[data-ahead]");
export const typedIn = (form) => [...new FormData(form)].filter(([name, value]) => !FIXED.has(name) && value !== "");

const isAnswered = (scope) => (scope.matches("input")
  ? document.querySelector(`[name="${CSS.escape(scope.name)}"]:checked`)
  : scope.querySelector(":checked, [data-answered]"));

// What is asked only with a choice, as the reasons of a rejection are, is not missing without it.
const isAsked = (form, scope) => !scope.dataset.askedWith ||
  form.querySelector(`[value="${CSS.escape(scope.dataset.askedWith)}"]:checked`) !== null;

// What is visibly missing or too long is said by the server as ever, and does not wait in the queue to be refused.
export function isComplete(form) {
  const groups = [...form.querySelectorAll("[data-key-scope]:not([data-optional])")]
    .filter((scope) => isAsked(form, scope));
  const text = form.querySelector("textarea[name=text]");
  const isEmpty = text && !text.value.trim() && !form.elements.unchanged?.checked;
  return groups.every(isAnswered) && !isEmpty && !form.querySelector("[data-over]");
}

// The keys of what was handed in before from this form, be it known whether the server has it or not.
export const keysIn = (fields) => fields.filter(([name]) => name === "key" || name === "replaces").map(([, value]) => value);

// A reload forgets what is under way: this tab remembers the keys.
const HANDED = "restyle-handed-";
export function rememberKeys(slot, fields) {
  try {
    const keys = keysIn(fields).join(" ");
    if (slot && !recallKeys(slot).includes(keys)) sessionStorage.setItem(HANDED + slot, `${recallKeys(slot)} ${keys}`.trim());
  } catch { /* private */ }
}
export function recallKeys(slot) {
  try { return sessionStorage.getItem(HANDED + slot) ?? ""; } catch { return ""; }
}

// What was under way when this tab left its page: nobody saw what became of it, so it is sent again.
const LEFT = "restyle-left";
export function leaveBehind(record) {
  try { if (record) sessionStorage.setItem(LEFT, JSON.stringify([PERSON, record])); } catch { /* private */ }
}
export function takeLeft() {
  try {
    const [person, record] = JSON.parse(sessionStorage.getItem(LEFT)) ?? [];
    sessionStorage.removeItem(LEFT);
    return person === PERSON ? record : undefined;
  } catch { return undefined; }
}

const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// What is handed in next is another act, and takes the place of what those keys handed in.
export function beginAnew(form, keys) {
  const field = form.elements.replaces ?? form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name: "replaces" }));
  field.value = [...new Set(keys.join(" ").split(" "))].join(" ").trim();
  form.elements.key.value = random().replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-");
}

export function show(html) {
  htmx.swap("#work", html, { swapStyle: "outerHTML", settleDelay: 0, swapDelay: 0, show: "top", showTarget: "window" });
}

export function showNothingLeft() {
  show(document.getElementById("nothing-left").innerHTML);
}
