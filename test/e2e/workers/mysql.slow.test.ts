import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import { followingServer } from '../../support/following-server.js';
import { startGeneratedServer, type ServerProcess } from '../../support/running-server.js';
import type { Transpiled } from '../../support/transpile.js';
import { keptConnection, workersOf } from './support.js';

describeMysql('two workers on MariaDB', () => {
  let database: MysqlDatabase;
  let program: Transpiled;
  let server: ServerProcess;
  const { rest, until, hasField } = followingServer(() => server);

  beforeAll(async () => {
    database = await createMysqlDatabase('workers');
    await loadMysql(database.url, 'create table notes (id int primary key auto_increment, body varchar(50) not null)');
    program = await buildGenerated(database.url, {
      'tablewright.config.json': JSON.stringify({ 'app.server.workers': 2 }),
    });
    server = await startGeneratedServer(program.folder, {
      DATABASE_URL: database.url,
      APP_DRIFT_PROBE_MS: '100',
    });
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await program.remove();
    await database.drop();
  });

  test('read and write, and follow a change of the database', async () => {
    expect(workersOf(server)).toHaveLength(2);
    const connections = [keptConnection(server.base), keptConnection(server.base)];
    const headers = { 'content-type': 'application/json' };
    const written = await rest('/notes', { method: 'POST', headers, body: JSON.stringify({ body: 'one' }) });
    expect(written.status).toBe(201);
    for (const { ask } of connections) {
      const read = await ask('/api/v1/notes');
      expect(read.status).toBe(200);
      expect(read.text).toContain('one');
    }
    for (const { close } of connections) close();
    const type = `${database.prefix}Notes`.replace(/^./, (first) => first.toUpperCase());
    await loadMysql(database.url, 'alter table notes add column colour varchar(10)');
    await until(async () => {
      const found = await Promise.all(Array.from({ length: 8 }, () => hasField(type, 'colour')));
      return found.every((has) => has);
    });
  });
});
