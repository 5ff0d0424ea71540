// Keeps a changed answer while it is sent, so that it is there again after signing in where the session had ended.
// It belongs to the revision that was changed: once there is a newer one, it was saved.
const form = document.querySelector("form[data-keep]");
const FIXED = new Set(["csrfmiddlewaretoken", "key", "seconds"]);

function keep() {
  const typed = [...new FormData(form)].filter(([name]) => !FIXED.has(name));
  try { sessionStorage.setItem(form.dataset.keep, JSON.stringify(typed)); } catch { /* full or private */ }
}

function restore() {
  let typed = null;
  try {
    typed = JSON.parse(sessionStorage.getItem(form.dataset.keep));
    sessionStorage.removeItem(form.dataset.keep);
  } catch { /* private, or not ours */ }
  if (!typed) return;
  for (const field of form.querySelectorAll("input[type=checkbox]")) field.checked = false;
  for (const [name, value] of typed) {
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "radio") field.checked = field.value === value;
      else if (field.type === "checkbox") field.checked = true;
      else field.value = value;
    }
  }
  document.dispatchEvent(new CustomEvent("restyle:restored"));
}

form.addEventListener("submit", keep);
restore();
