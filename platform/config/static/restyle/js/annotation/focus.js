// Puts the focus where the work goes on: the message of an error, the text field, else the first unanswered group.
const answered = (scope) => (scope.matches("input")
  ? document.querySelector(`[name="${CSS.escape(scope.name)}"]:checked`)
  : scope.querySelector(":checked, [data-answered]"));

// A thumb needs no frame around a choice that it has not made: a phone goes to the item itself.
const THUMB = matchMedia("(max-width: 40rem), (hover: none) and (pointer: coarse)");

function focusWork() {
  const work = document.getElementById("work");
  const marked = work?.querySelector("[data-focus]");
  const scope = [...(work?.querySelectorAll("[data-key-scope]") ?? [])].find((each) => !answered(each));
  const field = marked ?? (scope?.matches("input") ? scope : scope?.querySelector("input"));
  if (THUMB.matches && field?.matches("[type=radio], [type=checkbox]")) {
    work.tabIndex = -1;
    work.focus({ preventScroll: true });
    return;
  }
  // A field is written into beside what stands above it: the page stays where that is seen.
  field?.focus({ preventScroll: field !== marked || field.matches("textarea:not([aria-invalid])") });
  if (field?.matches("textarea")) field.setSelectionRange(field.value.length, field.value.length);
}

document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "work") focusWork(); });
focusWork();
