// A button with data-copy="#id" copies that element's text (or value) and says so.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  await copy(source.value ?? source.textContent);
});

export async function copy(text) {
  await navigator.clipboard.writeText(text);
  const detail = document.getElementById("toast").dataset.copied;
  document.dispatchEvent(new CustomEvent("restyle:toast", { detail }));
}
