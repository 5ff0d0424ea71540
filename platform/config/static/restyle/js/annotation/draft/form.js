// The form whose work is saved as a draft: what in it is typed, and the note that says whether it is saved.
export const NOT_TYPED = new Set([
  "csrfmiddlewaretoken", "slot", "lease", "key", "replaces", "seconds", "shape", "guideline", "seen", "writer", "revision",
  "before",
]);
const STATUS_WORDS = {
  saving: "wordsSaving", saved: "wordsSaved", offline: "wordsOffline", stale: "wordsStale", newer: "wordsNewer",
  lost: "wordsLost",
};
const UNSAVED = new Set(["saving", "offline", "stale", "newer", "lost"]);

export const currentForm = () => document.querySelector("form[data-draft]");
export const formOf = (element) => element.closest("form[data-draft]");
export const isTyped = (field) => !NOT_TYPED.has(field.name);
export const typedFields = (form) => [...new FormData(form)].filter(([name]) => !NOT_TYPED.has(name));
export const hasUnsavedStatus = (form) => UNSAVED.has(form.querySelector("[data-saved]").dataset.state);
export const asksForChoice = (form) => form.querySelector("[data-keep-mine]") !== null;

export function showStatus(form, status) {
  const note = form.querySelector("[data-saved]");
  const words = document.getElementById("saved-words").dataset[STATUS_WORDS[status]];
  note.dataset.state = status;
  if (note.textContent !== words) note.textContent = words;
}

export function fillIn(form, fields) {
  for (const [name, value] of fields) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "radio") field.checked = field.value === value;
      else if (field.type === "checkbox") field.checked = true;
      else field.value = value;
    }
  }
}
