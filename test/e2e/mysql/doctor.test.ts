import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tablewright } from '../../support/cli.js';
import { temporaryFolder } from '../../support/folders.js';
import { createMysqlDatabase, describeMysql, loadMysql, mysqlServer, type MysqlDatabase } from '../../support/mysql.js';
import type { Outcome } from '../../support/program.js';

interface Report {
  readonly counts: Readonly<Record<'error' | 'warning' | 'info' | 'silenced', number>>;
  readonly findings: readonly { readonly rule: string; readonly object: string; readonly severity: string }[];
  readonly silenced: readonly unknown[];
}

describeMysql('init and doctor on MariaDB', () => {
  let database: MysqlDatabase;
  let folder: string;
  let remove: () => Promise<void>;

  const run = (...args: readonly string[]): Promise<Outcome> =>
    tablewright(args, { cwd: folder, env: { DATABASE_URL: database.url } });
  const report = async (...args: readonly string[]): Promise<Report> =>
    JSON.parse((await run('doctor', '--json', ...args)).stdout.replaceAll(database.name, 'app')) as Report;
  const configure = (options: object): Promise<void> =>
    writeFile(
      join(folder, 'tablewright.config.ts'),
      `export default ${JSON.stringify({ 'app.security.jwt-enabled': true, 'app.security.auth.public-key': 'x', ...options })};\n`,
    );

  beforeAll(async () => {
    database = await createMysqlDatabase('doctor_cli');
    ({ folder, remove } = await temporaryFolder());
    await loadMysql(
      database.url,
      `create table orders (id int primary key, customer_id varchar(40) not null, key by_customer (customer_id),
         key again (customer_id));
       create table log (line text);`,
    );
  });

  afterAll(async () => {
    await remove();
    await database.drop();
  });

  test('init writes the SQL of row filters, once', async () => {
    const { code, stdout } = await run('init');
    expect(stdout).toContain("  grant replication slave, binlog monitor on *.* to tablewright_changes@'%';");
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/written: .*row-filters\.sql/) as string,
    });
    expect(stdout).toContain('row-filters.sql is for the database');
    await writeFile(join(folder, 'row-filters.sql'), '-- mine\n');
    await run('init');
    expect(await readFile(join(folder, 'row-filters.sql'), 'utf8')).toBe('-- mine\n');
  });

  test('a project of PostgreSQL has no such file', async () => {
    const other = await temporaryFolder();
    const { stdout } = await tablewright(['init', '--json'], {
      cwd: other.folder,
      env: { DATABASE_URL: 'postgres://nobody@localhost/nowhere' },
    });
    expect(stdout).not.toContain('row-filters.sql');
    await other.remove();
  });

  test('doctor finds what is unsafe, the most severe first, in at most 80 columns, and exits with 2', async () => {
    await configure({});
    const { code, stdout, stderr } = await run('doctor');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const { findings, counts } = await report();
    expect(findings.map(({ rule, object, severity }) => [severity, rule, object.replace(/@.*/, '')])).toEqual([
      ['warning', 'role-too-powerful', new URL(mysqlServer).username],
      ['warning', 'row-security-off', 'app'],
      ['warning', 'duplicate-index', 'app.orders.by_customer'],
      ['warning', 'table-without-key', 'app.log'],
    ]);
    expect(counts).toEqual({ error: 0, warning: 4, info: 0, silenced: 0 });
    expect((await run('doctor', '--fail-on', 'error')).code).toBe(0);
  });

  test('with the file that init writes, and its example, the tables are guarded', async () => {
    const fresh = await temporaryFolder();
    await tablewright(['init'], { cwd: fresh.folder, env: { DATABASE_URL: database.url } });
    const sql = await readFile(join(fresh.folder, 'row-filters.sql'), 'utf8');
    await fresh.remove();
    // The comments of the file explain it: removing the dashes activates the example.
    const example = sql.replace(/^-- (create or replace sql security definer view| {2}select| {2}with)/gm, '$1');
    expect(example).not.toBe(sql);
    await loadMysql(database.url, example);
    await loadMysql(database.url, example);
    expect((await report('--rule', 'row-security-off')).findings).toMatchObject([
      { severity: 'error', object: 'app.orders' },
      { severity: 'info', object: 'app.log' },
    ]);
    await configure({
      exclude: [`${database.name}.orders`],
      doctor: { ignore: [{ rule: 'row-security-off', objects: [`${database.name}.log`], reason: 'For everybody.' }] },
    });
    const { code, stdout } = await run('doctor', '--rule', 'row-security-off,view-without-check-option');
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing found; 1 silenced') as string,
    });
    expect((await report()).silenced).toHaveLength(1);
  });

  test('--sql prints a script that mends what needs no decision', async () => {
    const { stdout } = await run('doctor', '--sql');
    expect(stdout).toContain('run it: mariadb < fix.sql');
    expect(stdout).toMatch(/^alter table `.*`\.`orders` drop index `by_customer`;$/m);
    expect(stdout).toMatch(/^-- alter table `.*`\.`log` add column `id`/m);
    await loadMysql(database.url, stdout);
    const { findings } = await report();
    expect(findings.map(({ rule }) => rule)).toEqual(['role-too-powerful', 'table-without-key']);
  });

  test('rules of PostgreSQL alone are none of its rules', async () => {
    expect(await run('doctor', '--rule', 'policies-not-enabled')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing found') as string,
    });
    expect(await run('doctor', '--role', 'nobody_here')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('sees no account') as string,
    });
  });
});
