// What is said to the patient: the server proposes it with each draft, and somebody says that it is right or writes it.
// What each event on the page leads to.
import { draw, ownLines } from "./addressed/drawing.js";
import { agreed, changedLines, edited, isStale, remember, setProposals, start, withdrawn } from "./addressed/state.js";

let root = null;
const PATIENCE = 3000; // milliseconds that a submission waits for proposals
let isAgreeing = false; // to all, once they are of what stands there now
let heldBack = null; // a submission until then

const field = () => document.querySelector("[data-rephrase] [data-state]");
const read = () => JSON.parse(field().value);
const isShown = () => root?.isConnected;

// `step` names a text that is being typed: changes that follow each other under one name are undone together.
function write(work, step = "") {
  remember(work);
  field().value = JSON.stringify(work);
  field().dataset.step = step;
  field().dispatchEvent(new CustomEvent("input", { bubbles: true }));
  draw(root, work);
}

// Runs before the others hear of the change, so that it is one step of undo with it.
function onChangeAbove() {
  const changed = changedLines(read());
  if (!changed.length) return;
  const work = changed.reduce(withdrawn, read());
  remember(work);
  field().value = JSON.stringify(work);
  draw(root, work);
}

function onInput({ target }) {
  const name = target.closest("[data-line]")?.dataset.line;
  if (name && target.matches("textarea")) write(edited(read(), name, target.value), name);
}

function onClick({ target }) {
  const line = target.closest("[data-line]");
  const name = line?.dataset.line;
  const work = read();
  if (target.matches("[data-right]")) write(target.checked ? agreed(work, name) : withdrawn(work, name));
  else if (target.closest("[data-again]")) confirmAndEdit(line, { ...work, [name]: null });
  else if (target.closest("[data-anyway]")) confirmAndEdit(line, work);
  else if (target.closest("[data-all-right]")) agreeToAll();
}

// What was typed a moment ago is proposed for first: nobody says that something is right which they have not seen.
function agreeToAll() {
  isAgreeing = ownLines(root).some(({ dataset }) => isStale(dataset.line));
  if (isAgreeing) document.dispatchEvent(new CustomEvent("restyle:save-now"));
  else write(ownLines(root).reduce((result, each) => agreed(result, each.dataset.line), read()));
}

function sendHeldBack() {
  const send = heldBack;
  heldBack = null;
  send?.();
}

function confirmAndEdit(line, work) {
  write(agreed(work, line.dataset.line));
  line.querySelector("textarea").focus();
}

function onRestored() {
  const work = read();
  changedLines(work);
  remember(work);
  draw(root, work);
}

function begin() {
  root = document.querySelector("[data-addressed]");
  if (!root) return;
  start(read(), JSON.parse(root.dataset.proposed));
  isAgreeing = false;
  heldBack = null;
  draw(root, read());
}

document.addEventListener("input", (event) => { if (isShown() && event.target === field()) onChangeAbove(); }, true);
document.addEventListener("input", (event) => { if (isShown() && root.contains(event.target)) onInput(event); });
document.addEventListener("click", (event) => { if (isShown() && root.contains(event.target)) onClick(event); });
document.addEventListener("restyle:saved", ({ detail }) => {
  if (!isShown() || !detail.proposed || detail.sent.work !== field().value) return;
  setProposals(detail.proposed);
  draw(root, read());
  if (isAgreeing) agreeToAll();
  if (!isAgreeing) sendHeldBack();
});
document.addEventListener("htmx:confirm", (event) => {
  if (!isShown() || !isAgreeing || !event.target.contains(root) || event.detail.path !== event.target.getAttribute("hx-post")) return;
  event.preventDefault();
  heldBack = () => event.detail.issueRequest(true);
  setTimeout(sendHeldBack, PATIENCE);
});
document.addEventListener("restyle:compare", () => { if (isShown()) draw(root, read()); });
document.addEventListener("restyle:restored", () => { if (isShown()) onRestored(); });
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "work") begin(); });
begin();
