// The form of the item on the page: whether it can be handed in without the server's word, and another in its place.
const FIXED = new Set([
  "csrfmiddlewaretoken", "slot", "lease", "key", "seconds", "guideline", "seen", "writer", "revision", "before",
]);

export const currentForm = () => document.querySelector("#work form[data-ahead]");
export const typedIn = (form) => [...new FormData(form)].filter(([name, value]) => !FIXED.has(name) && value !== "");

const isAnswered = (scope) => (scope.matches("input")
  ? document.querySelector(`[name="${CSS.escape(scope.name)}"]:checked`)
  : scope.querySelector(":checked, [data-answered]"));

// What is asked only with a choice, as the reasons of a rejection are, is not missing without it.
const isAsked = (form, scope) => !scope.dataset.askedWith ||
  form.querySelector(`[value="${CSS.escape(scope.dataset.askedWith)}"]:checked`) !== null;

// What is visibly missing is said by the server as ever, and does not wait in the queue to be refused.
export function isComplete(form) {
  const groups = [...form.querySelectorAll("[data-key-scope]:not([data-optional])")]
    .filter((scope) => isAsked(form, scope));
  const text = form.querySelector("textarea[name=text]");
  const isEmpty = text && !text.value.trim() && !form.elements.unchanged?.checked;
  return groups.every(isAnswered) && !isEmpty;
}

export function show(html) {
  htmx.swap("#work", html, { swapStyle: "outerHTML", settleDelay: 0, swapDelay: 0, show: "top", showTarget: "window" });
}

export function showNothingLeft() {
  show(document.getElementById("nothing-left").innerHTML);
}
