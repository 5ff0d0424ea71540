// Adapting an abstract sentence by sentence. The work is the JSON of the hidden field: {"sentences": [{number,
// operation, targets, reason}]}. Only the current sentence has an editor, so a long abstract stays light; the others
// show what was decided. The keys stand on the editor's buttons, so keys.js activates those of the current sentence.
let root = null;
let field = null;
let state = null; // the sentence's number → its decision
let current = 0;
let typed = new Map(); // targets as they were written, for coming back from another choice

const row = (number) => root.querySelector(`[data-sentence="${number}"]`);
const source = (number) => row(number).querySelector("[data-diff-source]").dataset.diffSource;
const numbers = () => [...state.keys()];
const inWords = (name, values) => root.dataset[`words${name[0].toUpperCase()}${name.slice(1)}`]
  .replace(/\{(\w+)\}/g, (_, key) => values[key]);
const decided = (number) => standing(number) === state.get(number).operation && standing(number) !== "";

// How a sentence stands: its operation where that is complete, else what is missing ("" where nothing is chosen).
function standing(number) {
  const { operation, targets, reason } = state.get(number);
  if (operation === "dropped") return reason.trim() ? operation : "why";
  if (operation === "rewritten" || operation === "split") {
    if (targets.some((target) => !target.trim())) return "empty";
    if (operation === "rewritten" && targets[0].trim() === source(number).trim()) return "same";
  }
  return operation;
}

function undecidedAfter(number) {
  const open = numbers().filter((one) => !decided(one));
  return open.find((one) => one > number) ?? open[0];
}

function write(step = "") {
  field.dataset.step = step;
  field.value = JSON.stringify({ sentences: [...state.values()] });
  field.dispatchEvent(new CustomEvent("input", { bubbles: true }));
  summarize();
}

function read() {
  state = new Map(JSON.parse(field.value).sentences.map((one) => [one.number, one]));
}

function summarize() {
  const done = numbers().filter(decided).length;
  root.querySelector("[data-decided]").textContent = inWords("progress", { done, total: state.size });
  root.querySelector("[data-decided-bar]").value = done;
  root.querySelector("[data-running]").replaceChildren(...numbers().flatMap(running));
}

function running(number) {
  const { operation, targets } = state.get(number);
  if (operation === "dropped") return [];
  if (operation) return [`${targets.map((target) => target.trim()).filter(Boolean).join(" ")} `];
  const gap = document.createElement("span");
  gap.className = "adapt-gap";
  gap.textContent = `[${inWords("gap", { number })}]`;
  return [gap, " "];
}

function tell(number) {
  const how = standing(number) || "undecided";
  const told = row(number).querySelector("[data-told]");
  told.textContent = inWords(how, {});
  row(number).dataset.standing = decided(number) ? how : "open";
}

function outcome(number) {
  const { operation, targets, reason } = state.get(number);
  const texts = operation === "dropped" ? [reason] : operation === "kept" ? [] : targets;
  return texts.filter(Boolean).map((text) => {
    const shown = document.createElement("p");
    shown.className = operation === "dropped" ? "adapt-dropped" : "text adapt-outcome";
    shown.dir = "auto";
    shown.textContent = text;
    return shown;
  });
}

function target(number, text, place) {
  const made = root.querySelector("template[data-target]").content.cloneNode(true).firstElementChild;
  const written = made.querySelector("textarea");
  written.value = text;
  written.setAttribute("aria-label", inWords("target", { number, place: place + 1 }));
  const { targets } = state.get(number);
  made.querySelector("[data-target-acts]").hidden = targets.length < 2;
  made.querySelector("[data-up]").disabled = place === 0;
  made.querySelector("[data-down]").disabled = place === targets.length - 1;
  return made;
}

function editor(number) {
  const { operation, targets, reason } = state.get(number);
  const made = root.querySelector("template[data-editor]").content.cloneNode(true);
  for (const button of made.querySelectorAll("[data-operation]")) {
    button.setAttribute("aria-pressed", button.dataset.operation === operation);
  }
  const writes = operation === "rewritten" || operation === "split";
  if (writes) made.querySelector("[data-targets]").append(...targets.map((text, place) => target(number, text, place)));
  made.querySelector("[data-add]").hidden = !writes;
  made.querySelector("[data-why]").hidden = operation !== "dropped";
  for (const button of made.querySelectorAll("[data-reason]")) {
    button.setAttribute("aria-pressed", button.dataset.reason === reason);
  }
  const why = made.querySelector("[data-reason-text]");
  if (why) why.value = reason;
  before(number, made);
  return made;
}

function before(number, made) {
  const earlier = JSON.parse(root.dataset.earlier)[number];
  if (!earlier) return;
  made.querySelector("[data-before]").hidden = false;
  made.querySelector("[data-before-operation]").textContent = inWords(earlier.operation, {});
  made.querySelector("[data-before-text]").textContent = earlier.targets.join(" ") || earlier.reason;
}

function compare(number) {
  const hidden = row(number).querySelector("[data-diff]");
  if (!hidden) return;
  const { operation, targets } = state.get(number);
  hidden.value = operation === "rewritten" || operation === "split" ? targets.join(" ") : "";
  hidden.dispatchEvent(new CustomEvent("restyle:compare", { bubbles: true }));
}

function draw(number) {
  row(number).toggleAttribute("data-current", number === current);
  row(number).querySelector("[data-body]").replaceChildren(...(number === current ? [editor(number)] : outcome(number)));
  tell(number);
  compare(number);
}

function bringIntoView(number) {
  row(number).scrollIntoView({ block: "nearest" });
}

function makeCurrent(number) {
  if (number === current) return;
  const last = current;
  current = number;
  if (state.has(last)) draw(last);
  draw(number);
}

function goTo(number) {
  if (number === undefined) return;
  makeCurrent(number);
  row(number).focus({ preventScroll: true });
  bringIntoView(number);
}

function step(by) {
  const all = numbers();
  goTo(all[Math.min(Math.max(all.indexOf(current) + by, 0), all.length - 1)]);
}

function goOn() {
  const next = undecidedAfter(current);
  if (next === undefined) {
    row(current).focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent("restyle:say", { detail: root.dataset.wordsAll }));
  } else goTo(next);
}

function writeAt(place, cursor) {
  const written = row(current).querySelectorAll("[data-target-text]")[place];
  written?.focus({ preventScroll: true });
  written?.setSelectionRange(cursor ?? written.value.length, cursor ?? written.value.length);
  bringIntoView(current);
}

function choose(operation) {
  const one = state.get(current);
  const last = typed.get(current) ?? [source(current)];
  const split = last.length > 1 ? last : [...last, ""];
  one.targets = { kept: [source(current)], dropped: [], rewritten: [last.join(" ").trim()], split }[operation];
  one.reason = operation === "dropped" ? one.reason : "";
  one.operation = operation;
  write();
  draw(current);
  if (operation === "kept") goOn();
  else if (operation === "dropped") row(current).querySelector("[data-why] :is(button, input)").focus();
  else writeAt(0, operation === "split" ? 0 : undefined);
}

// The targets of the current sentence are these now; one is a rewrite, more are a split.
function put(targets, name = "") {
  const one = state.get(current);
  one.targets = targets;
  one.operation = targets.length > 1 ? "split" : "rewritten";
  typed.set(current, targets);
  write(name);
}

function putAnew(targets, place, cursor) {
  put(targets);
  draw(current);
  writeAt(place, cursor);
}

function typedIn(written) {
  const place = [...row(current).querySelectorAll("[data-target-text]")].indexOf(written);
  const targets = [...state.get(current).targets];
  const lines = written.value.split(/\r?\n/);
  if (lines.length === 1) {
    targets[place] = written.value;
    const operation = state.get(current).operation;
    put(targets, `text-${current}-${place}`);
    if (operation !== state.get(current).operation) draw(current);
    tell(current);
    compare(current);
    return;
  }
  const parts = lines.map((line, at) => (at ? line.trimStart() : line.trimEnd()));
  const free = targets[place + 1] === "" && parts.length > 1 ? 1 : 0; // the empty one below takes the second half
  targets.splice(place, 1 + free, ...parts);
  putAnew(targets, place + parts.length - 1, 0);
}

function join(place) {
  const targets = [...state.get(current).targets];
  const head = targets[place - 1].trimEnd();
  const gap = head && targets[place].trim() ? " " : "";
  targets.splice(place - 1, 2, head + gap + targets[place].trimStart());
  putAnew(targets, place - 1, head.length + gap.length);
}

function act(button) {
  const holder = button.closest(".adapt-target");
  const place = holder ? [...holder.parentElement.children].indexOf(holder) : -1;
  const targets = [...state.get(current).targets];
  if (button.matches("[data-add]")) putAnew([...targets, ""], targets.length);
  else if (button.matches("[data-remove]")) putAnew(targets.toSpliced(place, 1), Math.max(0, place - 1));
  else {
    const other = place + (button.matches("[data-up]") ? -1 : 1);
    [targets[place], targets[other]] = [targets[other], targets[place]];
    putAnew(targets, other);
  }
}

function reuse() {
  const earlier = JSON.parse(root.dataset.earlier)[current];
  Object.assign(state.get(current), structuredClone(earlier));
  if (earlier.targets.length) typed.set(current, [...earlier.targets]);
  write();
  draw(current);
  row(current).focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-adapt] button");
  if (!button) return;
  if (button.dataset.operation) choose(button.dataset.operation);
  else if (button.dataset.stepBy) step(Number(button.dataset.stepBy));
  else if (button.matches("[data-use]")) reuse();
  else if (button.matches("[data-add], [data-remove], [data-up], [data-down]")) act(button);
  else if (button.dataset.reason !== undefined) {
    state.get(current).reason = button.dataset.reason;
    write();
    draw(current);
    goOn();
  }
});

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-target-text]")) typedIn(event.target);
  else if (event.target.matches("[data-reason-text]")) {
    state.get(current).reason = event.target.value;
    write(`reason-${current}`);
    tell(current);
  }
});

document.addEventListener("focusin", (event) => {
  const holder = event.target.closest("[data-adapt] [data-sentence]");
  if (holder) makeCurrent(Number(holder.dataset.sentence));
});

document.addEventListener("keydown", (event) => {
  const holder = event.target.closest("[data-adapt] [data-sentence]");
  if (!holder || event.isComposing || event.ctrlKey || event.metaKey) return;
  const writing = event.target.matches("textarea, input");
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (way && !event.shiftKey && event.altKey === writing) { event.preventDefault(); step(way); }
  else if (event.key === "Escape" && writing) holder.focus({ preventScroll: true });
  else if (event.key === "Enter" && event.target.matches("[data-reason-text]")) { event.preventDefault(); goOn(); }
  else if (event.key === "Backspace" && event.target.matches("[data-target-text]")) {
    const { selectionStart, selectionEnd } = event.target;
    const place = [...holder.querySelectorAll("[data-target-text]")].indexOf(event.target);
    if (place > 0 && selectionStart === 0 && selectionEnd === 0) { event.preventDefault(); join(place); }
  }
});

function drawAll() {
  for (const number of numbers()) draw(number);
  summarize();
}

function restored() {
  if (!root?.isConnected) return;
  const before = new Map([...state].map(([number, one]) => [number, JSON.stringify(one)]));
  const inside = row(current).contains(document.activeElement);
  read();
  for (const number of numbers()) if (before.get(number) !== JSON.stringify(state.get(number))) draw(number);
  summarize();
  if (inside && !row(current).contains(document.activeElement)) row(current).focus({ preventScroll: true });
}

function begin() {
  const found = document.querySelector("[data-adapt]");
  if (!found || found === root) return;
  root = found;
  field = root.querySelector("[data-state]");
  typed = new Map();
  read();
  for (const [number, { targets, operation }] of state) {
    if (operation === "rewritten" || operation === "split") typed.set(number, [...targets]);
  }
  const wrong = Number(root.dataset.wrong.replace("sentence-", ""));
  current = state.has(wrong) ? wrong : undecidedAfter(0) ?? numbers()[0];
  for (const details of root.querySelectorAll("[data-wide-open]")) details.open = matchMedia("(min-width: 64rem)").matches;
  drawAll();
  if (!root.checkVisibility() || (root.dataset.wrong && !wrong)) return;
  // After focus.js, which would leave the focus on the message (it is read out all the same); but somebody who has begun
  // to work is not torn away.
  setTimeout(() => {
    if (root.contains(document.activeElement)) return;
    if (current === numbers()[0] && !wrong) row(current).focus({ preventScroll: true });
    else goTo(current);
  });
}

document.addEventListener("restyle:restored", restored);
document.addEventListener("htmx:afterSettle", begin);
begin();
