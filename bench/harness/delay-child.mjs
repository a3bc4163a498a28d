import { connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers';

/**
 * A TCP proxy that forwards everything some milliseconds later, in both directions, and prints its
 * port. Timers of the same length fire in the order of their creation, so the order of bytes stays.
 */
const { DELAY_HOST: host, DELAY_PORT: port, DELAY_MS: delay } = process.env;

function carry(from, to) {
  from.on('data', (chunk) => {
    setTimeout(() => {
      if (!to.destroyed && !to.write(chunk) && !from.isPaused()) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    }, Number(delay));
  });
  from.on('end', () => setTimeout(() => to.end(), Number(delay)));
  from.on('error', () => to.destroy());
  // After an end, `to` may still have bytes to send to a slow reader: destroying it loses these
  // bytes.
  from.on('close', () => {
    if (!from.readableEnded) setTimeout(() => to.destroy(), Number(delay));
  });
}

const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const upstream = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
  carry(client, upstream);
  carry(upstream, client);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.on('SIGTERM', () => process.exit(0));
