// Why the server did not take an answer: its sentence [data-wrong] names a field, by the name or id of a field or by
// [data-field]. The sentence goes there, the page scrolls to it and the focus follows; it goes away with the next change
// of that field. Where no field is found the sentence stays on top, with the focus on it.
const FIELDS = "input:not([type=hidden]), textarea, select, button, [tabindex='0']";
const shown = (element) => !element.disabled && element.checkVisibility();

// Of fields with one name, as radios have, the first that can be seen; of [data-field] the last, which is the closest.
function fieldOf(work, where) {
  const name = CSS.escape(where);
  const named = [...work.querySelectorAll(`:is([name="${name}"], [id="${name}"]):not([type=hidden])`)];
  return named.find(shown) ?? [...work.querySelectorAll(`[data-field="${name}"]`)].findLast(shown);
}

const placeOf = (field) => field.closest("[data-field], fieldset, .field, .addressed, article") ?? field;
const focusable = (field) => (field.matches(FIELDS) ? field : [...field.querySelectorAll(FIELDS)].find(shown));

function leaveWithChange(alert, place) {
  const leave = () => {
    alert.remove();
    for (const each of [place, ...place.querySelectorAll("[aria-invalid]")]) each.removeAttribute("aria-invalid");
  };
  for (const name of ["change", "input"]) place.addEventListener(name, leave, { once: true });
}

function goToWrong() {
  const work = document.getElementById("work");
  const alert = work?.querySelector("[data-wrong]");
  if (!alert?.dataset.wrong) return;
  const field = fieldOf(work, alert.dataset.wrong);
  if (!field) return;
  const place = placeOf(field);
  place.before(alert);
  const target = focusable(field);
  target?.setAttribute("aria-describedby", [target.getAttribute("aria-describedby"), alert.id].filter(Boolean).join(" "));
  target?.focus({ preventScroll: true });
  alert.scrollIntoView({ block: "center" });
  leaveWithChange(alert, place);
}

// What is refused does not scroll to the top, as the next item does.
document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
  if (target.id === "work" && detail.xhr.status === 422) detail.swapOverride = "outerHTML settle:0ms";
});
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "work") goToWrong(); });
goToWrong();
