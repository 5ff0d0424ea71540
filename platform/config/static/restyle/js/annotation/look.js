// A page that was away (the browser kept it for Back and Forward, or another window was in front) asks how its item
// stands: it may have been handed in meanwhile. The question stands in the way of no act, and its answer takes the place
// of nothing that was typed since, nor of another item: then it is asked anew.
let asked = null; // [form, what it held]

const held = (form) => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "seconds"));

function look() {
  const form = document.querySelector("form[data-look]");
  if (!form || form.closest("[inert]")) return;
  asked = [form, held(form)];
  const values = Object.fromEntries(new FormData(form));
  htmx.ajax("POST", form.dataset.look, { source: document.body, values, target: "#work", swap: "outerHTML" })
    .catch(() => { /* htmx:sendError is heard */ });
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!asked || event.detail.requestConfig.path !== asked[0].dataset.look) return;
  const [form, before] = asked;
  asked = null;
  if (form.isConnected && !form.closest("[inert]") && held(form) === before) return;
  event.detail.shouldSwap = false;
  look();
}, true);
addEventListener("pageshow", (event) => { if (event.persisted) look(); });
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") look(); });
