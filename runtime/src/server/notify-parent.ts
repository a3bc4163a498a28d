/**
 * Says to `tablewright dev`, the parent process, that the server listens, or the fingerprint of the
 * served API: the parent then need not restart the server after a change of the database. Other
 * parents receive nothing.
 */
export function notifyParent(news: { readonly fingerprint: string } | { readonly listening: true }): void {
  if (process.env['TABLEWRIGHT_DEV'] !== '1' || !process.connected) return;
  // A parent that has ended receives nothing.
  process.send?.({ kind: 'tablewright-schema', ...news }, () => undefined);
}
