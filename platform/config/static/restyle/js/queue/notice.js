// What is said of the answers in this browser: a quiet line of how many wait, and each that the server did not take,
// with what was typed, until its person has put it away.
import { alone } from "./sending.js";
import { kept, remove } from "./store.js";

const place = document.getElementById("waiting");
const counted = (words, count) => words[count === 1 ? "one" : "other"].replace("{count}", count);
export const words = (count) => counted({ one: place.dataset.one, other: place.dataset.other }, count);
export const wordsUnsent = (count) => counted({ one: place.dataset.unsentOne, other: place.dataset.unsentOther }, count);

export async function showNotice() {
  const all = await kept();
  const count = all.filter(({ refused }) => !refused).length;
  const line = place.querySelector("[data-count]");
  const said = count ? words(count) : "";
  if (line.textContent !== said) line.textContent = said;
  place.querySelector("[data-refused-list]").replaceChildren(...all.filter(({ refused }) => refused).map(drawn));
}

function drawn(record) {
  const row = document.getElementById("refused-answer").content.cloneNode(true).firstElementChild;
  row.querySelector("[data-why]").textContent = `${record.said}: ${record.refused}`;
  row.querySelector("[data-text]").textContent = record.typed.map(([, value]) => value).join("\n");
  row.querySelector("a").href = record.base;
  row.querySelector("button").addEventListener("click", async () => {
    await alone(() => remove(record));
    await showNotice();
  });
  return row;
}
