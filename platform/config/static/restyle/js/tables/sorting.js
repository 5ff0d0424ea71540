// Sorting the rows of a table by a column. Numbers go by data-value, else as they are written in the language of the page,
// the highest first; cells without one stand last either way. Times go by data-value (in seconds) or their datetime. Equal rows keep their order.
const OTHER = { ascending: "descending", descending: "ascending" };
const words = new Intl.Collator(document.documentElement.lang, { numeric: true });

export const heads = (table) => [...table.tHead.rows[table.tHead.rows.length - 1].cells];
export const said = (head) => head.querySelector(".sort")?.textContent.trim() ?? head.textContent.trim();
export const named = (head) => head.dataset.key ?? said(head);

const point = new Intl.NumberFormat(document.documentElement.lang).formatToParts(1.5).find(({ type }) => type === "decimal").value;
const written = (text) => parseFloat(text.replaceAll("\u2212", "-").replace(point === "," ? /[.\s]/g : /[,\s]/g, "").replace(point, "."));
const number = (cell) => (cell.dataset.value === undefined ? written(cell.textContent) : Number(cell.dataset.value));
const word = (cell) => cell.dataset.value ?? cell.querySelector("time")?.dateTime ?? cell.textContent.trim();
const byNumber = (sign) => (a, b) => isNaN(a.key) - isNaN(b.key) || sign * (a.key - b.key) || 0;
const byWord = (sign) => (a, b) => sign * words.compare(a.key, b.key);

const following = (head) => OTHER[head.getAttribute("aria-sort")] ?? (head.classList.contains("num") ? "descending" : "ascending");

export function sort(table, head, way = following(head)) {
  const numbers = head.classList.contains("num");
  const read = numbers ? number : word;
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: read(row.cells[head.cellIndex]) }));
  rows.sort((numbers ? byNumber : byWord)(way === "ascending" ? 1 : -1));
  table.tBodies[0].append(...rows.map(({ row }) => row));
  table.querySelector("[aria-sort]")?.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", way);
  table.dispatchEvent(new Event("restyle:sorted"));
}

// The name in each head becomes a button; on a phone, where rows are cards without a head, a choice stands before them.
export function prepare(table) {
  for (const head of heads(table).filter((one) => !one.children.length && one.textContent.trim())) {
    const text = document.createElement("span");
    text.append(...head.childNodes);
    head.append(text);
  }
  for (const name of table.querySelectorAll("thead th > span:first-child:not(.visually-hidden)")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain sort";
    button.append(...name.childNodes);
    name.replaceWith(button);
    button.addEventListener("click", () => sort(table, button.parentElement));
  }
  if (table.classList.contains("cards")) choice(table);
}

function choice(table) {
  const label = document.createElement("label");
  const select = document.createElement("select");
  const columns = heads(table);
  select.append(new Option("–"), ...columns.map((head) => new Option(said(head))));
  select.addEventListener("change", () => { if (select.selectedIndex) sort(table, columns[select.selectedIndex - 1]); });
  table.addEventListener("restyle:sorted", () => {
    select.selectedIndex = columns.findIndex((head) => head.hasAttribute("aria-sort")) + 1;
  });
  label.className = "sort-by";
  label.append(table.dataset.sortBy, select);
  table.parentElement.before(label);
}
