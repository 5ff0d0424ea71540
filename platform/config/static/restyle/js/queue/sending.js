// Sends what waits, in order, one tab at a time. An answer carries the key of its act, so what the server had taken
// already, without the browser hearing of it, is not taken twice. What the server refuses stays, with its reason.
import { csrfHeader } from "../csrf.js";
import { PERSON, change, remove, waiting } from "./store.js";

const LONGEST = 30_000; // milliseconds
const LOCK = "restyle-queue";
const NOT_NOW = new Set([401, 409]); // signed out, or somebody else signed in in another tab
export const headers = () => ({ ...csrfHeader(), "HX-Request": "true" });
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// Without locks (no secure context) tabs may send at once, which the keys make harmless.
export const alone = (act) => (navigator.locks ? navigator.locks.request(LOCK, act) : act());

export const flush = () => alone(async () => {
  const sent = [];
  for (const record of await waiting()) {
    const isOver = await send(record);
    if (!isOver) break;
    sent.push(record);
  }
  if (sent.length) tell("restyle:sent", sent);
});

// Whether the server has said what becomes of it.
async function send(record) {
  const body = new FormData();
  for (const [name, value] of record.fields) body.append(name, value);
  body.append("person", PERSON);
  let answer;
  try {
    const signal = AbortSignal.timeout(LONGEST);
    answer = await fetch(`${record.base}send/`, { method: "POST", body, headers: headers(), signal, redirect: "manual" });
  } catch { return false; }
  if (answer.type === "opaqueredirect" || NOT_NOW.has(answer.status) || answer.status >= 500) return false;
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    await change({ ...record, refused: told.detail ?? document.getElementById("waiting").dataset.refused });
    return true;
  }
  await remove(record);
  if (told.late) tell("restyle:toast", told.late);
  return true;
}
