// Screening a question and its abstracts. The work is the JSON of the hidden field: {chosen, focus, kind, type,
// documents: {id: in or out}}. The keys of an abstract stand on the current one, so keys.js activates that one's.
let root = null;
let field = null;
let state = null;
let current = null;

const all = () => [...root.querySelectorAll("[data-document]")];
const keyOf = (holder) => holder.dataset.document;
const find = (key) => root.querySelector(`[data-document="${CSS.escape(key)}"]`);
const pressed = (button, on) => button.setAttribute("aria-pressed", on);
const words = (name, values) => root.dataset[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);

function write(step = "") {
  field.dataset.step = step;
  field.value = JSON.stringify(state);
  field.dispatchEvent(new CustomEvent("input", { bubbles: true }));
  draw();
}

function drawQuestion() {
  for (const button of root.querySelectorAll("[data-choose]")) pressed(button, button.dataset.choose === String(state.chosen));
  for (const button of root.querySelectorAll("[data-type]")) pressed(button, button.dataset.type === state.type);
  for (const input of root.querySelectorAll("[data-code]")) {
    if (input.value !== state[input.dataset.code]) input.value = state[input.dataset.code];
  }
  root.querySelector("[data-codes]").hidden = state.chosen !== true;
  root.querySelector("[data-found]").hidden = state.chosen !== true;
}

function drawDocument(holder) {
  const said = state.documents[keyOf(holder)];
  holder.dataset.said = said === undefined ? "" : said ? "in" : "out";
  holder.toggleAttribute("data-current", keyOf(holder) === current);
  for (const button of holder.querySelectorAll("[data-in]")) pressed(button, button.dataset.in === String(said));
  for (const element of holder.querySelectorAll("[data-for-key]")) {
    if (keyOf(holder) === current) element.dataset.key = element.dataset.forKey;
    else delete element.dataset.key;
  }
}

function draw() {
  drawQuestion();
  all().forEach(drawDocument);
  const said = all().map((holder) => state.documents[keyOf(holder)]).filter((one) => one !== undefined);
  root.querySelector("[data-bar]").value = said.length;
  root.querySelector("[data-done]").textContent = words("wordsProgress", { done: said.length, total: all().length });
  root.querySelector("[data-chosen]").textContent =
    words("wordsChosen", { count: said.filter(Boolean).length, target: root.dataset.target });
}

function makeCurrent(key) {
  if (key === current) return;
  const last = current && find(current);
  current = key;
  if (last) drawDocument(last);
  drawDocument(find(key));
}

const say = (words) => document.dispatchEvent(new CustomEvent("restyle:say", { detail: words }));

function goTo(holder) {
  if (!holder) return;
  makeCurrent(keyOf(holder));
  holder.focus({ preventScroll: true });
  holder.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const list = all();
  const place = list.findIndex((holder) => keyOf(holder) === current);
  goTo(list[Math.min(Math.max(place + by, 0), list.length - 1)]);
}

function goOn() {
  const list = all();
  const open = list.filter((holder) => state.documents[keyOf(holder)] === undefined);
  const place = list.indexOf(find(current));
  if (!open.length) { goToNext(); return; }
  const next = open.find((holder) => list.indexOf(holder) > place) ?? open[0];
  goTo(next);
  say(next.ariaLabel);
}

// What is asked next: the codes of a chosen question, then its abstracts; at the end the button that hands it in.
function goToNext() {
  const code = ["focus", "kind"].find((name) => !state[name].trim());
  const open = all().find((holder) => state.documents[keyOf(holder)] === undefined);
  if (!state.chosen) submitButton()?.focus();
  else if (code) root.querySelector(`[data-code='${code}']`).focus();
  else if (!state.type) root.querySelector("[data-type]").focus();
  else if (open) goTo(open);
  else submitButton()?.focus();
}
const submitButton = () => root.closest("form").querySelector(".workbar .button.primary");

function choose(chosen) {
  state.chosen = chosen;
  write();
  goToNext();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-screen] button");
  if (!button) return;
  if (button.dataset.choose) choose(button.dataset.choose === "true");
  else if (button.dataset.type) { state.type = button.dataset.type; write(); goToNext(); }
  else if (button.dataset.stepBy) step(Number(button.dataset.stepBy));
  else if (button.dataset.in) {
    makeCurrent(keyOf(button.closest("[data-document]")));
    state.documents[current] = button.dataset.in === "true";
    write();
    goOn();
  }
});

document.addEventListener("input", (event) => {
  const code = event.target.dataset?.code;
  if (!code || !root?.contains(event.target)) return;
  state[code] = event.target.value;
  write(`code-${code}`);
});

document.addEventListener("focusin", (event) => {
  const holder = event.target.closest("[data-screen] [data-document]");
  if (holder) makeCurrent(keyOf(holder));
});

document.addEventListener("keydown", (event) => {
  if (!root?.isConnected || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const holder = event.target.closest("[data-screen] [data-document]");
  const coding = event.target.closest("[data-screen] [data-code]");
  if (way && holder && !event.altKey) { event.preventDefault(); step(way); }
  else if (coding && ((way && event.altKey) || event.key === "Escape")) { event.preventDefault(); goTo(find(current ?? "") ?? all()[0]); }
  else if (coding && event.key === "Enter" && state[coding.dataset.code].trim()) { event.preventDefault(); goToNext(); }
  else if (coding && event.key === "Enter" && coding.matches("input")) event.preventDefault(); // nothing is handed in by a slip
});

function restored() {
  if (!root?.isConnected) return;
  state = JSON.parse(field.value);
  draw();
}

function begin() {
  const found = document.querySelector("[data-screen]");
  if (!found || found === root) return;
  root = found;
  field = root.querySelector("[data-state]");
  state = JSON.parse(field.value);
  const open = all().find((holder) => state.documents[keyOf(holder)] === undefined) ?? all()[0];
  current = open ? keyOf(open) : null;
  draw();
  if (!root.checkVisibility()) return;
  // After refusal.js, which leads to what is wrong.
  setTimeout(() => {
    if (root.contains(document.activeElement)) return;
    if (state.chosen === null) root.querySelector("[data-choose]").focus({ preventScroll: true });
    else if (state.chosen && open) goTo(open);
  });
}

document.addEventListener("restyle:restored", restored);
document.addEventListener("htmx:afterSettle", begin);
begin();
