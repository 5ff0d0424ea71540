// What is said of the answers in this browser: a quiet line of how many wait, and each that the server did not take,
// with what was typed, until it is sent again or its person has put it away.
import { copy } from "../copy.js";
import { counted } from "../counted.js";
import { alone } from "./sending.js";
import { change, kept, remove } from "./store.js";

const place = document.getElementById("waiting");
export const words = (count) => counted(place.dataset.waiting, count);
export const wordsUnsent = (count) => counted(place.dataset.unsent, count);

const say = (line, said) => { if (line.textContent !== said) line.textContent = said; };

// `why` they wait, if not for the network: "signedOut" or "somebodyElse".
export async function showNotice(why = "") {
  const all = await kept();
  const count = all.filter(({ refused }) => !refused).length;
  say(place.querySelector("[data-count]"), count ? place.dataset[why] ?? words(count) : "");
  const link = place.querySelector("[data-sign-in]");
  link.hidden = !count || !why;
  link.search = new URLSearchParams({ next: location.pathname });
  place.querySelector("[data-refused-list]").replaceChildren(...all.filter(({ refused }) => refused).map(drawn));
}

function drawn(record) {
  const row = document.getElementById("refused-answer").content.cloneNode(true).firstElementChild;
  row.querySelector("[data-why]").textContent = `${record.said}: ${record.refused}`;
  row.querySelector("[data-text]").textContent = record.typed.map(([, value]) => value).join("\n");
  row.querySelector("a").href = record.base;
  const text = row.querySelector("[data-text]").textContent;
  const onClick = (name, act) => row.querySelector(`[data-${name}]`).addEventListener("click", act);
  onClick("copy-text", () => copy(text));
  onClick("try-again", async () => {
    await alone(() => change({ ...record, refused: "" }));
    document.dispatchEvent(new CustomEvent("restyle:try-again"));
  });
  onClick("delete", async () => {
    await alone(() => remove(record));
    await showNotice();
  });
  return row;
}
