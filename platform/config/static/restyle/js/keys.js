// Keys: an element with data-key="s" is activated by that key; ? lists them. Single keys never fire while someone types
// and can be switched off (WCAG 2.1.4). A key with a modifier, as "Ctrl+Enter", fires in text fields too.
// Groups that use the same keys carry data-key-scope: the focused one takes the key, else the first without an answer;
// then the focus moves on to the next unanswered one. A radio that is its own scope (its name says what it is about)
// belongs to the group of its name, wherever the others stand. What is answered otherwise has [data-answered]; it fires
// "restyle:answered" where the focus is to move on. Of buttons that share a key that of the form in focus is meant.
// A level below zero carries data-key="-3": the minus is typed first, as it is read, and holds for the key after it.
// What leaves unfinished work behind carries data-leaves: its key first fires "restyle:leaving" on it, which whoever
// holds such work cancels. A click is meant; a key may be a slip.
const help = document.getElementById("keys-help");
const toggle = document.getElementById("keys-on");
const stored = () => { try { return localStorage.getItem("restyle-keys") !== "off"; } catch { return true; } };
toggle.checked = stored();
toggle.addEventListener("change", () => {
  try { localStorage.setItem("restyle-keys", toggle.checked ? "on" : "off"); } catch { /* holds for this page */ }
});

const TYPED = "textarea, select, [contenteditable]:not([contenteditable=false]), " +
  "input:not([type=radio], [type=checkbox], [type=button], [type=submit], [type=range], [type=file])";

function named(event, key) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  if (parts.length && event.shiftKey) parts.push("Shift");
  return [...parts, key.length === 1 ? key.toLowerCase() : key].join("+");
}

// On layouts without Latin letters, or with digits behind Shift, the key is meant that has the letter or digit elsewhere.
const PLACE = /^(?:Digit|Numpad|Key)(.)$/;
function byPlace({ key, code, shiftKey }) {
  const [, place] = PLACE.exec(code) ?? [];
  const isOther = code.startsWith("Key") ? key.codePointAt(0) > 127 : !/^[a-z0-9]$/i.test(key) && !shiftKey;
  return place && key.length === 1 && isOther ? place : null;
}
const QUESTION = new Set(["?", "\u061f", "\u037e"]); // the Arabic and the Greek one

const NUMBER = /^-?\d$/;
const MINUS = new Set(["-", "\u2212"]);
let sign = "";
addEventListener("pointerdown", () => { sign = ""; }, true);

const declaredFor = (key) => declared().filter((each) => each.dataset.key.toLowerCase() === key.toLowerCase());

// What an input method takes to write a word is no key of ours; Safari says of the last one only that it is one of those.
window.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
}, true);

const usable = (element) => !element.disabled && element.checkVisibility() && !element.closest("[inert]");
const declared = () => [...document.querySelectorAll("[data-key]")].filter(usable);
const ANSWER = ":checked:not([data-proposed]), [data-answered]"; // what a page proposes is no answer yet
const group = (scope) => (scope.matches("input") ? document.getElementsByName(scope.name) : [scope]);
const answered = (scope) => [...group(scope)].some((each) => each.matches(ANSWER) || each.querySelector(ANSWER));
const within = (scope) => [...group(scope)].some((each) => each.contains(document.activeElement));

// A number that the scale in focus does not have is a slip, and no answer to another one.
function isOffTheScale(key) {
  const scope = document.activeElement?.closest("fieldset[data-key-scope]");
  return NUMBER.test(key) && scope && [...scope.querySelectorAll("[data-key]")].some((each) => NUMBER.test(each.dataset.key));
}

function choose(all) {
  const form = document.activeElement?.form;
  const own = form ? all.filter((element) => element.form === form) : [];
  const elements = own.length ? own : all;
  const scoped = elements.map((element) => [element, element.closest("[data-key-scope]")]);
  const focused = scoped.find(([, scope]) => scope && within(scope));
  if (!focused && isOffTheScale(all[0]?.dataset.key)) return undefined;
  const next = scoped.find(([, scope]) => scope && !answered(scope));
  return (focused ?? next ?? scoped[0])?.[0];
}

const stays = (element) => element.matches("[data-leaves]") &&
  !element.dispatchEvent(new CustomEvent("restyle:leaving", { bubbles: true, cancelable: true }));

function activate(element) {
  if (stays(element)) return;
  element.focus();
  if (!element.matches("textarea, input:not([type=radio], [type=checkbox]), select")) element.click();
  if (element.matches("[data-key-scope] input, input[data-key-scope]")) goOn(element.closest("[data-key-scope]"));
}

const squeezed = (text) => text.replace(/\s+/g, " ").trim();
const titleOf = (scope) => scope.ariaLabel ?? squeezed(scope.querySelector("legend")?.textContent ?? scope.dataset.keyScope);

function goOn(scope) {
  const rest = [...document.querySelectorAll("[data-key-scope]")]
    .filter((other) => other !== scope && other.checkVisibility() && !answered(other));
  const after = rest.find((other) => scope.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
  const next = after ?? rest[0];
  if (!next) return;
  (next.matches("input") ? next : next.querySelector(":checked") ?? next.querySelector("input")).focus();
  document.dispatchEvent(new CustomEvent("restyle:say", { detail: titleOf(next) }));
}
document.addEventListener("restyle:answered", (event) => goOn(event.target.closest("[data-key-scope]")));

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || document.querySelector("dialog[open]")) return;
  const key = named(event, event.key);
  const plain = !key.slice(0, -1).includes("+");
  if (plain && (!toggle.checked || event.target.closest(TYPED))) return;
  if (plain && QUESTION.has(key)) { event.preventDefault(); showHelp(); return; }
  if (plain && MINUS.has(key) && declared().some((each) => each.dataset.key.startsWith("-"))) {
    event.preventDefault();
    sign = "-";
    return;
  }
  const place = byPlace(event);
  const element = choose(declaredFor(sign + key)) ?? (place && choose(declaredFor(sign + named(event, place))));
  if (key !== "Shift") sign = "";
  if (!element) return;
  event.preventDefault();
  activate(element);
});

function described(element) {
  const label = (element.labels?.[0] ?? element).cloneNode(true);
  label.querySelectorAll("kbd").forEach((hint) => hint.remove());
  const text = element.dataset.keyLabel ?? element.getAttribute("aria-label") ?? label.textContent;
  return squeezed(text);
}

// One row a key; the groups that share keys are one row together: "1 ... 7  Formality, Fluency".
function rows() {
  const single = new Map([["?", document.getElementById("keys-title").textContent]]);
  const shared = { keys: new Set(), names: new Set() };
  for (const element of declared()) {
    const scope = element.closest("[data-key-scope]");
    if (scope) {
      shared.keys.add(element.dataset.key);
      shared.names.add(scope.dataset.keyScope || squeezed((scope.querySelector("legend") ?? scope).textContent));
    } else if (!single.has(element.dataset.key)) single.set(element.dataset.key, described(element));
  }
  const keys = [...shared.keys].sort((one, other) => one - other || one.localeCompare(other));
  const together = keys.length ? [[keys, [...shared.names].join(", ")]] : [];
  return [...together, ...[...single].map(([key, text]) => [[key], text])];
}

function make(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function showHelp() {
  const list = help.querySelector(".keys");
  list.replaceChildren();
  for (const [keys, text] of rows()) {
    const term = document.createElement("dt");
    keys.forEach((key) => term.append(make("kbd", key), " "));
    const detail = make("dd", text);
    detail.dir = "auto";
    list.append(term, detail);
  }
  help.showModal();
}
document.addEventListener("click", (event) => { if (event.target.closest("[data-keys-help]")) showHelp(); });
