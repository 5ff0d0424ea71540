// What somebody types while the page looks at their table again stays: the answer knows only what was sent before.
let typed = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  const field = document.activeElement;
  typed = event.target.id === "bring" && field?.matches("#bring input[type=text]")
    ? { id: field.id, value: field.value }
    : null;
});

document.addEventListener("htmx:afterSwap", () => {
  const field = typed && document.getElementById(typed.id);
  if (field && field.value !== typed.value) {
    field.value = typed.value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  typed = null;
});
