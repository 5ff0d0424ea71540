// Undo and redo for work that one hidden field holds as JSON: [data-state]. Its editor writes the field and fires
// "input" on it, and draws anew from it at "restyle:restored", as it does for a draft. Changes that follow each other
// with the same data-step (a text being typed) are one step. In a text field Ctrl+Z stays the browser's own.
const TYPED = "textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=submit])";
let past = [];
let future = [];
let now = null;
let step = "";

const field = () => document.querySelector("input[data-state]");

function tell() {
  for (const button of document.querySelectorAll("[data-undo]")) button.disabled = past.length === 0;
  for (const button of document.querySelectorAll("[data-redo]")) button.disabled = future.length === 0;
}

function begin() {
  [past, future, now, step] = [[], [], field()?.value ?? null, ""];
  tell();
}

function noted(target) {
  if (target.value === now) return;
  const same = target.dataset.step && target.dataset.step === step;
  if (!same) past.push(now);
  [future, now, step] = [[], target.value, target.dataset.step ?? ""];
  tell();
}

function go(from, to) {
  const target = field();
  if (!target || !from.length) return;
  to.push(now);
  now = target.value = from.pop();
  step = "";
  document.dispatchEvent(new CustomEvent("restyle:restored"));
  target.dispatchEvent(new CustomEvent("input", { bubbles: true }));
  tell();
}

document.addEventListener("input", (event) => { if (event.target.matches("[data-state]")) noted(event.target); });
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-undo]")) go(past, future);
  if (event.target.closest("[data-redo]")) go(future, past);
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest(TYPED) || !field()) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) go(future, past);
  else go(past, future);
});
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "work") begin(); });
begin();
