// The line of one's own progress. Each item brings its numbers as data of #work, and an answer that waited for the network
// as an event; the line is drawn from them. What is left is counted down here, and told again now and then. Without scripts the page comes whole, with the line in it.
import { ofKind } from "../counted.js";

const language = document.documentElement.lang || undefined;
const digits = { numberingSystem: "latn", useGrouping: "always" }; // as the server writes them
const whole = new Intl.NumberFormat(language, digits);
const money = new Intl.NumberFormat(language, { ...digits, minimumFractionDigits: 2, maximumFractionDigits: 2 });
const NUMBERS = ["done", "today", "pace", "due", "left", "more"];
const HOURS_OF_A_DAY = 24;

const line = () => document.getElementById("work-progress");
const words = JSON.parse(document.getElementById("progress-words")?.textContent ?? "{}");
const filled = (sentence, values) => Object.entries(values)
  .reduce((text, [name, value]) => text.replace(name === "%d" ? name : `%(${name})s`, value), sentence);
const counted = (sentences, n) => filled(ofKind(sentences, n), { n: whole.format(n) });

function soLong(hours) {
  const [sentences, n] = hours < 1 ? [words.minutes, Math.max(1, Math.round(hours * 60))]
    : hours < 2 * HOURS_OF_A_DAY ? [words.hours, Math.round(hours)]
      : [words.days, Math.round(hours / HOURS_OF_A_DAY)];
  return filled(ofKind(sentences, n), { "%d": n });
}

// What the new numbers say; where they do not say what is left, it is what was left before, without what was done since.
function take(told, { dataset }) {
  const since = told.done - dataset.done;
  if (told.left !== undefined) delete dataset.more;
  else if (dataset.left !== undefined && !dataset.more) dataset.left = Math.max(0, dataset.left - since);
  for (const name of NUMBERS) if (told[name] !== undefined) dataset[name] = told[name];
}

function entries({ done, today, goal, pace, due, currency, left, more }) {
  const isCounted = left !== undefined && !more;
  const hours = isCounted && pace !== undefined ? (left * pace) / 3600 : 0;
  const isReached = goal !== undefined && Number(today) >= Number(goal);
  return [
    ["", counted(words.done, Number(done))],
    more && ["", filled(words.more, { n: whole.format(left) })],
    isCounted && ["", counted(words.left, Number(left))],
    hours && ["at-pace", filled(words.pace, { time: soLong(hours) })],
    due !== undefined && ["is-due", filled(words.due, { amount: money.format(due), currency })],
    goal !== undefined
      ? [isReached ? "reached" : "", filled(words.goal, { n: whole.format(today), goal: whole.format(goal) })]
      : Number(today) > 0 && ["", filled(words.today, { n: whole.format(today) })],
  ].filter(Boolean);
}

function draw(place) {
  const { done, left, more } = place.dataset;
  const bar = place.querySelector("progress");
  bar.hidden = left === undefined || Boolean(more);
  bar.max = Math.max(1, Number(done) + Number(left ?? 0));
  bar.value = Number(done);
  place.querySelector("ul").replaceChildren(...entries(place.dataset).map(([name, text]) => {
    const entry = document.createElement("li");
    entry.className = name;
    entry.textContent = text;
    return entry;
  }));
}

document.addEventListener("htmx:afterSwap", () => {
  const told = document.getElementById("work")?.dataset;
  const place = line();
  if (!place || told?.done === undefined || told.done === place.dataset.done && told.left === undefined) return;
  take(told, place);
  draw(place);
});
// Answers of another campaign may have waited here too, and other ways may have told of later ones meanwhile.
document.addEventListener("restyle:progress", ({ detail: { base, told } }) => {
  const place = line();
  if (!place || base !== location.pathname || Number(told.done) < Number(place.dataset.done)) return;
  take(told, place);
  draw(place);
});
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const { left, more } = line()?.dataset ?? {};
  if (detail.path.endsWith("/submit/") && left !== undefined && !more) detail.parameters.set("left", left);
});
