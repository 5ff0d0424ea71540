// What the two columns show, and the way that the arrow keys take through them.
import { SIDES } from "./state.js";
import { placeOf, root, rows, sideOf } from "./page.js";

export function showSide(side) {
  root().dataset.side = side;
  for (const button of root().querySelectorAll("[data-side-button]")) {
    button.setAttribute("aria-pressed", String(button.dataset.sideButton === side));
  }
}

export function showTranslations(shown) {
  const button = root()?.querySelector("[data-translations]");
  if (!button) return;
  button.setAttribute("aria-pressed", String(shown));
  root().toggleAttribute("data-translated", shown);
  try { localStorage.setItem("restyle-translations", shown ? "on" : "off"); } catch { /* holds for this page */ }
}

export function showTranslationsAsBefore() {
  let shown = true;
  try { shown = localStorage.getItem("restyle-translations") !== "off"; } catch { /* private */ }
  showTranslations(shown);
}

export function goTo(row) {
  if (!row) return;
  showSide(sideOf(row));
  row.querySelector("input").focus();
  row.scrollIntoView({ block: "nearest" });
}

// The sentence on the other side that stands nearest on the screen; on a phone, where one side shows, its chosen one.
function across(row) {
  const others = rows(SIDES.find((side) => side !== sideOf(row)));
  if (!others[0].checkVisibility()) return others.find((other) => other.matches(".chosen")) ?? others[0];
  const { top } = row.getBoundingClientRect();
  const distance = (other) => Math.abs(other.getBoundingClientRect().top - top);
  return others.reduce((nearest, other) => (distance(other) < distance(nearest) ? other : nearest));
}

export const MOVES = new Set(["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"]);

// The row that the key leads to from this one; nothing where there is none.
export function neighbour(row, key) {
  const column = rows(sideOf(row));
  const forward = getComputedStyle(root()).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (key === "ArrowDown") return column[placeOf(row) + 1];
  if (key === "ArrowUp") return column[placeOf(row) - 1];
  if (key === "Home") return column[0];
  if (key === "End") return column.at(-1);
  return (key === forward) === (sideOf(row) === "source") ? across(row) : null;
}
