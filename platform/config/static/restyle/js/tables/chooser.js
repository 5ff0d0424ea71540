// The panel in which columns are chosen: a box for each, by group, and a button that pins it.
function box(list, label) {
  const line = list.closest("[data-table-tools]").querySelector("template").content.firstElementChild.cloneNode(true);
  const input = line.querySelector("input");
  line.querySelector("span").textContent = label;
  list.append(line);
  return { line, input, pin: line.querySelector("button") };
}

function groupBox(list, group, members, change) {
  const { line, input, pin } = box(list, group);
  line.classList.add("group");
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

function columnBox(list, { name }, change) {
  const { input, pin } = box(list, name);
  pin.setAttribute("aria-label", `${pin.textContent.trim()}: ${name}`);
  input.addEventListener("change", () => change(({ hidden }) => { hidden[input.checked ? "delete" : "add"](name); }));
  pin.addEventListener("click", () => change((state) => togglePin(state, name)));
  return ({ hidden, pinned }) => {
    input.checked = !hidden.has(name);
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
  const rest = columns.filter(({ first }) => !first);
  const shows = [];
  for (const group of new Set(rest.map((column) => column.group))) {
    const members = rest.filter((column) => column.group === group);
    if (group) shows.push(groupBox(list, group, members, change));
    for (const column of members) shows.push(columnBox(list, column, change));
  }
  return (state) => shows.forEach((show) => show(state));
}
