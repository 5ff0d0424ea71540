// Says by data-more which ends of a .table-scroll hide columns ("start", "end", "start end"), for a shade at that edge.
const mirrored = (box) => getComputedStyle(box).direction === "rtl";
const passed = (box) => Math.abs(box.scrollLeft);

export const left = (box) => box.scrollWidth - box.clientWidth - passed(box);

export function look(box) {
  const wanted = [passed(box) > 1 && "start", left(box) > 1 && "end"].filter(Boolean).join(" ");
  if ((box.dataset.more ?? "") === wanted) return;
  if (wanted) box.dataset.more = wanted; else delete box.dataset.more;
}

export const turn = (box) => {
  const on = left(box) > 1 ? box.clientWidth * 0.7 : -box.scrollWidth;
  box.scrollBy({ left: mirrored(box) ? -on : on, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
};

export function watch(box) {
  const sizes = new ResizeObserver(() => look(box));
  sizes.observe(box);
  for (const child of box.children) sizes.observe(child);
  box.addEventListener("scroll", () => look(box), { passive: true });
  look(box);
}
