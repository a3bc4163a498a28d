import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import type { Services } from '../../runtime/src/execute/services.js';
import { beginRequest, type DataHandler } from '../../runtime/src/http/request-context.js';
import { PendingBytes } from '../../runtime/src/response/pending-bytes.js';
import { createPrepare } from '../../runtime/src/server/prepare.js';
import type { Recording } from './recording-dialect.js';
import { boardRegistry } from './registry.js';
import { settingsWith } from './settings.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The services of a server over a database in memory. */
export function servicesOf({ dialect, driver }: Recording): Services {
  const settings = settingsWith();
  return {
    registry: boardRegistry,
    settings,
    dialect,
    driver,
    prepare: createPrepare({ registry: boardRegistry, settings, dialect }),
    authenticate: () => ({ userId: 'ada' }),
    observe: () => undefined,
    pendingBytes: new PendingBytes(Infinity),
  };
}

/** The address of a handler until the test ends. */
export async function serve(handler: DataHandler): Promise<string> {
  const server = createServer((request, response) => {
    handler(request, response, beginRequest(request, response)).catch(() => response.destroy());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
