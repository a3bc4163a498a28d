import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tablewright } from '../../support/cli.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';

describeMysql('the command line on MariaDB', () => {
  let database: MysqlDatabase;
  let folder: string;
  const run = (...args: readonly string[]) =>
    tablewright([...args, '--url', database.url, '--out', folder], { cwd: tmpdir() });
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');

  beforeAll(async () => {
    database = await createMysqlDatabase('cli');
    folder = await mkdtemp(join(tmpdir(), 'tablewright-mysql-'));
    await loadMysql(
      database.url,
      `create table users (id int auto_increment primary key, name varchar(40) not null) comment 'People.';
       create table posts (id int primary key, author int not null, status enum('draft', 'out') not null,
         foreign key (author) references users (id))`,
    );
    const { code, stderr } = await run('generate');
    expect({ code, stderr }).toMatchObject({ code: 0 });
  }, 60_000);

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  });

  test('generate writes a project with the driver of this database alone', async () => {
    const { dependencies, devDependencies } = JSON.parse(await read('package.json')) as Record<string, object>;
    expect(Object.keys(dependencies ?? {})).toContain('mysql2');
    expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain('pg');
    expect(await read('.env.example')).toContain('mysql://user:password@localhost:3306/database');
    expect(await read('README.md')).not.toContain('postgres://');
  });

  test('a second generate changes nothing, and check finds nothing', async () => {
    expect(await run('generate')).toMatchObject({ code: 0, stdout: expect.stringContaining('up to date') as string });
    expect(await run('check')).toMatchObject({ code: 0 });
  });

  test('inspect shows tables and their columns', async () => {
    const { code, stdout } = await run('inspect', '--table', 'posts');
    expect(code).toBe(0);
    expect(stdout).toContain("enum('draft','out')");
    expect(stdout).toMatch(/author +int +not null, → .*\.users/);
  });

  test('check and diff find a changed table', async () => {
    await loadMysql(database.url, 'alter table posts add column title varchar(80) not null');
    expect(await run('check')).toMatchObject({ code: 3 });
    const { stdout } = await run('diff');
    expect(stdout).toContain("{ name: 'title', type: tw.mysql.varchar }");
    expect(await run('generate')).toMatchObject({ code: 0 });
    expect(await run('check')).toMatchObject({ code: 0 });
  }, 60_000);
});
