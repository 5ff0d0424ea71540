// Says things: to a screen reader (say) or to everyone (toast). Other modules dispatch the events; none imports this.
//   document.dispatchEvent(new CustomEvent("restyle:say", { detail: "Saved" }));
//   document.dispatchEvent(new CustomEvent("restyle:toast", { detail: "Copied" }));
const announcer = document.getElementById("announcer");
const toast = document.getElementById("toast");
let clearing;

function say(text) {
  announcer.textContent = "";
  requestAnimationFrame(() => { announcer.textContent = text; });
}

function show(text) {
  clearTimeout(clearing);
  if (toast.textContent !== text) say(text); // what stands there was said
  toast.textContent = text;
  clearing = setTimeout(clear, 6000);
}

function clear() {
  clearTimeout(clearing);
  toast.textContent = "";
}

// What says that the server is away goes as soon as it is back: on a phone it lies over what is being written.
for (const [where, back] of [[document, "restyle:saved"], [window, "online"]]) {
  where.addEventListener(back, () => {
    if ([toast.dataset.offline, toast.dataset.away].includes(toast.textContent)) clear();
  });
}
document.addEventListener("restyle:say", (event) => say(event.detail));
document.addEventListener("restyle:toast", (event) => show(event.detail));
document.addEventListener("htmx:sendError", () => show(toast.dataset.offline));
document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => show(xhr.status === 503 ? toast.dataset.away : toast.dataset.failed));

// What htmx brings is said when it carries data-say, and once: a part that polls does not repeat itself.
let last = "";
document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  if (elt === document.body || !elt.querySelector) return;
  const text = (elt.matches("[data-say]") ? elt : elt.querySelector("[data-say]"))?.dataset.say;
  if (text && text !== last) say(text);
  if (text) last = text;
});
