import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { abortChecks, checks, socketChecks, streamChecks, testHost } from '../../support/host-checks.js';
import { describeHosts, HostProject } from '../../support/hosts.js';
import { createMysqlDatabase, describeMariadb, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import type { ServerProcess } from '../../support/running-server.js';
import { repository } from '../../support/transpile.js';

const bun = 'node_modules/.bin/bun';
const deno = 'node_modules/.bin/deno run -RNES --unstable-sloppy-imports';
const all = [checks, abortChecks, streamChecks, socketChecks];

/** The host's own sockets are not those of Node.js: its section says what to use. */
const withoutSockets = {
  'a WebSocket is refused': async ({ base }: { readonly base: string }) => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('400');
  },
};

describeHosts('a host other than Node.js', () => {
  let project: HostProject;
  beforeAll(async () => {
    project = await HostProject.open();
    await project.run('npm install bun deno');
  });
  afterAll(() => project.remove());

  const served = [checks, abortChecks, streamChecks, withoutSockets];
  testHost(() => project, { heading: 'Bun', checks: served });
  testHost(() => project, { heading: 'Bun', command: `${bun} src/main.ts`, checks: all });
  testHost(() => project, { heading: 'Deno', checks: served });
  testHost(() => project, { heading: 'Deno', command: `${deno} src/main.ts`, checks: all });

  describeMariadb('with MariaDB', () => {
    let database: MysqlDatabase;
    beforeAll(async () => {
      database = await createMysqlDatabase('hosts');
      await loadMysql(
        database.url,
        `create table notes (id int auto_increment primary key, title text not null);
         insert into notes (title) values ('first')`,
      );
      await project.run(`npx tablewright generate --out server/mariadb --url '${database.url}'`, project.folder);
    });
    afterAll(() => database.drop());

    /** The others are of the database of PostgreSQL. */
    const ofNotes = Object.entries(checks).filter(([name]) => /REST|error/.test(name));
    test.each([bun, deno])('%s', async (program) => {
      const server = await project.start(`env DATABASE_URL='${database.url}' ${program} mariadb/src/main.ts`);
      for (const [, check] of ofNotes) await check({ base: server.base, project });
      expect(await server.stop()).toBe(0);
    });
  });

  describe('Cloudflare Workers', () => {
    let origin: ServerProcess;
    let worker: ServerProcess;
    const workerd = join(repository, 'test/hosts/workerd.js');
    beforeAll(async () => {
      await project.follow('Cloudflare Workers');
      // The origin hears of a closed stream only when it writes the next comment, after seconds.
      origin = await project.start(`env APP_WEBSOCKET_MAX_SOCKETS=9 ${bun} src/main.ts`);
      const bindings = JSON.stringify({ ORIGIN: origin.base });
      worker = await project.start(`env WORKER_BINDINGS='${bindings}' node ${workerd} worker.js`);
    });
    afterAll(async () => {
      await worker.stop();
      await origin.stop();
    });

    test.each([checks, streamChecks, socketChecks].flatMap((table) => Object.entries(table)))('%s', (_, check) =>
      check({ base: worker.base, project }),
    );
  });
});
