// A part that asks for itself waits while its columns are chosen, and while something is ticked or typed in a form of it:
// the new copy would not have it. What was under way by then is left out.
const TYPED = "form :is(input, textarea)";
const isChanged = ({ checked, defaultChecked, value, defaultValue }) => checked !== defaultChecked || value !== defaultValue;

function isInUse(part) {
  if (!part.matches?.("[hx-trigger^=every]")) return false;
  return part.querySelector(".columns-panel:popover-open") !== null || [...part.querySelectorAll(TYPED)].some(isChanged);
}

for (const name of ["htmx:beforeRequest", "htmx:beforeSwap"]) {
  document.addEventListener(name, (event) => { if (isInUse(event.target)) event.preventDefault(); });
}
