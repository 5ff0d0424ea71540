// Before somebody signs out they are told what is not sent, and may wait; nothing of theirs stays in the browser. What
// waits is deleted once the server has signed them out, and not before: without a network they stay signed in.
import { isOurs } from "../server.js";
import { wordsUnsent } from "./notice.js";
import { flush } from "./sending.js";
import { empty, kept } from "./store.js";

const PATIENCE = 3000; // milliseconds for a last try
const isSignOut = (form) => form.matches?.("form[data-signs-out]");

async function signOut(form) {
  await Promise.race([flush(), new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]);
  const left = (await kept()).length;
  form.dataset.asked = "yes";
  if (left) form.dataset.confirm = wordsUnsent(left);
  form.requestSubmit();
}

async function leave(form) {
  let answer = null;
  try {
    answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
  } catch { /* no network */ }
  if (answer && isOurs(answer) && answer.ok) {
    await empty();
    location.assign(answer.url);
  } else if (answer && isOurs(answer)) {
    form.submit(); // the server's page says why
  } else {
    askAnew(form);
    document.dispatchEvent(new CustomEvent("restyle:toast", { detail: document.getElementById("toast").dataset.offline }));
  }
}

function askAnew(form) {
  delete form.dataset.asked;
  delete form.dataset.confirm;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!isSignOut(form)) return;
  event.preventDefault();
  if (form.dataset.asked) leave(form); // nothing was left, or they chose to
  else signOut(form);
});
// Who chose to wait is asked anew the next time.
document.getElementById("confirm").addEventListener("close", ({ target }) => {
  const form = document.querySelector("form[data-signs-out]");
  if (!form || target.returnValue === "yes") return;
  askAnew(form);
});
