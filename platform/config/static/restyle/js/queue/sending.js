// Sends what waits, in order, one tab at a time. An answer carries the key of its act, so what the server had taken
// already, without the browser hearing of it, is not taken twice. What the server refuses stays, with its reason.
import { csrfHeader, csrfToken, isOurs } from "../server.js";
import { PERSON, change, remove, waiting } from "./store.js";

const LONGEST = 30_000; // milliseconds
const LOCK = "restyle-queue";
const TOKEN = "csrfmiddlewaretoken"; // of the page that it was typed on; a new sign-in makes it void
const HELD = { 401: "signedOut", 409: "somebodyElse" }; // in another tab somebody else may have signed in
export const headers = () => ({ ...csrfHeader(), "HX-Request": "true" });
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// Without locks (no secure context) tabs may send at once, which the keys make harmless.
export const alone = (act) => (navigator.locks ? navigator.locks.request(LOCK, act) : act());

// Why what is left waits: "signedOut", "somebodyElse", or "" for the network.
export const flush = () => alone(async () => {
  const sent = [];
  const records = await waiting();
  let why = "";
  for (const record of records) {
    why = await send(record);
    if (why !== null) break;
    sent.push(record);
  }
  // What waited may have been sent by another tab: a page on which nothing is left has to hear of it, too.
  if (sent.length || (!records.length && document.querySelector("#work[data-nothing-left]"))) tell("restyle:sent", sent);
  return why ?? "";
});

// Null once the server has said what becomes of it.
async function send(record) {
  const token = csrfToken();
  if (!token) return "signedOut";
  const body = new FormData();
  for (const [name, value] of record.fields) if (name !== TOKEN) body.append(name, value);
  body.append("person", PERSON);
  let answer;
  try {
    const signal = AbortSignal.timeout(LONGEST);
    answer = await fetch(`${record.base}send/`, { method: "POST", body, headers: headers(), signal, redirect: "manual" });
  } catch { return ""; }
  if (!isOurs(answer) || answer.status >= 500) return "";
  if (HELD[answer.status]) return HELD[answer.status];
  if (answer.status === 403 && csrfToken() !== token) return ""; // somebody signed in on the way
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    await change({ ...record, refused: told.detail ?? document.getElementById("waiting").dataset.refused });
    return null;
  }
  await remove(record);
  if (told.late) tell("restyle:toast", told.late);
  if (told.progress) tell("restyle:progress", { base: record.base, told: told.progress });
  return null;
}
