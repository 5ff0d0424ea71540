// A choice that stands on the page before htmx listens (a quick click, or what the browser puts back after Back or a
// reload) is heard of too: without it the options below would be of what was chosen before.
// The server's script is on every page by this: by a tag of its own it would run twice. A comment after an import hides it
// from who writes the names of files with their digests.
import "./server.js";

const TRIGGER = "[hx-trigger^=change]";
const FIELDS = "input, select, textarea";

function isChanged(field) {
  if (field.type === "radio") return field.checked && !field.defaultChecked;
  if (!field.options) return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
  const options = [...field.options];
  const first = options.some(({ defaultSelected }) => defaultSelected) ? null : options[0]; // chosen, if none is marked
  return options.some((each) => each.selected && !each.defaultSelected && each !== first);
}

const fieldsOf = (place) => (place.matches(FIELDS) ? [place] : [...place.querySelectorAll(FIELDS)]);

addEventListener("pageshow", ({ persisted }) => {
  if (persisted) return;
  for (const place of document.querySelectorAll(TRIGGER)) {
    fieldsOf(place).find(isChanged)?.dispatchEvent(new Event("change", { bubbles: true }));
  }
});
