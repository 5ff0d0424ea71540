// A verification: choosing to do the work again brings its editor, and the focus into it.
const FIRST = ["[data-focus]", "textarea", "[tabindex='0']", "input:not([type=hidden])", "button:not(:disabled)"];

function enter(event) {
  if (!event.target.matches("[data-verify] [name=verify-verdict][value=redo]")) return;
  const editor = event.target.closest("[data-verify]").querySelector("[data-verify-editor]");
  const field = FIRST.flatMap((each) => [...(editor?.querySelectorAll(each) ?? [])]).find((each) => each.checkVisibility());
  // keys.js gives the chosen radio the focus, and moves on where a group is unanswered: only then is it our turn.
  queueMicrotask(() => field?.focus());
}

document.addEventListener("change", enter);
