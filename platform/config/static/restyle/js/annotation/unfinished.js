// Whether somebody has begun something in a form [data-unfinished]: a key that leaves the item then does nothing but say
// so in the attribute's words. The server says [data-begun] where a draft differs from empty; else the form is held
// against what it was when it came, or when the server last said that it was empty. A report that was begun is not
// overtaken by another act of the page either. Of [data-guarded] no draft is kept.
import { NOT_TYPED } from "./draft/form.js";

const FIXED = new Set([...NOT_TYPED, "unfolded"]);
const empty = new WeakMap();

const forms = () => [...document.querySelectorAll("form[data-unfinished]")];
const told = (entries) => JSON.stringify(entries.filter(([name, value]) => !FIXED.has(name) && value !== ""));
const said = (form) => told([...new FormData(form)]);
const begun = (form) => form.hasAttribute("data-begun") || said(form) !== empty.get(form);
const toast = (words) => document.dispatchEvent(new CustomEvent("restyle:toast", { detail: words }));
const begin = () => { for (const form of forms()) if (!empty.has(form)) empty.set(form, said(form)); };

document.addEventListener("restyle:leaving", (event) => {
  const form = forms().find(begun);
  if (!form) return;
  event.preventDefault();
  toast(form.dataset.unfinished);
});

document.addEventListener("htmx:confirm", (event) => {
  const report = document.querySelector("form[data-report]");
  if (!report || event.target === report || !event.target.closest("#work") || !begun(report)) return;
  event.preventDefault();
  document.querySelector("details.report").open = true;
  document.getElementById("comment").focus();
  toast(report.dataset.unfinished);
});

document.addEventListener("restyle:saved", ({ detail: { begun: is, sent } }) => {
  const form = document.querySelector("form[data-draft]");
  if (!form || is !== false) return;
  form.removeAttribute("data-begun");
  empty.set(form, told(Object.entries(sent).filter(([name]) => name !== "version")));
});
document.addEventListener("reset", ({ target }) => {
  if (!target.matches("form[data-report]")) return;
  target.removeAttribute("data-begun");
  for (const field of target.elements) if (field.type === "radio") field.defaultChecked = false;
  target.elements.comment.defaultValue = "";
  empty.set(target, told([])); // as it is about to be
});
// Where no draft is kept the browser asks before what was begun is left.
let sent = false;
document.addEventListener("submit", (event) => { sent ||= event.target.matches("form[data-guarded]"); });
addEventListener("beforeunload", (event) => {
  if (!sent && forms().some((form) => form.matches("[data-guarded]") && begun(form))) event.preventDefault();
});
document.addEventListener("htmx:afterSettle", begin);
begin(); // before a kept draft is put back into the form
