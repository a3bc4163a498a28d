/**
 * That the server listens, or the fingerprint of the API that it serves, and whether its code was
 * generated with it.
 */
type News =
  | { readonly fingerprint: string; readonly isGenerated: boolean }
  | { readonly listening: true; readonly address: string | undefined };

/**
 * Sends news to the parent process if that is a command of `tablewright`: `dev` does not restart a
 * server that has followed a change already, and `mcp` asks at its address. Other parent processes
 * receive nothing.
 */
export function notifyParent(news: News): void {
  if (!isChild()) return;
  // A parent that has ended receives nothing.
  process.send?.({ kind: 'tablewright-schema', ...news }, () => undefined);
}

/** Shuts the server down when its parent has ended without stopping it. */
export function endWithParent(): void {
  if (isChild()) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

const isChild = (): boolean => process.env['TABLEWRIGHT_DEV'] === '1' && process.connected;
