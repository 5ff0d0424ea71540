// Pairing the sentences of two columns. The state {pairs, none, chosen} is JSON in [data-state]; everything on the page
// is drawn from it. A pair's letter and colour are its place in the list.
const HUES = 8;
const SIDES = ["source", "target"];
const root = () => document.querySelector("[data-align]");
const field = () => root().querySelector("[data-state]");
const read = () => JSON.parse(field().value);
const letter = (n) => String.fromCharCode(65 + (n % 26)) + (n < 26 ? "" : String(Math.floor(n / 26) + 1));
const words = (name, n) => root().dataset[`words${name}`].replace("LETTER", n === undefined ? "" : letter(n));
const rows = (side) => [...root().querySelectorAll(`[data-column="${side}"] [data-place]`)];
const sideOf = (row) => row.closest("[data-column]").dataset.column;
const placeOf = (row) => Number(row.dataset.place);
const pairsOf = (state, side, place) => [...state.pairs.keys()].filter((n) => state.pairs[n][side].includes(place));
const tell = (name, text) => document.dispatchEvent(new CustomEvent(`restyle:${name}`, { detail: text }));

function write(state, step = "") {
  field().dataset.step = step;
  field().value = JSON.stringify(state);
  draw();
  field().dispatchEvent(new CustomEvent("input", { bubbles: true }));
}

function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function badge(n) {
  const made = make("span", "letter", letter(n));
  made.dataset.hue = n % HUES;
  return made;
}

function drawRow(row, state) {
  const [side, place] = [sideOf(row), placeOf(row)];
  const inside = pairsOf(state, side, place);
  const box = row.querySelector("input");
  box.checked = state.chosen[side].includes(place);
  box.setAttribute("aria-disabled", String(inside.length > 0 && !("reuse" in root().dataset)));
  row.classList.toggle("chosen", box.checked);
  row.classList.toggle("paired", inside.length > 0);
  if (inside.length) row.dataset.hue = inside[0] % HUES;
  else delete row.dataset.hue;
  row.querySelector("[data-letters]").replaceChildren(...inside.map(badge));
  row.querySelector("[data-in]").textContent = inside.map((n) => `, ${words("In", n)}`).join("");
}

function drawPair(pair, n) {
  const item = make("li", "pair");
  item.dataset.pair = n;
  item.dataset.hue = n % HUES;
  const sheets = make("div", "pair-texts");
  for (const side of SIDES) {
    const texts = pair[side].map((place) => {
      const text = make("p", "text", plain(rows(side)[place]));
      text.dir = "auto";
      return text;
    });
    const cell = make("div", "pair-side");
    cell.append(...texts);
    sheets.append(cell);
  }
  const remove = make("button", "button quiet small icon-only pair-remove", "\u00d7");
  remove.type = "button";
  remove.setAttribute("aria-label", words("Remove", n));
  remove.id = `align-remove-${n}`;
  item.append(badge(n), sheets, remove);
  return item;
}

// The sentence without the notes that its concepts carry.
function plain(row) {
  const text = row.querySelector("[data-text]").cloneNode(true);
  text.querySelectorAll("[role=tooltip]").forEach((note) => note.remove());
  return text.textContent;
}

function draw() {
  if (!root()) return;
  const state = read();
  for (const side of SIDES) {
    rows(side).forEach((row) => drawRow(row, state));
    root().querySelector(`[data-count="${side}"]`).textContent = state.chosen[side].length || "";
  }
  root().querySelector("[data-pairs]").replaceChildren(...state.pairs.map(drawPair));
  root().querySelector("[data-no-pairs]").hidden = state.pairs.length > 0 || state.none;
  root().querySelector("[data-total]").textContent = state.pairs.length || "";
  const none = root().querySelector("[data-none]");
  none.checked = state.none;
  none.disabled = state.pairs.length > 0;
  const ready = SIDES.every((side) => state.chosen[side].length);
  root().querySelector("[data-make]").setAttribute("aria-disabled", String(!ready));
  const next = root().querySelector("[data-make-letter]");
  next.textContent = letter(state.pairs.length);
  next.dataset.hue = state.pairs.length % HUES;
}

function choose(row) {
  const state = read();
  const [side, place] = [sideOf(row), placeOf(row)];
  const inside = pairsOf(state, side, place);
  if (inside.length && !("reuse" in root().dataset)) {
    draw();
    tell("say", words("Taken", inside[0]));
    tell("toast", words("Taken", inside[0]));
    return;
  }
  const chosen = new Set(state.chosen[side]);
  if (!chosen.delete(place)) chosen.add(place);
  state.chosen[side] = [...chosen].sort((one, other) => one - other);
  if (state.chosen[side].length) state.none = false;
  write(state, "choose");
}

function pair() {
  const state = read();
  const made = Object.fromEntries(SIDES.map((side) => [side, state.chosen[side]]));
  if (SIDES.some((side) => !made[side].length)) return tell("toast", words("Both"));
  if (state.pairs.some((one) => JSON.stringify(one) === JSON.stringify(made))) return tell("toast", words("Twice"));
  const n = state.pairs.push(made) - 1;
  state.chosen = { source: [], target: [] };
  state.none = false;
  write(state);
  return tell("say", words("Made", n));
}

function remove(n) {
  const state = read();
  if (n === undefined || !state.pairs[n]) return;
  state.pairs.splice(n, 1);
  write(state);
  tell("say", words("Removed", n));
}

function show(side) {
  root().dataset.side = side;
  for (const button of root().querySelectorAll("[data-side-button]")) {
    button.setAttribute("aria-pressed", String(button.dataset.sideButton === side));
  }
}

function enter(row) {
  if (!row) return;
  show(sideOf(row));
  row.querySelector("input").focus();
  row.scrollIntoView({ block: "nearest" });
}

// The sentence on the other side that stands nearest on the screen; on a phone, where one side shows, its chosen one.
function across(row) {
  const side = SIDES.find((each) => each !== sideOf(row));
  const there = rows(side);
  if (!there[0].checkVisibility()) return there.find((each) => each.matches(".chosen")) ?? there[0];
  const from = row.getBoundingClientRect();
  const far = (each) => Math.abs(each.getBoundingClientRect().top - from.top);
  return there.reduce((best, each) => (far(each) < far(best) ? each : best));
}

function moved(row, key) {
  const here = rows(sideOf(row));
  const forward = getComputedStyle(root()).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (key === "ArrowDown") return here[placeOf(row) + 1];
  if (key === "ArrowUp") return here[placeOf(row) - 1];
  if (key === "Home") return here[0];
  if (key === "End") return here.at(-1);
  return (key === forward) === (sideOf(row) === "source") ? across(row) : null;
}

const MOVES = new Set(["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"]);

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const row = event.target.closest("[data-align] [data-place]");
  const listed = event.target.closest("[data-align] [data-pair]");
  if (event.key === "Delete" && (row || listed)) {
    event.preventDefault();
    if (row) return remove(pairsOf(read(), sideOf(row), placeOf(row)).at(-1));
    remove(Number(listed.dataset.pair));
    return (root().querySelector("[data-pair] button") ?? root().querySelector("[data-none]")).focus();
  }
  if (!row) return undefined;
  if (event.key === "Enter") { event.preventDefault(); return pair(); }
  if (!MOVES.has(event.key)) return undefined;
  event.preventDefault();
  return enter(moved(row, event.key));
}

function onClick(event) {
  const within = event.target.closest("[data-align]");
  if (!within) return;
  const button = event.target.closest("button");
  if (button?.matches("[data-make]")) pair();
  else if (button?.matches("[data-side-button]")) show(button.dataset.sideButton);
  else if (button?.matches("[data-translations]")) translations(button.getAttribute("aria-pressed") !== "true");
  else if (button?.matches(".pair-remove")) {
    remove(Number(button.closest("[data-pair]").dataset.pair));
    (within.querySelector("[data-pair] button") ?? within.querySelector("[data-none]")).focus();
  }
}

function onChange(event) {
  const box = event.target;
  if (!box.closest("[data-align]")) return;
  if (box.matches("[data-none]")) {
    const chosen = { source: [], target: [] };
    write(box.checked ? { ...read(), none: true, chosen } : { ...read(), none: false });
  } else if (box.matches("[data-place] input")) choose(box.closest("[data-place]"));
}

// The sentences of a pair light up together.
function light(event) {
  const n = event.target.closest?.("[data-align] [data-pair]")?.dataset.pair;
  if (!root()) return;
  const pair = n === undefined ? null : read().pairs[n];
  for (const side of SIDES) rows(side).forEach((row) => row.classList.toggle("lit", pair?.[side].includes(placeOf(row)) ?? false));
}

function translations(shown) {
  const button = root()?.querySelector("[data-translations]");
  if (!button) return;
  button.setAttribute("aria-pressed", String(shown));
  root().toggleAttribute("data-translated", shown);
  try { localStorage.setItem("restyle-translations", shown ? "on" : "off"); } catch { /* holds for this page */ }
}

function begin() {
  if (!root()) return;
  let shown = true;
  try { shown = localStorage.getItem("restyle-translations") !== "off"; } catch { /* private */ }
  translations(shown);
  draw();
}

document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
document.addEventListener("change", onChange);
document.addEventListener("focusin", light);
document.addEventListener("pointerover", light);
document.addEventListener("restyle:restored", draw);
document.addEventListener("htmx:afterSettle", begin);
begin();
