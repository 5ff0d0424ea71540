// How many characters the text holds that is being written, of those that it may hold, in [data-characters].
function show({ target }) {
  if (!(target instanceof HTMLTextAreaElement) || !target.closest("[data-work]") || target.maxLength < 0) return;
  const language = document.documentElement.lang || undefined;
  for (const place of document.querySelectorAll("[data-characters]")) {
    place.hidden = false;
    place.textContent = place.dataset.words
      .replace("{count}", Array.from(target.value).length.toLocaleString(language))
      .replace("{most}", target.maxLength.toLocaleString(language));
  }
}
document.addEventListener("input", show);
document.addEventListener("focusin", show);
