/** A package.json with the indentation and the line ends that its text has. */
export function likeWritten(text: string, value: unknown): string {
  const indentation = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const last = /\r?\n$/.test(text) ? '\n' : '';
  return `${JSON.stringify(value, undefined, indentation)}${last}`.replaceAll('\n', lineEnd);
}
