// Ranking by clicks or taps: a text that is clicked gets the next free place, one that has a place gives it back. The
// places themselves stand beside each text, for keys, for screen readers and for texts that share one; on a phone a
// button shows the text's own place and opens the others, until one is chosen.
const NOT_A_PLACE = "button, a, label, input, summary, mark[tabindex]";

const checkedOf = (card) => card.querySelector(".places :checked");
const cardsOf = (root) => [...root.querySelectorAll("[data-text]")];
const rootOf = (element) => element.closest("[data-judging='rank']");

function nextPlace(root) {
  const taken = cardsOf(root).map((card) => Number(checkedOf(card)?.value)).filter(Boolean);
  let place = taken.length + 1;
  while (taken.includes(place) && place > 1) place -= 1;
  return place;
}

function choose(root, card) {
  const checked = checkedOf(card);
  if (checked?.matches("[data-proposed]")) { checked.click(); return; } // it is right
  const input = checked ?? card.querySelector(`.places input[value="${nextPlace(root)}"]`);
  if (!input) return;
  input.checked = !checked;
  for (const name of ["input", "change"]) input.dispatchEvent(new Event(name, { bubbles: true }));
}

export function showPlaces(root) {
  for (const card of cardsOf(root)) card.querySelector("[data-own-place]").textContent = checkedOf(card)?.value || "–";
}

function open(button, is) {
  button.ariaExpanded = String(is);
  const group = button.closest("[data-text]").querySelector(".places");
  if (is) (group.querySelector(":checked") ?? group.querySelector("input")).focus({ preventScroll: true });
  else if (group.contains(document.activeElement)) button.focus({ preventScroll: true });
}

document.addEventListener("click", ({ target }) => {
  const root = target.closest("[data-judging='rank']:not([data-one])");
  const card = root && target.closest("[data-text]");
  const button = card && target.closest(".place");
  if (button) open(button, button.ariaExpanded === "false");
  if (!card || target.closest(NOT_A_PLACE) || target.closest(".places") || !getSelection().isCollapsed) return;
  choose(root, card);
});
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".places input") || !rootOf(target)) return;
  showPlaces(rootOf(target));
  const button = target.closest("[data-text]").querySelector(".place");
  if (button.ariaExpanded === "true") open(button, false);
});
document.addEventListener("restyle:restored", () => {
  const root = document.querySelector("[data-judging='rank']");
  if (root) showPlaces(root);
});
