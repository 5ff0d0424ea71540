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
