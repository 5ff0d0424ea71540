// Labels of a text: {labels, none} in [data-state]. Choosing a label takes "none" back, and the other way round.
const root = () => document.querySelector("[data-label-work]");

function draw() {
  if (!root()) return;
  const state = JSON.parse(root().querySelector("[data-state]").value);
  for (const box of root().querySelectorAll("[data-label]")) box.checked = state.labels.includes(box.value);
  root().querySelector("[data-none]").checked = state.none;
}

function changed(event) {
  const box = event.target;
  if (!box.matches("[data-label-work] :is([data-label], [data-none])")) return;
  const field = root().querySelector("[data-state]");
  const boxes = [...root().querySelectorAll("[data-label]:checked")];
  const single = root().hasAttribute("data-single"); // the later choice takes the earlier one back
  const chosen = boxes.filter((each) => !single || each === box).map((each) => each.value);
  const none = box.matches("[data-none]") && box.checked;
  field.value = JSON.stringify({ labels: none ? [] : chosen, none });
  draw();
  field.dispatchEvent(new CustomEvent("input", { bubbles: true }));
}

document.addEventListener("change", changed);
document.addEventListener("restyle:restored", draw);
document.addEventListener("htmx:afterSettle", draw);
draw();
