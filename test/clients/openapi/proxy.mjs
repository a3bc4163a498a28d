// Starts a validating proxy for each message, with the function behind the command `prism proxy`.
// One process for all: loading Prism takes longer than most of its checks.
import { createSingleProcessPrism } from '@stoplight/prism-cli/dist/util/createServer.js';

const servers = new Map();

process.on('disconnect', () => process.exit());
process.on('message', async ({ document, upstream, port }) => {
  if (servers.has(port)) {
    await servers.get(port).close();
    servers.delete(port);
  } else {
    const options = {
      host: '127.0.0.1',
      port,
      cors: true,
      errors: false,
      validateRequest: true,
      verboseLevel: 'silent',
    };
    servers.set(port, await createSingleProcessPrism({ ...options, document, upstream: new URL(upstream) }));
  }
  process.send(port);
});
