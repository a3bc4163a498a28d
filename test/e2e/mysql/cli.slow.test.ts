import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startTablewright, tablewright } from '../../support/cli.js';
import { freePort } from '../../support/free-port.js';
import { createMysqlDatabase, describeMysql, loadMysql, type MysqlDatabase } from '../../support/mysql.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { until } from '../../support/until.js';

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
  });

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
  });

  describe('a new project has no name of the database in its names', () => {
    const plain = "names: { schemaPrefix: 'several', relations: 'simple' }";

    test.each([
      [[], plain],
      [['--names', 'contract'], undefined],
      [['--names', 'short'], "names: { schemaPrefix: 'several', columns: 'camel', relations: 'simple' }"],
    ])('init %j', async (flags, names) => {
      const out = await mkdtemp(join(tmpdir(), 'tablewright-mysql-init-'));
      try {
        const options = { cwd: out, env: { DATABASE_URL: database.url } };
        expect(await tablewright(['init', ...flags], options)).toMatchObject({ code: 0 });
        const config = await readFile(join(out, 'tablewright.config.ts'), 'utf8');
        expect(/names: .*(?=,)/.exec(config)?.[0]).toBe(names);
        expect(config).toContain("\n  types: { 'tinyint(1)': 'boolean' },\n");
      } finally {
        await rm(out, { recursive: true, force: true });
      }
    });

    test('dev writes that into the configuration, and serves it', async () => {
      const out = await scratchFolder('dev-mysql');
      const port = String(await freePort());
      const env = { DATABASE_URL: database.url, PORT: port };
      const dev = startTablewright(['dev', '--interval', '0.2'], { cwd: out, env });
      const ask = async (query: string): Promise<unknown> => {
        const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        });
        return response.json();
      };
      try {
        await loadMysql(
          database.url,
          "insert into users values (1, 'Ada'); insert into posts values (7, 1, 'out', 'A')",
        );
        await dev.says(port);
        const posts = [{ status: 'out', authorUsers: { name: 'Ada', posts: [{ id: 7 }] } }];
        expect(await ask('{ posts { status authorUsers { name posts { id } } } }')).toEqual({ data: { posts } });
        expect(await ask('{ __type(name: "Posts") { fields { name } } }')).toMatchObject({ data: { __type: {} } });
        const written = await readFile(join(out, 'tablewright.config.ts'), 'utf8');
        expect(written).toContain(plain);
        // What dev started goes on with the names of its configuration.
        await loadMysql(database.url, 'create table tags (id int primary key)');
        // The server follows, or a slow one is started again: what counts is its answer.
        const tags = (): Promise<unknown> => ask('{ tags { id } }').catch(() => undefined);
        await until(async () => isDeepStrictEqual(await tags(), { data: { tags: [] } }));
      } finally {
        dev.signal('SIGINT');
        await dev.ended;
        await rm(out, { recursive: true, force: true });
      }
    });
  });
});
