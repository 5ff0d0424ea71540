// What a person chose of a table, in the address of the page, so that a link shows the same: NAME.sort=-BLEU (from the
// highest), NAME.hide and NAME.pin once for each column, NAME.compact=1 or 0. Columns go by their names, which outlive a
// report. On a phone, where a row is a card, rows are close unless somebody chose otherwise.
const close = () => matchMedia("(max-width: 40rem)").matches;

export function read(name) {
  const asked = new URLSearchParams(location.search);
  const sort = asked.get(`${name}.sort`) ?? "";
  return {
    sort: sort.replace(/^-/, ""), way: sort.startsWith("-") ? "descending" : "ascending",
    hidden: new Set(asked.getAll(`${name}.hide`)), pinned: asked.getAll(`${name}.pin`),
    compact: asked.has(`${name}.compact`) ? asked.get(`${name}.compact`) === "1" : close(),
  };
}

export const usual = () => ({ sort: "", way: "", hidden: new Set(), pinned: [], compact: close() });

export function write(name, { sort, way, hidden, pinned, compact }) {
  const asked = new URLSearchParams(location.search);
  for (const key of [...asked.keys()]) if (key.startsWith(`${name}.`)) asked.delete(key);
  if (sort) asked.set(`${name}.sort`, (way === "descending" ? "-" : "") + sort);
  for (const column of hidden) asked.append(`${name}.hide`, column);
  for (const column of pinned) asked.append(`${name}.pin`, column);
  if (compact !== close()) asked.set(`${name}.compact`, compact ? "1" : "0");
  const query = asked.size ? `?${asked}` : "";
  history.replaceState(history.state, "", location.pathname + query + location.hash);
}
