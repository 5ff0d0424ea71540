// A name that is changed where it stands. `a[data-rename="ADDRESS"]` leads to the settings that hold it; with this script a
// click, Enter or F2 puts a field in its place. Enter saves it through the API (PATCH of `data-field`), Escape gives back.
import { csrfHeader, isOurs } from "./server.js";

const PLACES = ".crumbs [aria-current], .top summary span, .top .menu-list [aria-current]"; // where a page repeats it

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-rename]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  edit(link);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "F2" && event.target.matches("a[data-rename]")) edit(event.target);
});

function edit(link) {
  const form = document.getElementById("rename").content.firstElementChild.cloneNode(true);
  const field = form.elements.name;
  const error = form.querySelector("[role=alert]");
  const was = link.textContent.trim();
  const heading = link.closest("h1") ?? link;

  const close = () => {
    form.remove();
    heading.classList.remove("visually-hidden");
    link.removeAttribute("tabindex");
    link.focus();
  };
  const refuse = (sentence) => {
    error.textContent = sentence;
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = field.value.trim();
    if (name === was) return close();
    const words = document.getElementById("toast").dataset;
    let answer;
    try {
      answer = await fetch(link.dataset.rename, {
        method: "PATCH",
        headers: { ...csrfHeader(), "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ [link.dataset.field]: name }),
      });
    } catch {
      return refuse(words.offline);
    }
    if (!isOurs(answer)) return refuse(words.offline);
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) return refuse(told.fields?.[link.dataset.field]?.[0] ?? told.detail ?? words.failed);
    show(link, was, told[link.dataset.field] ?? name);
    return close();
  });
  form.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  form.addEventListener("reset", close);

  field.value = was;
  heading.classList.add("visually-hidden"); // it stays the page's heading
  link.tabIndex = -1;
  heading.after(form);
  field.select();
}

function show(link, was, name) {
  for (const place of [link, ...document.querySelectorAll(PLACES)]) {
    if (place.textContent.trim() === was) place.textContent = name;
  }
  document.title = document.title.replace(was, () => name);
}
