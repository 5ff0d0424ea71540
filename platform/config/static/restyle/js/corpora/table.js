// What somebody types while the page looks at their table again stays, and what they unfolded stays open: the answer
// knows only what was sent before.
let typed = null;
let open = [];

document.addEventListener("htmx:beforeSwap", (event) => {
  const field = document.activeElement;
  open = [...document.querySelectorAll("#bring details[open][id]")].map((one) => one.id);
  typed = event.target.id === "bring" && field?.matches("#bring input[type=text]")
    ? { id: field.id, value: field.value }
    : null;
});

document.addEventListener("htmx:afterSwap", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  open = [];
  const field = typed && document.getElementById(typed.id);
  if (field && field.value !== typed.value) {
    field.value = typed.value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  typed = null;
});
