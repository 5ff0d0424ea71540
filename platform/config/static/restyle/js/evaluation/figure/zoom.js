// [data-zoom] in a figure shows its chart as large as the window, in a dialog that Escape closes; its words are the button's.
export function zoomable(figure, fill) {
  const button = figure.querySelector("[data-zoom]");
  if (!button?.hidden) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const dialog = document.createElement("dialog");
    const [head, title, close, place] = ["header", "h2", "button", "div"].map((tag) => document.createElement(tag));
    dialog.className = "zoom";
    title.textContent = button.dataset.title;
    title.id = "zoom-h";
    dialog.setAttribute("aria-labelledby", title.id);
    close.type = "button";
    close.className = "button small";
    close.textContent = button.dataset.close;
    close.addEventListener("click", () => dialog.close());
    place.className = "drawing";
    place.role = "img";
    place.ariaLabel = figure.querySelector("[role=img]")?.ariaLabel ?? button.dataset.title;
    head.append(title, close);
    dialog.append(head, place);
    document.body.append(dialog);
    dialog.showModal();
    const done = await fill(place);
    dialog.addEventListener("close", () => { done?.(); dialog.remove(); button.focus(); });
  });
}
