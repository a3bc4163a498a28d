/**
 * A query string as `Content-Location` has it: the parameters sorted by name, those of one name in
 * one. A malformed encoding stays as it is: the request has failed by then.
 * Source: PostgREST, "Content-Location".
 */
export function canonicalQuery(query: string): string {
  const values = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decoded(equals < 0 ? part : part.slice(0, equals));
    values.set(name, [...(values.get(name) ?? []), encoded(equals < 0 ? '' : decoded(part.slice(equals + 1)))]);
  }
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? '' : `?${sorted.map(([name, all]) => `${encoded(name)}=${all.join(',')}`).join('&')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Everything but letters, digits and `-_.~` is encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
