/**
 * Whether a LIKE pattern ends in its escape character: in an odd number of backslashes. The
 * database notices only when a row matches up to there, so that the same request would fail with
 * some rows and not with others.
 */
export function endsInEscape(pattern: string): boolean {
  let end = pattern.length;
  while (end > 0 && pattern.charAt(end - 1) === '\\') end -= 1;
  return (pattern.length - end) % 2 === 1;
}
