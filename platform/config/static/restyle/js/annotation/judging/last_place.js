// Ranking: where one text is left and no texts share a place, it gets the place that is left. It may still share one of
// the others, so the place is proposed [data-proposed]: it is submitted as it stands, but the text counts as unanswered
// until somebody names a place of it, be it the same, or taps it. Whoever takes a place back is proposed none.
const placed = (group) => group.querySelector(":checked:not([data-proposed])")?.value;

function takeBack(root) {
  for (const input of root.querySelectorAll("[data-proposed]")) {
    input.removeAttribute("data-proposed");
    input.checked = false;
  }
}

function propose(root) {
  const groups = [...root.querySelectorAll(".places")];
  const open = groups.filter((group) => !placed(group));
  const taken = new Set(groups.map(placed).filter(Boolean));
  if (open.length !== 1 || taken.size !== groups.length - 1) return;
  const left = [...open[0].querySelectorAll("input")].find(({ value }) => !taken.has(value));
  left.checked = true;
  left.setAttribute("data-proposed", "");
  document.dispatchEvent(new CustomEvent("restyle:say", { detail: root.dataset.wordsLeft }));
}

document.addEventListener("change", ({ target }) => {
  const root = target.matches(".places input") && target.closest("[data-judging='rank']:not([data-only-best])");
  if (!root) return;
  takeBack(root);
  if (target.checked) propose(root);
});
// A radio that is checked already tells of no change.
document.addEventListener("click", ({ target }) => {
  if (!target.matches("[data-proposed]")) return;
  target.removeAttribute("data-proposed");
  target.dispatchEvent(new Event("change", { bubbles: true }));
});
document.addEventListener("restyle:restored", () => {
  for (const input of document.querySelectorAll("[data-proposed]")) input.removeAttribute("data-proposed");
});
