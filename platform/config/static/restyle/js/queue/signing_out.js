// Before somebody signs out they are told what is not sent, and may wait; nothing of theirs stays in the browser.
import { wordsUnsent } from "./notice.js";
import { flush } from "./sending.js";
import { empty, kept } from "./store.js";

const PATIENCE = 3000; // milliseconds for a last try
const isSignOut = (form) => form.matches?.("form[data-signs-out]");

async function signOut(form) {
  await Promise.race([flush(), new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]);
  const left = (await kept()).length;
  form.dataset.asked = "yes";
  if (left) {
    form.dataset.confirm = wordsUnsent(left);
    form.requestSubmit();
  } else {
    await empty();
    form.dataset.emptied = "yes";
    form.requestSubmit();
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!isSignOut(form) || form.dataset.emptied) return;
  event.preventDefault();
  if (!form.dataset.asked) { signOut(form); return; }
  empty().then(() => { // they chose to
    delete form.dataset.confirm;
    form.dataset.emptied = "yes";
    form.submit();
  });
});
// Who chose to wait is asked anew the next time.
document.getElementById("confirm").addEventListener("close", ({ target }) => {
  const form = document.querySelector("form[data-signs-out]");
  if (!form || target.returnValue === "yes") return;
  delete form.dataset.asked;
  delete form.dataset.confirm;
});
