import { createServer } from 'node:net';
import { TablewrightError } from '../errors.js';

/**
 * Throws USAGE when something listens on the port already: better now than after a minute of
 * building.
 */
export async function requireFreePort(port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        resolve();
      });
    });
  }).catch((error: unknown) => {
    throw new TablewrightError(
      'USAGE',
      `Port ${port} of 127.0.0.1 cannot be used: another program listens there.`,
      `Choose another one: --port ${port + 1}`,
      { cause: error },
    );
  });
}
