// Stages of rating: what must be judged without the source stands first, and the next stage opens when it is done.
const stages = () => [...document.querySelectorAll("[data-stage]")];
const complete = (stage) => [...stage.querySelectorAll("[data-key-scope]:not([data-optional])")]
  .every((scope) => scope.querySelector(":checked, [data-answered]"));

function update() {
  let open = true;
  for (const stage of stages()) {
    if (stage.matches("details")) {
      if (open && stage.hasAttribute("data-locked")) stage.open = true;
      if (open) stage.open ||= !stage.hasAttribute("data-seen");
      stage.toggleAttribute("data-locked", !open);
      if (open) stage.setAttribute("data-seen", "");
    }
    open &&= complete(stage);
  }
}

document.addEventListener("change", (event) => { if (event.target.closest("[data-stage]")) update(); });
document.addEventListener("click", (event) => {
  if (event.target.closest("summary")?.parentElement.hasAttribute("data-locked")) event.preventDefault();
});
document.addEventListener("restyle:restored", update);
document.addEventListener("htmx:afterSettle", update);
update();
