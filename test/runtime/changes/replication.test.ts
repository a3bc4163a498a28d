import { setTimeout as sleep } from 'node:timers/promises';
import { Replication } from '../../../runtime/src/dialect/postgres/changes/replication.js';
import { startEmbedded, type EmbeddedServer } from '../../support/embedded.js';
import { loadSql } from '../../support/postgres.js';

let server: EmbeddedServer;
beforeAll(async () => {
  server = await startEmbedded({ settings: ['wal_level=logical'] });
  await loadSql(server.url, 'create publication quiet');
});
afterAll(() => server.stop());

test('a database without changes is not silent: it answers each confirmation of the position', async () => {
  const replication = await Replication.open(
    { connectionString: server.url },
    'quiet',
    new AbortController().signal,
    { message: () => undefined },
    // The server itself would send something after half its `wal_sender_timeout`, 30 s.
    { acknowledge: 50, silence: 3_000 },
  );
  expect(await Promise.race([replication.ended, sleep(4_000, 'open')])).toBe('open');
  replication.close();
});
