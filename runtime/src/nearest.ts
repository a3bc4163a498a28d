/**
 * The candidate that an unknown name probably means, for "did you mean"; undefined if none is
 * likely. A third of the letters may be wrong; case, `_` and `-` do not count. Otherwise a
 * candidate that contains all words of the name, or whose words the name contains: `id` →
 * `customer_id`, `customer_name` → `name`. Candidates are compared in order, so that the answer is
 * always the same.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  return closest(name, all) ?? byWords(name, all);
}

function closest(name: string, candidates: readonly string[]): string | undefined {
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

/** The one with the fewest other words; at the end of a name a word says most. */
function byWords(name: string, candidates: readonly string[]): string | undefined {
  const wanted = wordsOf(name.slice(0, longest));
  if (wanted.length === 0) return undefined;
  let best: string | undefined;
  let bestScore = Infinity;
  for (const candidate of candidates) {
    if (candidate.length > longest) continue;
    const words = wordsOf(candidate);
    if (words.length === 0 || !(isWithin(wanted, words) || isWithin(words, wanted))) continue;
    const score = 2 * Math.abs(words.length - wanted.length) + (words.at(-1) === wanted.at(-1) ? 0 : 1);
    if (score < bestScore) [best, bestScore] = [candidate, score];
  }
  return best;
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const isWithin = (some: readonly string[], others: readonly string[]): boolean =>
  some.every((word) => others.includes(word));

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
