// Marks spans of a text and of its source (ESA, MQM): what each event on the page leads to.
import { draw } from "./spans/drawing.js";
import {
  onAnyKey, onAnyPointer, onChange, onClick, onFocus, onFocusOut, onInput, onKey, onMouseDown, onMouseUp,
} from "./spans/input.js";
import { begin, root } from "./spans/page.js";
import { onPointerDown, onScaleChange, onScaleClick } from "./spans/scales.js";

const start = () => { if (begin()) draw(); };
const within = (act) => (event) => { if (root()?.contains(event.target)) act(event); };

document.addEventListener("keydown", onAnyKey, true);
document.addEventListener("keydown", within(onKey), true);
document.addEventListener("pointerdown", onAnyPointer, true);
document.addEventListener("mousedown", within(onMouseDown));
document.addEventListener("mouseup", onMouseUp);
document.addEventListener("pointerdown", within(onPointerDown));
document.addEventListener("click", within((event) => { onClick(event); onScaleClick(event); }));
document.addEventListener("change", within((event) => { onChange(event); onScaleChange(event); }));
document.addEventListener("input", within(onInput));
document.addEventListener("focusin", within(onFocus));
document.addEventListener("focusout", within(onFocusOut));
document.addEventListener("restyle:restored", () => { if (root()) draw(); });
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "work") start(); });
start();
