/** `{"a":1,"b":"x"}`: members of a JSON object whose values are JSON already. */
export const objectText = (members: ReadonlyMap<string, string>): string =>
  `{${[...members].map(([column, text]) => `${JSON.stringify(column)}:${text}`).join(',')}}`;
