// The columns of a table as its state says: hidden ones are hidden, pinned ones stand after the first and stay there,
// widths are as chosen, and above them stands a row that names the groups of neighbours (data-group on a head).
import { heads, named, said } from "./sorting.js";
import { size } from "./widths.js";

const order = new WeakMap(); // of each row its cells as they came

const cellsOf = (row) => {
  if (!order.has(row)) order.set(row, [...row.cells]);
  return order.get(row);
};
const rowsOf = (table) => {
  const rows = [...table.tHead.rows, ...table.tBodies[0].rows].filter((row) => !row.matches(".groups"));
  return rows.filter((row) => cellsOf(row).length === cellsOf(rows[0]).length); // not one that is a sentence
};

export const columnsOf = (table) =>
  cellsOf(table.tHead.rows[table.tHead.rows.length - 1]).map((head, place) => ({
    head, place, name: named(head), label: said(head), group: head.dataset.group ?? "", first: place === 0,
  }));

export function lay(table, { hidden, pinned, widths }) {
  const columns = columnsOf(table);
  const placed = pinned.map((name) => columns.find((column) => column.name === name)).filter((column) => column && !column.first);
  const before = [0, ...placed.map(({ place }) => place)];
  const places = [...before, ...columns.map(({ place }) => place).filter((place) => !before.includes(place))];
  const away = columns.map(({ name, first }) => !first && hidden.has(name));
  for (const row of rowsOf(table)) {
    const cells = cellsOf(row);
    cells.forEach((cell, place) => {
      cell.hidden = away[place];
      size(cell, widths.get(columns[place].name));
      cell.classList.toggle("pinned", placed.length > 0 && before.includes(place));
    });
    row.append(...places.map((place) => cells[place]));
  }
  nameGroups(table, placed);
  hold(table);
}

function nameGroups(table, placed) {
  table.querySelector("thead .groups")?.remove();
  const runs = [];
  for (const head of heads(table).filter((one) => !one.hidden)) {
    const pinned = head.matches(":first-child") || placed.some((column) => column.head === head);
    const group = pinned ? "" : head.dataset.group ?? "";
    if (runs.length && runs.at(-1).group === group && runs.at(-1).pinned === pinned) runs.at(-1).span += 1;
    else runs.push({ group, pinned, span: 1 });
    head.classList.toggle("begins", runs.length > 2 && runs.at(-1).span === 1);
  }
  if (!runs.some(({ group }) => group)) return;
  const row = table.tHead.insertRow(0);
  row.className = "groups";
  for (const { group, span } of runs) {
    const cell = document.createElement(group ? "th" : "td");
    if (group) cell.scope = "colgroup";
    cell.colSpan = span;
    const text = document.createElement("span");
    text.textContent = group;
    cell.append(text);
    row.append(cell);
  }
}

// Where a column stays while the others go by: after the widths of those before it.
export function hold(table) {
  for (const row of rowsOf(table)) for (const cell of row.cells) cell.style.insetInlineStart = "";
  let start = 0;
  const starts = heads(table).map((head) => {
    const here = start;
    if (here === 0 || head.classList.contains("pinned")) start += head.getBoundingClientRect().width;
    return here;
  });
  table.style.setProperty("--held", `${start}px`);
  for (const row of rowsOf(table)) {
    [...row.cells].forEach((cell, place) => {
      if (cell.classList.contains("pinned")) cell.style.insetInlineStart = `${starts[place]}px`;
    });
  }
}
