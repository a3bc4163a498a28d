import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mysqlSource } from '../../../../src/demo/mysql.js';
import { tablewrightProcess } from '../../../support/cli.js';
import { freePort } from '../../../support/free-port.js';
import { createMysqlDatabase, describeMariadb, loadMysql, type MysqlDatabase } from '../../../support/mysql.js';
import { createTestDatabase, loadSql } from '../../../support/postgres.js';
import type { Outcome } from '../../../support/program.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { mysqlSeed } from './seed.js';

const checkout = join(import.meta.dirname, '../../../..');
const seedFile = join(checkout, 'demo/mysql/seed.sql');

test('the demo has the same rows in both databases', async () => {
  const database = await createTestDatabase('demo_seed');
  try {
    for (const name of ['schema.sql', 'seed.sql']) {
      await loadSql(database.url, await readFile(join(checkout, 'demo', name), 'utf8'));
    }
    const seed = await mysqlSeed(database.url);
    if (process.env['UPDATE_SEED'] === '1') await writeFile(seedFile, seed);
    expect((await readFile(seedFile, 'utf8')) === seed).toBe(true);
  } finally {
    await database.drop();
  }
});

describeMariadb('tablewright demo --url mysql://…', () => {
  let database: MysqlDatabase;
  let home: string;

  const demo = async (...args: readonly string[]): Promise<Outcome> =>
    tablewrightProcess(['demo', '--folder', join(home, 'demo-server'), '--port', String(await freePort()), ...args], {
      cwd: home,
    });

  beforeAll(async () => {
    home = await scratchFolder('demo-mysql');
    database = await createMysqlDatabase('demo');
    // The demo creates its database when it does not exist.
    await database.drop();
  });

  afterAll(async () => {
    await database.drop();
    await rm(home, { recursive: true, force: true });
  });

  test('loads the demo, serves it, and each printed command answers what it promises', async () => {
    const { code, stdout, stderr } = await demo('--url', database.url, '--check');
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('A new database');
    expect(stdout).not.toContain('The board');
    expect(stdout.match(/^curl /gm)).toHaveLength(6);
    expect(stdout.match(/As promised/g)).toHaveLength(6);
    const manifest = await readFile(join(home, 'demo-server/package.json'), 'utf8');
    expect(manifest).toContain('mysql2');
    expect(manifest).not.toContain('pglite');
    expect(stdout).toContain('{ projects(where: {key: {eq: \\"WEB\\"}}) { name issues(');
  });

  test('a second start finds the rows, keeps the names of an older project, and the database can be removed', async () => {
    const config = join(home, 'demo-server/tablewright.config.ts');
    const names = "  names: { schemaPrefix: 'several', relations: 'simple' },\n";
    const text = await readFile(config, 'utf8');
    expect(text).toContain(names);
    await writeFile(config, text.replace(names, ''));
    await loadMysql(database.url, "update projects set name = 'Mine' where `key` = 'WEB'");
    const again = await demo('--url', database.url, '--check');
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The database of an earlier start') as string,
    });
    expect(again.stdout).toContain('As promised');
    expect(again.stdout).toContain(`{ ${database.prefix}Projects(`);
    await mysqlSource(database.url, home).reset();
    await expect(loadMysql(database.url, 'select 1')).rejects.toThrow(/Unknown database/);
  });

  test('a database with other tables is refused, and left as it is', async () => {
    await loadMysql(
      new URL('/', database.url).href,
      `create database \`${database.name}\`; create table \`${database.name}\`.photos (id int primary key)`,
    );
    for (const flags of [[], ['--reset']]) {
      const { code, stderr } = await demo('--url', database.url, ...flags);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('has a table photos') as string,
      });
    }
    await loadMysql(database.url, 'select count(*) from photos');
  });

  test.each(['mysql://root@127.0.0.1:3306/', 'postgres://postgres@127.0.0.1/demo'])('%s is refused', async (url) => {
    const { code, stderr } = await demo('--url', url);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has to name a MariaDB database') as string,
    });
  });
});
