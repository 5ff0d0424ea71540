// The widths of columns: dragged at the end of a head, by + and - on a head, or by the slider of the columns' panel, which
// a tap moves too. A column without a width of its own is as wide as its contents want. On a phone rows are cards.
const STEP = 16;
const [NARROWEST, WIDEST] = [48, 640]; // pixels; accounts/fields.py
const mirrored = (element) => getComputedStyle(element).direction === "rtl";

export const within = (width) => Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
export const wide = (head) => within(head.getBoundingClientRect().width);
export const limits = { min: NARROWEST, max: WIDEST, step: STEP };

export function size(cell, width) {
  cell.classList.toggle("sized", width !== undefined);
  if (width === undefined) cell.style.removeProperty("--width");
  else cell.style.setProperty("--width", `${width}px`);
}

export function byKey(state, name, head, key) {
  if (key === "0") state.widths.delete(name);
  else state.widths.set(name, within((state.widths.get(name) ?? wide(head)) + (key === "-" ? -STEP : STEP)));
}

// `change` is told each width of a drag, and null (as it was) at a double click.
export function grip({ head, name }, change) {
  const handle = document.createElement("span");
  handle.className = "grip";
  handle.setAttribute("aria-hidden", "true");
  handle.addEventListener("pointerdown", (down) => {
    if (down.button) return;
    down.preventDefault();
    const [from, began, sign] = [down.clientX, wide(head), mirrored(head) ? -1 : 1];
    const move = ({ clientX }) => change(name, within(began + sign * (clientX - from)));
    handle.setPointerCapture(down.pointerId);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
  });
  handle.addEventListener("dblclick", () => change(name, null));
  head.append(handle);
}
