/**
 * Sends `tablewright dev`, the parent process, that the server listens, or the fingerprint of the
 * served API, so that the parent does not restart the server after a change that it already
 * follows. Other parent processes receive nothing.
 */
export function notifyParent(news: { readonly fingerprint: string } | { readonly listening: true }): void {
  if (process.env['TABLEWRIGHT_DEV'] !== '1' || !process.connected) return;
  // A parent that has ended receives nothing.
  process.send?.({ kind: 'tablewright-schema', ...news }, () => undefined);
}
