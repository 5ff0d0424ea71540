// No text is both the best and the worst: the later choice takes the earlier one back.
const OTHER = { best: "worst", worst: "best" };

document.addEventListener("change", ({ target }) => {
  if (!target.matches(".extremes input[type=radio]")) return;
  const same = document.querySelector(`.extremes input[name="${OTHER[target.name]}"][value="${target.value}"]`);
  if (same) same.checked = false;
});
