// The school grade of the text before and after, in [data-readability], as the server works it out with each draft.
function show(event) {
  const { readability } = event.detail;
  for (const place of document.querySelectorAll("[data-readability]")) {
    const words = readability?.after == null ? place.dataset.wordsOne : place.dataset.wordsBoth;
    const text = readability?.before == null ? "" : words
      .replace("{before}", readability.before.toLocaleString(document.documentElement.lang || undefined))
      .replace("{after}", readability.after?.toLocaleString(document.documentElement.lang || undefined));
    if (place.textContent !== text) place.textContent = text;
  }
}
document.addEventListener("restyle:saved", show);
