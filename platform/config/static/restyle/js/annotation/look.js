// A page that was away (the browser kept it for Back and Forward, or another window was in front) asks how its item
// stands: it may have been handed in meanwhile.
function look() {
  const form = document.querySelector("form[data-look]");
  if (form) htmx.ajax("POST", form.dataset.look, { source: form, target: "#work", swap: "outerHTML" });
}
addEventListener("pageshow", (event) => { if (event.persisted) look(); });
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") look(); });
