// The criteria of a plan: a row is added from the template, and one is removed by hiding it without its name, since a row
// without a name is left out. Without scripts the page has one empty row more.
const add = document.querySelector("[data-add-row]");
const rows = add.closest("fieldset");
const total = rows.querySelector("[name$=TOTAL_FORMS]");
const most = Number(rows.querySelector("[name$=MAX_NUM_FORMS]").value);

function shown() {
  for (const button of rows.querySelectorAll("[data-remove-row]")) button.hidden = false;
  add.hidden = Number(total.value) >= most;
}

add.addEventListener("click", () => {
  const html = rows.querySelector("template[data-row]").innerHTML;
  const place = Number(total.value);
  const count = rows.querySelectorAll(".criterion:not([hidden])").length + 1;
  add.insertAdjacentHTML("beforebegin", html.replaceAll("__prefix__", place).replaceAll("__number__", count));
  total.value = place + 1;
  shown();
  add.previousElementSibling.querySelector("input").focus();
});

// The line of a criterion says what its fields say.
rows.addEventListener("input", ({ target }) => {
  const part = target.name?.match(/-(name|scale)$/)?.[1];
  const said = part && target.closest(".criterion")?.querySelector(`[data-said="${part}"]`);
  if (said) said.textContent = part === "scale" ? target.selectedOptions[0].text : target.value;
});

rows.addEventListener("click", ({ target }) => {
  const row = target.closest("[data-remove-row]")?.closest(".criterion");
  if (!row) return;
  row.hidden = true;
  const name = row.querySelector("input[name$=-name]");
  name.value = "";
  name.dispatchEvent(new Event("input", { bubbles: true }));
  add.focus();
});

shown();
