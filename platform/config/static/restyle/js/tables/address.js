// How a person sees a table. It is kept for them on the server (data-view of the table, sent to data-kept-at) and, but for
// the widths, in the address of the page, so that a link shows the same: NAME.sort=-BLEU (from the highest), NAME.hide and
// NAME.pin once for each column, NAME.compact=1 or 0. An address that says something of a table has priority. Columns go
// by their keys (data-key), which are the same in every language and outlive a report; a choice that was made when they went
// by what a head said is read too. On a phone, where a row is a card, rows are close unless somebody chose otherwise.
import { csrfHeader } from "../server.js";

const WAIT = 400; // ms after the last change; a drag makes many
const narrow = () => matchMedia("(max-width: 40rem)").matches;
const waiting = new Map(); // by table, what sends its view

export const usual = () => ({ sort: "", way: "", hidden: new Set(), pinned: [], widths: new Map(), rows: "" });
export const isCompact = ({ rows }) => (rows ? rows === "close" : narrow());
export const otherRows = (state) => (isCompact(state) === narrow() ? (narrow() ? "apart" : "close") : "");

const sorted = (sort) => ({ sort: sort.replace(/^-/, ""), way: sort.startsWith("-") ? "descending" : "ascending" });
const signed = ({ sort, way }) => (sort && way === "descending" ? `-${sort}` : sort);

function stored(table) {
  const { sort = "", hidden = [], pinned = [], widths, rows = "" } = JSON.parse(table.dataset.view ?? "{}");
  return { ...sorted(sort), hidden: new Set(hidden), pinned, widths: new Map(Object.entries(widths ?? {})), rows };
}

export function read(table) {
  const name = table.dataset.tools;
  const asked = new URLSearchParams(location.search);
  const kept = stored(table);
  if (![...asked.keys()].some((key) => key.startsWith(`${name}.`))) return kept;
  const compact = asked.get(`${name}.compact`);
  return {
    ...sorted(asked.get(`${name}.sort`) ?? ""), hidden: new Set(asked.getAll(`${name}.hide`)),
    pinned: asked.getAll(`${name}.pin`), widths: kept.widths, rows: compact === null ? "" : compact === "1" ? "close" : "apart",
  };
}

// The choices with keys in place of what heads say.
export function keyed(state, columns) {
  const keys = new Set(columns.map(({ name }) => name));
  const key = (name) => (keys.has(name) ? name : columns.find(({ label }) => label === name)?.name ?? name);
  const widths = new Map([...state.widths].map(([name, width]) => [key(name), width]));
  return { ...state, sort: key(state.sort), hidden: new Set([...state.hidden].map(key)), pinned: state.pinned.map(key), widths };
}

export function write(name, state) {
  const asked = new URLSearchParams(location.search);
  for (const key of [...asked.keys()]) if (key.startsWith(`${name}.`)) asked.delete(key);
  if (state.sort) asked.set(`${name}.sort`, signed(state));
  for (const column of state.hidden) asked.append(`${name}.hide`, column);
  for (const column of state.pinned) asked.append(`${name}.pin`, column);
  if (state.rows) asked.set(`${name}.compact`, state.rows === "close" ? "1" : "0");
  const query = asked.size ? `?${asked}` : "";
  history.replaceState(history.state, "", location.pathname + query + location.hash);
}

// Without an address of its person (a public page) nothing is kept. What could not be sent stays in the page's address.
export function keep(table, state) {
  const at = table.dataset.keptAt;
  if (!at) return;
  const { hidden, pinned, widths, rows } = state;
  const body = JSON.stringify({ sort: signed(state), hidden: [...hidden], pinned, widths: Object.fromEntries(widths), rows });
  clearTimeout(waiting.get(at)?.timer);
  const send = () => {
    waiting.delete(at);
    const headers = { ...csrfHeader(), "Content-Type": "application/json", Accept: "application/json" };
    fetch(at, { method: "PUT", headers, body, keepalive: true }).catch(() => {});
  };
  waiting.set(at, { send, timer: setTimeout(send, WAIT) });
}
addEventListener("pagehide", () => waiting.forEach(({ send, timer }) => { clearTimeout(timer); send(); }));
