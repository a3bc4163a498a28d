/**
 * Sends the fingerprint of the served API to `tablewright dev`, its parent process, which then need
 * not restart the server after a change of the database. Other parents receive nothing.
 */
export function tellParent(fingerprint: string): void {
  if (process.env['TABLEWRIGHT_DEV'] !== '1' || !process.connected) return;
  // A parent that has ended receives nothing.
  process.send?.({ kind: 'tablewright-schema', fingerprint }, () => undefined);
}
