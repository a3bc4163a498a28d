/**
 * The candidate that is most similar to a name, as PostgREST's hints name it: by the share of
 * letters that stay, at least `minimum` of them; case does not count. Of equals the first.
 */
export function mostSimilar(name: string, candidates: Iterable<string>, minimum: number): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestScore = minimum;
  for (const candidate of new Set(candidates)) {
    const score = similarity(wanted, candidate.toLowerCase());
    if (score > bestScore || (best === undefined && score === bestScore)) [best, bestScore] = [candidate, score];
  }
  return best;
}

/** 1 − the Levenshtein distance by the longer length; 0 without two letters in common in a row. */
function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0 || longer > longest || !shareGram(a, b)) return 0;
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((last[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replaced));
    }
    last = current;
  }
  return 1 - (last[b.length] ?? longer) / longer;
}

/** Also at the ends of the names, as a gram with the space before or after it. */
function shareGram(a: string, b: string): boolean {
  const padded = `-${b}-`;
  const own = `-${a}-`;
  return Array.from(own.slice(1), (_, at) => own.slice(at, at + 2)).some((gram) => padded.includes(gram));
}

/** A longer text is no name of the database: comparing it only costs time. */
const longest = 200;
