/**
 * The cookies of a request as names and values, in their order. A value is taken as it was sent,
 * but for the quotation marks around it. Source: RFC 6265, 5.4 and 4.1.1.
 */
export function cookiesOf(header: string | undefined): readonly (readonly [name: string, value: string])[] {
  if (header === undefined) return [];
  return header.split(';').flatMap((pair): (readonly [string, string])[] => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    return at < 0 || name === ''
      ? []
      : [
          [
            name,
            pair
              .slice(at + 1)
              .trim()
              .replace(/^"(.*)"$/, '$1'),
          ],
        ];
  });
}
