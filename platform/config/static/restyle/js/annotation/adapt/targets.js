// Changes of the list of a sentence's targets: what each makes of the list, and where the cursor stands then.

// The lines that were typed or pasted into one target: each is a target of its own.
export function splitAt(targets, place, lines) {
  const parts = lines.map((line, at) => (at ? line.trimStart() : line.trimEnd()));
  const replaced = targets[place + 1] === "" ? 2 : 1; // the empty one below takes the second half
  return { targets: targets.toSpliced(place, replaced, ...parts), place: place + parts.length - 1, cursor: 0 };
}

export function joinedWithPrevious(targets, place) {
  const head = targets[place - 1].trimEnd();
  const gap = head && targets[place].trim() ? " " : "";
  const joined = targets.toSpliced(place - 1, 2, head + gap + targets[place].trimStart());
  return { targets: joined, place: place - 1, cursor: head.length + gap.length };
}

export const added = (targets) => ({ targets: [...targets, ""], place: targets.length });
export const removed = (targets, place) => ({ targets: targets.toSpliced(place, 1), place: Math.max(0, place - 1) });

export function moved(targets, place, by) {
  const swapped = [...targets];
  [swapped[place], swapped[place + by]] = [swapped[place + by], swapped[place]];
  return { targets: swapped, place: place + by };
}
