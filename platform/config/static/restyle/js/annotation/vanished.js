// A quiet word where a concept of the source has vanished from the text: neither its term nor any of its names stands in
// it, in singular or plural. It is said once somebody pauses, and only where it changes.
const PAUSE = 900; // milliseconds without a key
let timer = null;

const plain = (text) => text.toLowerCase().replace(/[\s’]+/gu, (found) => (found.includes("’") ? "'" : " "));
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
const stands = (name, text) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(plain(name))}(?:e?s)?(?![\\p{L}\\p{N}])`, "u").test(text);

function show() {
  timer = null;
  for (const place of document.querySelectorAll("[data-vanished]")) {
    const text = plain(document.querySelector(place.dataset.watch).value);
    const gone = JSON.parse(place.dataset.vanished).filter((one) => !one.names.some((name) => name && stands(name, text)));
    const words = text.trim() && gone.length
      ? place.dataset.words.replace("{terms}", gone.map((one) => one.term).join(", "))
      : "";
    if (place.textContent !== words) place.textContent = words;
  }
}

document.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, PAUSE); });
document.addEventListener("restyle:restored", show);
document.addEventListener("htmx:afterSettle", show);
show();
