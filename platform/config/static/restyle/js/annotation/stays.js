// Bars of buttons that stay in sight step aside while a text would lie beneath them: what is judged is never covered.
// Where a bar stands by itself takes the same room, so nothing moves.
const TOP = ".align-tools, .adapt-bar";
const BARS = `#work :is(.workbar, ${TOP})`;
let asked = false;

// What the browser has not laid out, since it is far out of sight, is laid out for each question where it is.
const isLaidOut = (text) => text.checkVisibility?.({ contentVisibilityAuto: true }) ?? true;

function look() {
  asked = false;
  const texts = [...document.querySelectorAll("#work .text:not(textarea)")].filter(isLaidOut)
    .map((text) => text.getBoundingClientRect());
  for (const bar of document.querySelectorAll(BARS)) {
    const from = bar.matches(TOP) ? 0 : innerHeight - bar.offsetHeight;
    const covers = ({ top, bottom, width }) => width > 0 && bottom > from && top < from + bar.offsetHeight;
    bar.toggleAttribute("data-steps-aside", texts.some(covers));
  }
}

function lookSoon() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(look);
}

for (const name of ["scroll", "resize"]) addEventListener(name, lookSoon, { passive: true });
new ResizeObserver(lookSoon).observe(document.getElementById("main"));
for (const name of ["htmx:afterSettle", "restyle:restored", "click"]) document.addEventListener(name, lookSoon);
look();
