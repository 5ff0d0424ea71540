// Where a pointer rests on a number (a.traced), or the keyboard's focus does, the first of the rows behind it are shown
// beside it. The link itself leads to all of them: a phone needs no more. Escape closes; the pointer may go over.
const WAIT = 350;
const panel = document.createElement("div");
panel.id = "rows-panel";
panel.popover = "manual";
let timer;
let at = null;

function place() {
  const number = at.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const above = number.bottom + height + 8 > innerHeight && number.top > height + 8;
  panel.style.left = `${Math.max(8, Math.min(number.left, innerWidth - width - 8))}px`;
  panel.style.top = `${above ? number.top - height - 4 : number.bottom + 4}px`;
}

function hide() {
  clearTimeout(timer);
  at = null;
  if (panel.matches(":popover-open")) panel.hidePopover();
}

async function show(link) {
  at = link;
  panel.replaceChildren();
  await htmx.ajax("GET", link.href, { target: panel, swap: "innerHTML" });
  if (at !== link || !panel.childElementCount) return;
  panel.showPopover();
  place();
}

function come({ target }) {
  const link = target.closest?.("a.traced");
  if (link || panel.contains(target)) clearTimeout(timer);
  if (!link || link === at) return;
  hide();
  timer = setTimeout(() => show(link), WAIT);
}

function go({ target, relatedTarget }) {
  const from = target.closest?.("a.traced, #rows-panel");
  if (!from || from.contains(relatedTarget)) return;
  clearTimeout(timer);
  timer = setTimeout(hide, WAIT);
}

if (document.querySelector("a.traced")) {
  document.getElementById("main").append(panel);
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, come);
  for (const name of ["pointerout", "focusout"]) document.addEventListener(name, go);
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
  document.addEventListener("scroll", () => { if (panel.matches(":popover-open")) place(); }, { capture: true, passive: true });
}
