// One text and one criterion at a time: an answer leads on to the next step that has none. A phone begins so with
// ratings; a person's own choice is kept in the browser, for each kind of work. Steps that belong to a stage which is
// not open yet cannot be gone to. Whoever chooses with the arrow keys or Space is not led on, since each arrow chooses.
const NARROW = matchMedia("(max-width: 40rem)");
const BROWSING = new Set([" ", "Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
const ANSWER = ":checked:not([data-proposed]), [data-answered]";
let browsing = false; // whether the newest input was a key that only looks through the choices
const known = new WeakMap(); // what was chosen of a step when it was last looked at

const rootOf = () => document.querySelector("[data-judging]");
const textOf = (step) => step.closest("[data-text]");
const answered = (step) => step.querySelector(ANSWER) !== null;
const chosen = (step) => step.querySelector(":checked")?.value;
const locked = (step) => step.closest("[data-locked]") !== null;

function stepsOf(root) {
  const scales = [...root.querySelectorAll("[data-text] fieldset.scale")];
  return scales.length ? scales : [...root.querySelectorAll("[data-text]")];
}

const memory = (root) => `restyle-one-text-${root.dataset.judging}`;
function wanted(root) {
  let kept = null;
  try { kept = localStorage.getItem(memory(root)); } catch { /* as the screen says */ }
  return kept ? kept === "on" : NARROW.matches && root.dataset.judging === "rate";
}

const nameOf = (step) => step.querySelector("legend")?.firstChild?.textContent.trim() ?? "";
function titleOf(step) {
  if (step.ariaLabel) return step.ariaLabel;
  const heading = textOf(step).querySelector("h2").textContent;
  return [heading, nameOf(step)].map((part) => part.replace(/\s+/g, " ").trim()).filter(Boolean).join(", ");
}

function drawCriteria(root, step) {
  const box = root.querySelector("[data-criteria]");
  const place = textOf(step).dataset.text;
  const own = stepsOf(root).filter((each) => textOf(each).dataset.text === place);
  box.replaceChildren(...(own.length < 2 ? [] : own.map((each) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "judging-criterion";
    button.textContent = nameOf(each);
    button.disabled = locked(each);
    button.toggleAttribute("data-done", answered(each));
    if (each === step) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => goTo(root, each, true));
    return button;
  })));
}

function drawBar(root) {
  const step = root.querySelector("[data-at='step']");
  root.querySelector("[data-one-text]")?.setAttribute("aria-pressed", String(root.hasAttribute("data-one")));
  for (const part of root.querySelectorAll("[data-only-one]")) part.hidden = !root.hasAttribute("data-one");
  if (!step) return;
  const steps = stepsOf(root);
  for (const button of root.querySelectorAll("[data-go-to]")) {
    const own = steps.filter((each) => textOf(each).dataset.text === button.dataset.goTo);
    button.toggleAttribute("data-done", own.every(answered));
    if (textOf(step).dataset.text === button.dataset.goTo) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  drawCriteria(root, step);
}

function goTo(root, step, withFocus) {
  for (const each of root.querySelectorAll("[data-at]")) each.removeAttribute("data-at");
  const text = textOf(step);
  for (const [element, name] of [[text.closest(".stage"), "stage"], [text, "text"], [step, "step"]]) {
    element?.setAttribute("data-at", name);
  }
  if (text.closest("details.stage")) text.closest("details.stage").open = true;
  for (const each of stepsOf(root)) known.set(each, chosen(each));
  drawBar(root);
  if (!withFocus) return;
  const field = step.querySelector(":checked") ?? step.querySelector("input");
  field?.focus({ preventScroll: true });
  if (root.getBoundingClientRect().top < 0) root.scrollIntoView({ block: "start" });
  document.dispatchEvent(new CustomEvent("restyle:say", { detail: titleOf(step) }));
}

function goOn(root, step) {
  const steps = stepsOf(root).filter((each) => !locked(each) && each !== step && !answered(each));
  const next = steps.find((each) => step.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) ?? steps[0];
  if (next) goTo(root, next, true);
  else drawBar(root);
}

// The first step without an answer, else the first; the step that an error names before both.
export function showSteps(root) {
  const steps = stepsOf(root);
  if (!steps.length) return;
  root.toggleAttribute("data-one", wanted(root));
  const wrong = steps.find((step) => step.matches("[aria-invalid]") || step.querySelector(".wrong"));
  goTo(root, wrong ?? steps.find((step) => !answered(step) && !locked(step)) ?? steps[0], false);
}

function turn(root) {
  const on = !root.hasAttribute("data-one");
  try { localStorage.setItem(memory(root), on ? "on" : "off"); } catch { /* holds for this item */ }
  root.toggleAttribute("data-one", on);
  drawBar(root);
}

addEventListener("pointerdown", () => { browsing = false; }, true);
addEventListener("keydown", ({ key }) => { browsing = BROWSING.has(key); }, true);

function onAnswer({ target }) {
  const root = rootOf();
  const step = root?.contains(target) && target.closest("fieldset.scale");
  if (!step) return;
  known.set(step, chosen(step));
  if (root.hasAttribute("data-one") && !browsing && target.matches("[type=radio]") && answered(step)) goOn(root, step);
  else drawBar(root);
}

document.addEventListener("change", onAnswer);
document.addEventListener("restyle:answered", (event) => {
  const root = rootOf();
  const step = root?.hasAttribute("data-one") && event.target.closest("fieldset.scale");
  if (step) goOn(root, step);
});
document.addEventListener("restyle:restored", () => { const root = rootOf(); if (root) showSteps(root); });
document.addEventListener("click", (event) => {
  const root = rootOf();
  if (!root?.contains(event.target)) return;
  const button = event.target.closest("[data-go-to]");
  if (event.target.closest("[data-one-text]")) turn(root);
  else if (button) {
    const own = stepsOf(root).filter((each) => textOf(each).dataset.text === button.dataset.goTo && !locked(each));
    if (own.length) goTo(root, own.find((each) => !answered(each)) ?? own[0], true);
  } else if (root.hasAttribute("data-one") && event.target.matches("[type=radio]")) {
    const step = event.target.closest("fieldset.scale"); // the same answer once more: it is meant, and leads on
    if (step && !browsing && known.get(step) === event.target.value) goOn(root, step);
  }
});
