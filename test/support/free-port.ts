import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that the system gives to whoever asks for any port, Linux 32768 and more: a
 * port that a suite keeps for later is nobody else's meanwhile. Each worker of Jest has its own.
 */
const FIRST = 15_000;
const OF_EACH = 2_000;
const WORKERS = 8;

const first = FIRST + (Number(process.env['JEST_WORKER_ID'] ?? '0') % WORKERS) * OF_EACH;
// Programs that a suite starts look for ports, too.
let next = Math.floor(Math.random() * OF_EACH);

/** A TCP port of 127.0.0.1 without a listener. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % OF_EACH);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
