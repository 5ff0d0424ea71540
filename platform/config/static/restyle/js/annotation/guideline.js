// The guideline beside the work: hidden or shown, which is remembered, on a wide screen; on a small one it is a sheet over
// the work that a key or a button brings and Escape takes away. It runs before the page is drawn.
(() => {
  const NAME = "restyle-guideline";
  const root = document.documentElement;
  const wide = matchMedia("(min-width: 64rem)");
  let from = null; // where the focus was before it went to the button
  const recall = () => { try { return localStorage.getItem(NAME) !== "hidden"; } catch { return true; } };
  const remember = (shown) => { try { localStorage.setItem(NAME, shown ? "shown" : "hidden"); } catch { /* this page */ } };
  const isShown = () => root.dataset.guideline === "shown";
  const toggles = () => [...document.querySelectorAll("[data-guideline-toggle]")];
  const visible = () => toggles().find((each) => each.checkVisibility());

  function show(shown) {
    root.dataset.guideline = shown ? "shown" : "hidden";
    for (const toggle of toggles()) toggle.setAttribute("aria-expanded", String(shown));
  }

  function toggle() {
    const back = from?.isConnected && from.checkVisibility() ? from : null;
    show(!isShown());
    if (wide.matches) remember(isShown());
    if (isShown() && !wide.matches) visible()?.focus();
    else (back?.checkVisibility() ? back : visible())?.focus({ preventScroll: true });
  }

  show(wide.matches && recall());
  wide.addEventListener("change", () => show(wide.matches && recall()));
  document.addEventListener("focusin", ({ target, relatedTarget }) => {
    if (target.matches("[data-guideline-toggle]") && !relatedTarget?.closest(".guideline-side")) from = relatedTarget;
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-guideline-toggle]")) toggle(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isShown() && !wide.matches && !event.defaultPrevented) toggle();
  });
  document.addEventListener("DOMContentLoaded", () => show(isShown()));
})();
