// What an item has in common with those before it is not sent again: the page keeps the frames that it was sent, says
// with each request which ones it has, and is told what stands in their holes.
const frames = new Map(); // by name, the HTML around the holes

function filled(part) {
  if (typeof part === "string") return part;
  return frames.get(part.frame).map((text, place) => text + filled(part.values[place] ?? "")).join("");
}

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.target.id === "work") detail.headers["X-Frames"] = [...frames.keys()].join(" ") || "none";
});
// Before others look at what is to be swapped in.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "work" || detail.xhr.getResponseHeader("Content-Type") !== "application/json") return;
  const told = JSON.parse(detail.serverResponse);
  for (const [name, texts] of Object.entries(told.frames)) frames.set(name, texts);
  detail.serverResponse = filled(told.item);
}, true);
