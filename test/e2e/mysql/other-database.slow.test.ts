import { tmpdir } from 'node:os';
import { tablewright } from '../../support/cli.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql } from '../../support/mysql.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';

describeMysql('', () => {
  /** Addresses of one kind of database with the port of the other: messages say what answers. */
  describe.each([
    ['mysql', 'PostgreSQL answers there', 'Write postgres:// in the address, or the port of a MariaDB or MySQL server'],
    ['postgres', 'MariaDB or MySQL answers there', 'Write mysql:// in the address, or the port of a PostgreSQL server'],
  ])('an address %s://… of another database', (scheme, message, hint) => {
    let own: TestDatabase;
    let other: TestDatabase;
    let program: Transpiled;
    let address: string;

    beforeAll(async () => {
      const [postgres, mariadb] = [await createTestDatabase('other'), await createMysqlDatabase('other')];
      await loadSql(postgres.url, 'create table public.things (id int primary key)');
      await loadMysql(mariadb.url, 'create table things (id int primary key)');
      [own, other] = scheme === 'mysql' ? [mariadb, postgres] : [postgres, mariadb];
      program = await buildGenerated(own.url);
      address = other.url.replace(/^\w+:\/\/[^@]*/, `${scheme}://me:sesame`);
    });
    afterAll(async () => {
      await program.remove();
      await own.drop();
      await other.drop();
    });

    test('the command line says what answers', async () => {
      const { code, stderr } = await tablewright(['inspect', '--url', address], { cwd: tmpdir() });
      expect(code).toBe(1);
      expect(stderr).toContain('DATABASE_UNREACHABLE');
      expect(stderr).toContain(message);
      expect(stderr).toContain(hint);
      expect(stderr).not.toContain('sesame');
    });

    test('a server does not start, and says it', async () => {
      const environment = { DATABASE_URL: address, APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '1000' };
      const said = await startServerHere(program.folder, environment).then(() => 'It started.', String);
      expect(said).toContain(`No connection to the database of app.datasource.url: ${message}.`);
      expect(said).toContain(hint);
      expect(said).not.toContain('sesame');
    });
  });
});
