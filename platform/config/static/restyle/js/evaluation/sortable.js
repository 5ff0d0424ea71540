// Makes the columns of table[data-sortable] sortable: the name in each head becomes a button, and aria-sort says which
// way. Numbers go by data-value, the highest first; cells without one stand last either way. Equal rows keep their order.
// On a phone, where rows are cards without a head, a choice named by data-sort-by stands before them.
const OTHER = { ascending: "descending", descending: "ascending" };
const words = new Intl.Collator(document.documentElement.lang, { numeric: true });

const number = (cell) => (cell.dataset.value === undefined ? NaN : Number(cell.dataset.value));
const byNumber = (sign) => (a, b) => isNaN(a.key) - isNaN(b.key) || sign * (a.key - b.key) || 0;
const byWord = (sign) => (a, b) => sign * words.compare(a.key, b.key);

function sort(table, head) {
  const numbers = head.classList.contains("num");
  const way = OTHER[head.getAttribute("aria-sort")] ?? (numbers ? "descending" : "ascending");
  const read = numbers ? number : (cell) => cell.textContent.trim();
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: read(row.cells[head.cellIndex]) }));
  rows.sort((numbers ? byNumber : byWord)(way === "ascending" ? 1 : -1));
  table.tBodies[0].append(...rows.map(({ row }) => row));
  table.querySelector("[aria-sort]")?.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", way);
}

function choice(table) {
  const label = document.createElement("label");
  const select = document.createElement("select");
  const heads = [...table.tHead.rows[0].cells];
  select.append(new Option("–"), ...heads.map((head) => new Option(head.querySelector(".sort").textContent)));
  select.addEventListener("change", () => { if (select.selectedIndex) sort(table, heads[select.selectedIndex - 1]); });
  label.className = "sort-by";
  label.append(table.dataset.sortBy, select);
  table.parentElement.before(label);
}

function prepare(table) {
  for (const name of table.querySelectorAll("thead th > span:first-child")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain sort";
    button.append(...name.childNodes);
    name.replaceWith(button);
    button.addEventListener("click", () => sort(table, button.parentElement));
  }
  if (table.classList.contains("cards")) choice(table);
}

const prepareAll = (within) => within.querySelectorAll("table[data-sortable]:not(:has(button.sort))").forEach(prepare);
prepareAll(document);
document.addEventListener("htmx:load", ({ detail: { elt } }) => { if (elt.querySelectorAll) prepareAll(elt); });
