// While an act of the work page is under way nothing can be changed in it: what is seen is what was sent, and what would
// be typed into the form that is about to go would be lost.
let focused = null;

document.addEventListener("htmx:beforeSend", ({ target }) => {
  const work = target.closest("#work");
  if (!work) return;
  focused = document.activeElement;
  work.inert = true;
});
document.addEventListener("htmx:afterRequest", ({ target }) => {
  const work = target.closest("#work");
  if (!work?.isConnected) return;
  work.inert = false;
  if (document.activeElement === document.body && focused?.isConnected) focused.focus({ preventScroll: true });
});

// The second click of a double click belongs to the item that the first was for: where that was handed in with the first,
// the next item stands beneath it. Keys are clicks of no count.
let clicked = null;

document.addEventListener("click", (event) => {
  const form = event.target.closest?.("form[data-work]");
  if (event.detail < 2) clicked = form;
  else if (form && form !== clicked) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);
