// The note of a highlighted concept stays within the window, and Escape puts it away until one comes back to it.
const EDGE = 8;
const concept = (event) => event.target.closest?.("mark.concept");

function place(event) {
  const mark = concept(event);
  const note = mark?.querySelector(".concept-note");
  if (!note) return;
  note.dataset.shift = "";
  const mirrored = getComputedStyle(mark).direction === "rtl"; // the note grows from the mark towards the end of its line
  const over = ({ left, right }, end) => (end === mirrored ? left < EDGE : right > document.documentElement.clientWidth - EDGE);
  if (over(note.getBoundingClientRect(), true)) note.dataset.shift = "end";
  if (over(note.getBoundingClientRect(), false)) note.dataset.shift = "start";
}

document.addEventListener("pointerover", place);
document.addEventListener("focusin", place);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const mark of document.querySelectorAll("mark.concept:is(:hover, :focus)")) mark.dataset.away = "";
});
for (const name of ["pointerout", "focusout"]) {
  document.addEventListener(name, (event) => { const mark = concept(event); if (mark) delete mark.dataset.away; });
}
