// While the site starts again (503) an act of the work page waits, and is then sent again by itself. A form carries the
// key of its act, so the server takes what comes twice for one.
const SECONDS = 2; // where the server does not say
let waiting = null;

document.addEventListener("htmx:responseError", ({ target, detail }) => {
  const form = target.closest("#work form");
  if (!form || detail.xhr.status !== 503) return;
  if (target === form && detail.requestConfig.path !== form.getAttribute("hx-post")) return; // it only asked something
  const pause = Number(detail.xhr.getResponseHeader("Retry-After")) || SECONDS;
  const button = detail.requestConfig.triggeringEvent?.submitter;
  const again = () => (target === form ? form.requestSubmit(button?.isConnected ? button : undefined) : target.click());
  clearTimeout(waiting);
  waiting = setTimeout(() => { if (target.isConnected) again(); }, pause * 1000);
});
// Whoever presses a button meanwhile does not wait for ours.
document.addEventListener("htmx:beforeRequest", ({ target }) => { if (target.closest("#work")) clearTimeout(waiting); });
