// Submitting at once, where the campaign [data-at-once] or the person says so: with the answer that completes an item of
// choices [data-quick=choice], or with Enter in the one line of a rewrite [data-quick=line], which else does nothing.
// Never where criteria are open, be they optional, and never after a choice [data-goes-on]. A group [data-asked-with]
// is asked only with that choice. Whoever only changes what was complete hands nothing in, nor does an arrow key, which
// chooses each step that it passes.
const NAME = "restyle-at-once";
const work = () => document.querySelector("form[data-work][data-at-once]");
const recall = (quick) => { try { return localStorage.getItem(`${NAME}-${quick}`); } catch { return null; } };
const isOn = (form) => (recall(form.dataset.quick) ?? form.dataset.atOnce) === "on";
const hasChecked = (form, value) => form.querySelector(`[value="${CSS.escape(value)}"]:checked`) !== null;
let wasComplete = false;
let passing = false; // whether the newest input was an arrow key

const isAsked = (form, scope) => !scope.closest("[data-verify-editor]") &&
  (!scope.dataset.askedWith || hasChecked(form, scope.dataset.askedWith));
const isAnswered = (form, scope) => (scope.matches("input")
  ? form.querySelector(`[name="${CSS.escape(scope.name)}"]:checked`)
  : scope.querySelector(":checked:not([data-proposed]), [data-answered]"));

function isComplete(form) {
  const scopes = [...form.querySelectorAll("[data-key-scope]")].filter((scope) => isAsked(form, scope));
  return scopes.length > 0 && scopes.every((scope) => isAnswered(form, scope)) &&
    !form.querySelector("[data-goes-on]:checked, [data-stage][data-locked]");
}

const submit = (form) => form.requestSubmit(form.querySelector(".workbar .button.primary"));

// Once the other listeners of the change are done: they take answers back, and open stages.
function onChange({ target }) {
  const form = target.closest("form[data-work][data-at-once]");
  if (!form || !target.matches("[type=radio], [type=checkbox]") || target.closest("[data-at-once-choice]")) return;
  const isPassing = passing;
  setTimeout(() => {
    const before = wasComplete;
    wasComplete = isComplete(form);
    const isQuick = form.isConnected && form.dataset.quick === "choice" && isOn(form);
    if (isQuick && wasComplete && !before && !isPassing) submit(form);
  });
}

function onKey(event) {
  const form = event.target.closest?.("form[data-work]");
  if (!form || event.key !== "Enter" || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey || event.altKey || !event.target.matches("textarea[name=text]")) return;
  event.preventDefault(); // a rewrite is one line
  if (form.dataset.quick === "line" && isOn(form) && !event.shiftKey && !event.repeat) submit(form);
}

function begin() {
  const form = work();
  const choice = form?.querySelector("[data-at-once-choice]");
  if (!choice) return;
  wasComplete = isComplete(form);
  choice.hidden = false;
  choice.querySelector("input").checked = isOn(form);
}

function keep({ target }) {
  if (!target.closest("[data-at-once-choice]")) return;
  try { localStorage.setItem(`${NAME}-${work().dataset.quick}`, target.checked ? "on" : "off"); } catch { /* private */ }
}

addEventListener("pointerdown", () => { passing = false; }, true);
addEventListener("keydown", ({ key }) => { passing = key.startsWith("Arrow"); }, true);
document.addEventListener("change", onChange);
document.addEventListener("change", keep);
document.addEventListener("keydown", onKey);
document.addEventListener("restyle:restored", begin);
document.addEventListener("htmx:afterSettle", begin);
begin();
