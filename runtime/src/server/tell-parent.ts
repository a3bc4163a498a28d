/**
 * Tells `tablewright dev`, which has started this process, the fingerprint of what is served: it need not start the server anew after a change of the
 * database. Another parent is told nothing.
 */
export function tellParent(fingerprint: string): void {
  if (process.env['TABLEWRIGHT_DEV'] !== '1' || !process.connected) return;
  // A parent that has ended is told nothing either.
  process.send?.({ kind: 'tablewright-schema', fingerprint }, () => undefined);
}
