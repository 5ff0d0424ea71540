// The command palette: the link to the page of the same name (its key is Ctrl+K: keys.js) opens a dialog with a search. It
// is a combobox (WAI-ARIA 1.2): the focus stays in the field, and arrows move through the list, which the server makes.
const dialog = document.getElementById("palette");
const field = dialog.querySelector("input");
const list = dialog.querySelector("[role=listbox]");
const link = document.querySelector("a[data-palette]");
const PAUSE = 120; // milliseconds without a key before the server is asked
let timer;
let asked = 0;

const counted = (number) => `${list.ariaLabel}: ${number.toLocaleString(document.documentElement.lang)}`;

const options = () => [...list.querySelectorAll("[role=option]")];
const chosen = () => list.querySelector("[aria-selected=true]");

function choose(option) {
  chosen()?.setAttribute("aria-selected", "false");
  option?.setAttribute("aria-selected", "true");
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
  option?.scrollIntoView({ block: "nearest" });
}

async function fill() {
  asked += 1;
  const number = asked;
  const address = new URL(link.href);
  address.searchParams.set("q", field.value);
  let text = null;
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    if (answer.ok && !answer.redirected) text = await answer.text();
  } catch { /* no network */ }
  if (number !== asked || !dialog.open) return; // another was asked for meanwhile
  list.innerHTML = text ?? "";
  const found = options();
  const said = text === null ? dialog.dataset.offline : list.textContent.trim();
  if (!found.length) list.replaceChildren(); // a list holds options alone
  field.setAttribute("aria-expanded", found.length > 0);
  choose(found[0]);
  dialog.querySelector("[role=status]").textContent = found.length ? counted(found.length) : said;
}

function open() {
  if (!link || document.querySelector("dialog[open]")) return;
  field.value = "";
  list.replaceChildren();
  dialog.showModal();
  field.focus();
  fill();
}

link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a tab of its own, please
  event.preventDefault();
  open();
});
field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(fill, PAUSE);
});
field.addEventListener("keydown", (event) => {
  const all = options();
  const at = all.indexOf(chosen());
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    choose(all[(at + step + all.length) % all.length]);
  } else if (event.key === "Enter") {
    event.preventDefault();
    chosen()?.click();
  }
});
// A click beside the dialog closes it, as Escape does.
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
