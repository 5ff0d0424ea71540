// The form of a campaign shows only what belongs to the chosen kind of work: `data-kinds` lists the kinds of a part.
// Without a script all of it stands there, and what is not of the kind is not read.
const parts = [...document.querySelectorAll("[data-kinds]")];
const after = document.querySelector('[name="after"]');

function update() {
  const chosen = document.querySelector('[name="task_type"]:checked')?.value;
  for (const part of parts) part.hidden = !part.dataset.kinds.split(" ").includes(chosen);
  for (const part of document.querySelectorAll("[data-of-a-stage]")) part.hidden = !after?.value;
}

document.addEventListener("change", (event) => { if (event.target.matches('[name="task_type"], [name="after"]')) update(); });
addEventListener("pageshow", update);
update();
