// A form with data-confirm="Delete 12 outputs?" asks first. data-confirm-yes="Delete" names the button.
const dialog = document.getElementById("confirm");
const yes = dialog.querySelector("[value=yes]");
let waiting = null;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.confirm || form.dataset.confirmed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  waiting = { form, submitter: event.submitter };
  dialog.querySelector("#confirm-text").textContent = form.dataset.confirm;
  yes.textContent = form.dataset.confirmYes ?? yes.dataset.default;
  dialog.returnValue = "no";
  dialog.showModal();
}, true);

dialog.addEventListener("close", () => {
  if (dialog.returnValue !== "yes" || !waiting) return;
  const { form, submitter } = waiting;
  if (!form.isConnected) {  // the part of the page that it stood in was renewed while it asked
    form.hidden = true;
    document.body.append(form);
  }
  form.dataset.confirmed = "yes";
  form.requestSubmit(submitter);
  delete form.dataset.confirmed;
});
