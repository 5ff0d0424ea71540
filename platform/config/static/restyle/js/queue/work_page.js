// The work page with items ahead: an answer that the network does not take at once waits in the browser, and the next
// item is shown from what is there. One tab of a campaign has items ahead, the one that holds the lock.
import { giveBack, isAhead, itemOnPage, leaseAhead, nextAhead, putBack } from "./ahead.js";
import { csrfToken } from "../server.js";
import { alone } from "./sending.js";
import { add, kept, remove, waiting } from "./store.js";
import {
  beginAnew, currentForm, isComplete, keysIn, leaveBehind, recallKeys, rememberKeys, show, showNothingLeft, takeLeft, typedIn,
} from "./work_form.js";

const PATIENCE = 1500; // milliseconds that an answer may take before the next item is shown
const SLOW = 350; // milliseconds: where the last two answers took longer, the next ones are sent while people go on
const PAUSE = 2000; // before what follows is asked for once more
const queued = []; // what this page put into the queue: [number, item as it came]
const sentAnswers = new Map(); // by slot, the records that were sent, until the server shows one of their items again
let staleAs = null; // what is typed of the item on the page, which was handed in meanwhile
let isTakingBack = false;
let waitingSlots = new Set(); // of this browser, whichever tab put their answers into the queue
let slow = null;
let sending = {}; // the request of the last answer that was not put into the queue, and when it began
const took = []; // milliseconds until the server had taken each of the last two answers that people waited for
let again = null;
let underWay = null; // what was handed in last and neither answered nor put into the queue yet

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
// A page that was opened before the campaign had items ahead has nothing to show once they are used up.
const isSubmission = ({ target, detail }) =>
  target.matches?.("form[data-ahead]") && document.getElementById("nothing-left") &&
  (detail.requestConfig ?? detail).path === target.getAttribute("hx-post");

const isSlow = () => took.length === 2 && Math.min(...took) > SLOW;

const noteWaiting = async () => { waitingSlots = new Set((await waiting()).map(({ slot }) => slot)); };

const recordOf = (form, handed) => ({
  base: form.getAttribute("action").replace(/submit\/$/, ""), slot: form.elements.slot.value, fields: [...new FormData(form)],
  typed: typedIn(form), said: form.closest("#work").dataset.say, handed,
});

// An answer that waits of the same item is sent before this one, which takes its place if it was handed in later.
async function moveOn(form) {
  clearTimeout(slow);
  const work = form.closest("#work");
  work.inert = true; // until the next item is there
  const item = itemOnPage();
  const slot = form.elements.slot.value;
  const handed = underWay?.slot === slot ? underWay.handed : Date.now();
  underWay = recordOf(form, handed);
  const older = (await waiting()).filter((each) => each.slot === slot && !(each.handed > handed));
  if (older.length) beginAnew(form, keysIn([...older.flatMap(({ fields }) => fields), ...new FormData(form)]));
  const record = recordOf(form, handed);
  try {
    queued.push([await add(record), item]);
    underWay = null;
  } catch {
    tell("restyle:toast", document.getElementById("toast").dataset.offline);
    work.inert = false;
    return;
  }
  rememberKeys(record.slot, record.fields);
  tell("restyle:set-aside", form);
  const next = nextAhead();
  if (next) show(next.html);
  else showNothingLeft();
  tell("restyle:queued");
}

function onUnreached(event) {
  if (!isSubmission(event) || !isComplete(event.target)) return;
  event.stopPropagation(); // nothing is wrong, and nothing is said but how many wait
  moveOn(event.target);
}

function onSlow(form) {
  if (!form.isConnected || !isAhead() || !isComplete(form)) return;
  htmx.trigger(form, "htmx:abort");
  moveOn(form);
}

// Whether what stands on the page was sent meanwhile. What was typed there since stays, and takes the place of it.
function isOfSentItem() {
  const form = currentForm();
  const sent = sentAnswers.get(form?.elements.slot.value);
  if (!sent) return false;
  sentAnswers.delete(sent.slot);
  beginAnew(form, keysIn([...new FormData(form), ...sent.fields]));
  const typed = JSON.stringify(typedIn(form));
  if (typed === "[]" || typed === JSON.stringify(sent.typed)) staleAs = typed;
  return isStale();
}

const isStale = () => staleAs !== null && JSON.stringify(typedIn(currentForm())) === staleAs;
const isOver = () => document.querySelector("#work[data-nothing-left]") !== null || isStale();

// Meanwhile nothing can be typed or pressed: it would be lost with the page. Nor does it come between an act and its end.
function showAfresh() {
  const work = document.getElementById("work");
  if (work.inert) return;
  work.inert = true;
  const path = work.dataset.nothingLeft ?? currentForm().dataset.afresh;
  htmx.ajax("GET", path, { target: "#work", swap: "outerHTML" })
    .catch(() => { /* htmx:sendError is heard */ }).then(() => { work.inert = false; });
}

// Nothing else asks for what follows, where that request is lost, or the act that it let go first, and no answer waits.
function onLost({ detail }) {
  if (detail.target?.id !== "work") return;
  clearTimeout(again);
  again = setTimeout(() => { if (isOver()) showAfresh(); }, PAUSE);
}

// What waits is taken back into the form; what was sent meanwhile is the server's to take back. It may be under way:
// until that is known no other act begins.
async function undo(button) {
  const work = button.closest("#work");
  work.inert = true;
  const [number, item] = queued.pop();
  const record = await alone(async () => {
    const found = (await kept()).find((each) => each.number === number && !each.refused);
    if (found) await remove(found);
    return found;
  }).finally(() => { work.inert = false; });
  if (record) takeBack(record, item);
  else button.click();
}

function takeBack(record, item) {
  const form = currentForm();
  if (form) {
    tell("restyle:set-aside", form);
    if (!isStale()) putBack();
  }
  isTakingBack = true;
  show(item.html);
  isTakingBack = false;
  beginAnew(currentForm(), keysIn(record.fields));
  tell("restyle:fill-in", record.typed);
  tell("restyle:unqueued");
  if (isOfSentItem()) showAfresh(); // not before it is filled in: an empty form says nothing
}

document.addEventListener("htmx:confirm", (event) => {
  if (!event.detail.path?.endsWith("/undo/") || !queued.length || !event.target.closest("#work")) return;
  event.preventDefault();
  undo(event.detail.triggeringEvent?.submitter ?? event.target);
});
// In their order: else what the server gives next is one of those that wait. On a slow line the next item would wait for
// the answer's way there and back, although it is here.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isSubmission(event) || !isComplete(event.target)) return;
  if (!waitingSlots.has(event.target.elements.slot.value) && !((queued.length || isSlow()) && isAhead())) return;
  event.preventDefault();
  moveOn(event.target);
});
document.addEventListener("htmx:beforeSend", (event) => {
  if (!isSubmission(event)) return;
  rememberKeys(event.target.elements.slot.value, [...new FormData(event.target)]);
  const record = recordOf(event.target, Date.now());
  const isAgain = underWay?.slot === record.slot && JSON.stringify(underWay.typed) === JSON.stringify(record.typed);
  underWay = isAgain ? { ...record, handed: underWay.handed } : record; // a site that starts again is asked once more
  sending = { xhr: event.detail.xhr, began: performance.now() };
  slow = setTimeout(onSlow, PATIENCE, event.target);
});
// What this tab handed in of the item that is shown, before it was loaded anew.
function takeUp() {
  const form = currentForm();
  const keys = form && recallKeys(form.elements.slot.value);
  if (keys) beginAnew(form, [...keysIn([...new FormData(form)]), keys]);
}
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  clearTimeout(slow);
  if (detail.xhr !== sending.xhr || !detail.successful) return;
  took.push(performance.now() - sending.began);
  if (took.length > 2) took.shift();
});
document.addEventListener("htmx:sendError", onUnreached, true);
// Whoever is signed out meanwhile sends it once they have signed in again; what a new sign-in overtook is sent again.
function isOfAnotherSession({ xhr: { status }, requestConfig: { headers } }) {
  return status === 401 || (status === 403 && headers["X-CSRFToken"] !== csrfToken());
}
document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (!isOfAnotherSession(event.detail) || !isSubmission(event) || !isComplete(event.target)) return;
  event.preventDefault();
  onUnreached(event);
}, true);
// What was not heard of may have been taken: what is handed in next from this form, changed or not, comes after it.
document.addEventListener("htmx:sendError", ({ target }) => {
  if (target.matches("form[data-work]") && target.isConnected) beginAnew(target, keysIn([...new FormData(target)]));
});
document.addEventListener("htmx:sendError", onLost);
document.addEventListener("htmx:responseError", onLost); // a server that starts again

document.addEventListener("restyle:queued", noteWaiting);
document.addEventListener("restyle:unqueued", noteWaiting);
document.addEventListener("restyle:sent", ({ detail: sent }) => {
  noteWaiting();
  const numbers = new Set(sent.map(({ number }) => number));
  queued.splice(0, queued.length, ...queued.filter(([number]) => !numbers.has(number)));
  sent.forEach((record) => sentAnswers.set(record.slot, record));
  if (isOfSentItem() || isOver()) showAfresh();
  else leaseAhead();
});
// A response that was under way while its item's answer was sent; a refused one may come again, and is shown then.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "work") return;
  underWay = null; // what became of it is seen
  staleAs = null;
  takeUp();
  noteWaiting();
  if (!isTakingBack && isOfSentItem()) showAfresh();
});
addEventListener("pagehide", giveBack);
addEventListener("pagehide", () => leaveBehind(underWay));
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") leaseAhead(); });
takeUp();
const left = takeLeft();
if (left) add(left).then(() => tell("restyle:queued"), () => {});
noteWaiting();
