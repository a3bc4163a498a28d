/**
 * The candidate closest to a misspelt name, or undefined when none is close: for "did you mean". A third of the letters
 * may be wrong; case, `_` and `-` do not count. Candidates are looked at in order, so that the answer is the same every
 * time.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = simplify(name.slice(0, longest));
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > longest) continue;
    const distance = editDistance(wanted, simplify(candidate), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Names of PostgreSQL have 63 bytes at most; a longer one would only cost time. */
const longest = 64;

const simplify = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** Levenshtein distance with swapped neighbours as one edit; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? limit;
}
