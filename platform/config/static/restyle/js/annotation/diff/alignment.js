// Which words two texts share, in order. The same as foundation/word_diff/alignment.py, which says how; linear time.
const SMALL = 40_000;
const DEPTH = 16;
const weight = (word) => (word.length > String.fromCodePoint(word.codePointAt(0)).length ? 2 : 1);

// Runs as [where in the first, where in the second, how many].
export function matches(before, after) {
  const runs = [];
  for (const [i, k] of pairs(before, after).sort((a, b) => a[0] - b[0])) {
    const last = runs.at(-1);
    if (last && last[0] + last[2] === i && last[1] + last[2] === k) last[2] += 1;
    else runs.push([i, k, 1]);
  }
  return runs;
}

function pairs(before, after) {
  const found = [];
  const waiting = [[0, before.length, 0, after.length, 0]];
  while (waiting.length) {
    let [i, iEnd, k, kEnd, depth] = waiting.pop();
    while (i < iEnd && k < kEnd && before[i] === after[k]) found.push([i++, k++]);
    while (i < iEnd && k < kEnd && before[iEnd - 1] === after[kEnd - 1]) found.push([--iEnd, --kEnd]);
    if ((iEnd - i) * (kEnd - k) <= SMALL) {
      for (const [a, b] of commonSubsequence(before.slice(i, iEnd), after.slice(k, kEnd))) found.push([i + a, k + b]);
    } else if (depth < DEPTH) {
      const cuts = anchors(before.slice(i, iEnd), after.slice(k, kEnd)).map(([a, b]) => [i + a, k + b]);
      for (const [a, b] of cuts) {
        found.push([a, b]);
        waiting.push([i, a, k, b, depth + 1]);
        [i, k] = [a + 1, b + 1];
      }
      if (cuts.length) waiting.push([i, iEnd, k, kEnd, depth + 1]);
    }
  }
  return found;
}

function single(all) {
  const places = new Map();
  all.forEach((word, at) => places.set(word, places.has(word) ? -1 : at));
  return places;
}

function firstNotBelow(ends, place) {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function anchors(before, after) {
  const here = single(before);
  const there = single(after);
  const both = [...here].filter(([word, at]) => at >= 0 && (there.get(word) ?? -1) >= 0);
  const candidates = both.map(([word, at]) => [at, there.get(word)]).sort((a, b) => a[0] - b[0]);
  const ends = [];
  const last = [];
  const previous = candidates.map(([, place], at) => {
    const length = firstNotBelow(ends, place);
    ends[length] = place;
    last[length] = at;
    return length ? last[length - 1] : -1;
  });
  const chain = [];
  for (let at = last.at(-1) ?? -1; at >= 0; at = previous[at]) chain.push(candidates[at]);
  return chain.reverse();
}

function commonSubsequence(before, after) {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let k = after.length - 1; k >= 0; k--) {
      const matched = before[i] === after[k] ? rows[i + 1][k + 1] + weight(before[i]) : 0;
      rows[i][k] = Math.max(matched, rows[i + 1][k], rows[i][k + 1]);
    }
  }
  const found = [];
  let [i, k] = [0, 0];
  while (i < before.length && k < after.length) {
    if (before[i] === after[k] && rows[i][k] === rows[i + 1][k + 1] + weight(before[i])) found.push([i++, k++]);
    else if (rows[i + 1][k] >= rows[i][k + 1]) i++;
    else k++;
  }
  return found;
}
