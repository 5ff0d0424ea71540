// Answers that wait in this browser for the network: on any page they are sent when it is back. On the work page the
// next items are there beforehand (queue/work_page.js).
import { showNotice } from "./queue/notice.js";
import { flush } from "./queue/sending.js";
import "./queue/signing_out.js";
import { PERSON, waiting } from "./queue/store.js";
import "./queue/work_page.js";

const PAUSE = 5000; // milliseconds between two tries
let timer = null;

async function go() {
  if (!PERSON) return; // nobody is signed in
  clearTimeout(timer);
  await showNotice(await flush());
  if ((await waiting()).length) timer = setTimeout(go, PAUSE);
}

document.addEventListener("restyle:queued", go);
document.addEventListener("restyle:try-again", go);
document.addEventListener("restyle:unqueued", () => showNotice());
addEventListener("online", go);
addEventListener("pageshow", ({ persisted }) => { if (persisted) go(); });
go();
