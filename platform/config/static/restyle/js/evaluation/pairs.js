// Pairs of outputs: keys step from sentence to sentence, and past the last one to the next page; the folds of one
// sentence open together, so that its columns stay beside each other.
const root = document.querySelector("[data-pairs]");

if (root) {
  const pairs = [...root.querySelectorAll(".pair")];
  const gaps = [...root.querySelectorAll(".gap")];
  const whole = root.querySelector("[data-whole]");
  root.querySelector("[data-steps]").hidden = pairs.length === 0;
  whole.hidden = gaps.length === 0;

  let at = -1; // the pair that was read last: a key gives its button the focus
  root.addEventListener("focusin", ({ target }) => {
    if (target.closest(".pair")) at = pairs.indexOf(target.closest(".pair"));
  });

  function step(by) {
    const next = pairs[at < 0 ? (by > 0 ? 0 : -1) : at + by];
    if (next) {
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: "start" });
    } else root.querySelector(by > 0 ? "[rel=next]" : "[rel=prev]")?.click();
  }

  root.addEventListener("click", ({ target }) => {
    const stepping = target.closest("[data-step-pair]");
    if (stepping) step(Number(stepping.dataset.stepPair));
    if (target.closest("[data-whole]")) {
      const open = whole.getAttribute("aria-pressed") === "false";
      whole.setAttribute("aria-pressed", String(open));
      for (const gap of gaps) gap.open = open;
    }
    const summary = target.closest(".gap > summary");
    if (!summary) return;
    const { open } = summary.parentElement; // before the click changes it
    for (const gap of summary.closest(".pair").querySelectorAll(".gap")) {
      if (gap !== summary.parentElement) gap.open = !open;
    }
  });
}
