// The full forms that this person chose before, by abbreviation: the server tells those of the sentence at hand.
import { root } from "./page.js";
import { text } from "./sentence.js";

let forms = {};

export const formsOf = (span) => forms[text(span)] ?? [];

// Fetches them, then calls `draw`; without them the page works as before.
export async function remember(draw) {
  forms = {};
  const asked = root;
  if (!asked.dataset.forms) return;
  try {
    const answer = await fetch(asked.dataset.forms, { credentials: "same-origin" });
    if (!answer.ok || asked !== root) return;
    forms = await answer.json();
    draw();
  } catch { /* no network: nothing is offered */ }
}
