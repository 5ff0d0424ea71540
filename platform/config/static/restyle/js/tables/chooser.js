// The panel in which columns are chosen: a box for each, by group, a slider of its width, and a button that pins it.
import { counted } from "../counted.js";
import { limits, wide } from "./widths.js";

function line(list, label) {
  const made = list.closest("[data-table-tools]").querySelector("template").content.firstElementChild.cloneNode(true);
  made.querySelector("label span").textContent = label;
  list.append(made);
  const [input, slider, pin] = ["input[type=checkbox]", "input[type=range]", "button"].map((one) => made.querySelector(one));
  return { made, input, slider, pin };
}

function groupBox(list, group, members, change) {
  const { made, input, slider, pin } = line(list, group);
  made.classList.add("group");
  slider.remove();
  pin.remove();
  input.addEventListener("change", () => change((state) => {
    for (const { name } of members) state.hidden[input.checked ? "delete" : "add"](name);
  }));
  return ({ hidden }) => {
    const shown = members.filter(({ name }) => !hidden.has(name)).length;
    input.checked = shown > 0;
    input.indeterminate = shown > 0 && shown < members.length;
  };
}

function columnBox(list, { name, label, head, first }, change) {
  const { input, slider, pin } = line(list, label);
  const { pixels } = slider.dataset;
  Object.assign(slider, limits);
  slider.setAttribute("aria-label", `${slider.getAttribute("aria-label")}: ${label}`);
  slider.addEventListener("input", () => change(({ widths }) => widths.set(name, Number(slider.value))));
  input.disabled = first;
  if (first) pin.remove();
  else pin.setAttribute("aria-label", `${pin.textContent.trim()}: ${label}`);
  input.addEventListener("change", () => change(({ hidden }) => { hidden[input.checked ? "delete" : "add"](name); }));
  pin.addEventListener("click", () => change((state) => togglePin(state, name)));
  return ({ hidden, pinned, widths }) => {
    input.checked = first || !hidden.has(name);
    slider.disabled = !input.checked;
    slider.value = widths.get(name) ?? (head.hidden ? limits.min : wide(head));
    slider.setAttribute("aria-valuetext", counted(pixels, Number(slider.value)));
    pin.setAttribute("aria-pressed", pinned.includes(name));
  };
}

export function togglePin(state, name) {
  state.pinned = state.pinned.includes(name) ? state.pinned.filter((other) => other !== name) : [...state.pinned, name];
  state.hidden.delete(name);
}

// Fills the list; what it returns shows a state in it.
export function chooser(tools, columns, change) {
  const list = tools.querySelector("[data-columns]");
  const shows = columns.filter(({ first }) => first).map((column) => columnBox(list, column, change));
  const rest = columns.filter(({ first, name }) => !first && name);
  for (const group of new Set(rest.map((column) => column.group))) {
    const members = rest.filter((column) => column.group === group);
    if (group) shows.push(groupBox(list, group, members, change));
    for (const column of members) shows.push(columnBox(list, column, change));
  }
  return (state) => shows.forEach((show) => show(state));
}
