// Which sentences of two columns are paired. The state is {pairs: [{source: [places], target: [places]}], none, chosen:
// {source, target}}; a change gives a new one. Nothing of the page is known here.
export const SIDES = ["source", "target"];

const nothing = () => ({ source: [], target: [] });

// The letter of the nth pair: A ... Z, A2 ... Z2 and so on.
export const letter = (n) => String.fromCharCode(65 + (n % 26)) + (n < 26 ? "" : String(Math.floor(n / 26) + 1));

// The numbers of the pairs that the sentence belongs to.
export const pairsWith = (state, side, place) =>
  [...state.pairs.keys()].filter((n) => state.pairs[n][side].includes(place));

export const bothChosen = (state) => SIDES.every((side) => state.chosen[side].length);

const chosenPair = (state) => Object.fromEntries(SIDES.map((side) => [side, state.chosen[side]]));

export function isRepeated(state) {
  const chosen = JSON.stringify(chosenPair(state));
  return state.pairs.some((pair) => JSON.stringify(pair) === chosen);
}

export function toggled(state, side, place) {
  const places = new Set(state.chosen[side]);
  if (!places.delete(place)) places.add(place);
  const chosen = { ...state.chosen, [side]: [...places].sort((first, second) => first - second) };
  return { ...state, chosen, none: state.none && !places.size };
}

export const paired = (state) =>
  ({ ...state, pairs: [...state.pairs, chosenPair(state)], chosen: nothing(), none: false });

export const withoutPair = (state, n) => ({ ...state, pairs: state.pairs.toSpliced(n, 1) });

export const withNone = (state, none) => (none ? { ...state, none, chosen: nothing() } : { ...state, none });
