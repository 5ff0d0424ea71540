// Draws the sentences of an abstract from what is decided. Only the current one has an editor, so a long abstract stays
// light; the others show what was decided.
import { current, decisionOf, isDecided, numbers, status, writesTargets } from "./state.js";

export let root = null;

export function drawIn(element) { root = element; }

export const row = (number) => root.querySelector(`[data-sentence="${number}"]`);
export const earlierOf = (number) => JSON.parse(root.dataset.earlier)[number];

const words = (name, values) => root.dataset[`words${name[0].toUpperCase()}${name.slice(1)}`]
  .replace(/\{(\w+)\}/g, (_, key) => values[key]);
const copyOf = (template) => root.querySelector(template).content.cloneNode(true);

export function drawProgress() {
  const done = numbers().filter(isDecided).length;
  root.querySelector("[data-decided]").textContent = words("progress", { done, total: numbers().length });
  root.querySelector("[data-decided-bar]").value = done;
  root.querySelector("[data-running]").replaceChildren(...numbers().flatMap(runningText));
}

// What the sentence adds to the adapted text so far.
function runningText(number) {
  const { operation, targets } = decisionOf(number);
  if (operation === "dropped") return [];
  if (operation) return [`${targets.map((target) => target.trim()).filter(Boolean).join(" ")} `];
  const gap = document.createElement("span");
  gap.className = "adapt-gap";
  gap.textContent = `[${words("gap", { number })}]`;
  return [gap, " "];
}

export function drawStatus(number) {
  const name = status(number) || "undecided";
  row(number).querySelector("[data-told]").textContent = words(name, {});
  row(number).dataset.standing = isDecided(number) ? name : "open";
}

// A reason is stored as it was written, and read in the language of the page.
function shownReason(reason) {
  const buttons = [...document.querySelectorAll("[data-adapt] template")]
    .flatMap(({ content }) => [...content.querySelectorAll("[data-reason]")]);
  const button = buttons.find(({ dataset }) => dataset.reason === reason);
  return button?.querySelector("[data-reason-shown]").textContent ?? reason;
}

function outcome(number) {
  const { operation, targets, reason } = decisionOf(number);
  const texts = operation === "dropped" ? [shownReason(reason)] : operation === "kept" ? [] : targets;
  return texts.filter(Boolean).map((text) => {
    const paragraph = document.createElement("p");
    paragraph.className = operation === "dropped" ? "adapt-dropped" : "text adapt-outcome";
    paragraph.dir = "auto";
    paragraph.lang = operation === "dropped" ? "" : row(number).querySelector("[data-diff-source]").lang;
    paragraph.textContent = text;
    return paragraph;
  });
}

function targetEditor(number, text, place) {
  const element = copyOf("template[data-target]").firstElementChild;
  const textarea = element.querySelector("textarea");
  textarea.value = text;
  textarea.setAttribute("aria-label", words("target", { number, place: place + 1 }));
  textarea.setAttribute("aria-describedby", `adapt-text-${number}`);
  const { targets } = decisionOf(number);
  element.querySelector("[data-target-acts]").hidden = targets.length < 2;
  element.querySelector("[data-up]").disabled = place === 0;
  element.querySelector("[data-down]").disabled = place === targets.length - 1;
  return element;
}

function editor(number) {
  const { operation, targets, reason } = decisionOf(number);
  const element = copyOf("template[data-editor]");
  for (const button of element.querySelectorAll("[data-operation]")) {
    button.setAttribute("aria-pressed", button.dataset.operation === operation);
  }
  if (writesTargets(number)) {
    element.querySelector("[data-targets]").append(...targets.map((text, place) => targetEditor(number, text, place)));
  }
  element.querySelector("[data-add]").hidden = !writesTargets(number);
  fillReason(element, operation, reason);
  fillEarlier(element, earlierOf(number));
  return element;
}

function fillReason(element, operation, reason) {
  element.querySelector("[data-why]").hidden = operation !== "dropped";
  for (const button of element.querySelectorAll("[data-reason]")) {
    button.setAttribute("aria-pressed", button.dataset.reason === reason);
  }
  const input = element.querySelector("[data-reason-text]");
  if (input) input.value = reason;
}

function fillEarlier(element, earlier) {
  if (!earlier) return;
  element.querySelector("[data-before]").hidden = false;
  element.querySelector("[data-before-operation]").textContent = words(earlier.operation, {});
  element.querySelector("[data-before-text]").textContent = earlier.targets.join(" ") || shownReason(earlier.reason);
}

// Has the changes from the source shown (diff.js), where the editor is open.
export function compare(number) {
  const hidden = row(number).querySelector("[data-diff]");
  if (!hidden) return;
  hidden.value = writesTargets(number) ? decisionOf(number).targets.join(" ") : "";
  hidden.dispatchEvent(new CustomEvent("restyle:compare", { bubbles: true }));
}

export function draw(number) {
  row(number).toggleAttribute("data-current", number === current);
  row(number).querySelector("[data-body]").replaceChildren(...(number === current ? [editor(number)] : outcome(number)));
  drawStatus(number);
  compare(number);
}
