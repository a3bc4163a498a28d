import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { loadMysql } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import { runProgram } from '../../support/program.js';
import { repository } from '../../support/transpile.js';

/** `npm run test:mysql` on a server with a port, a user and a password of its own. */
describeOwnMariadb('the suites on the server of an address', () => {
  let mariadb: OwnMariadb;
  let url: string;

  beforeAll(async () => {
    mariadb = await createOwnMariadb();
    await mariadb.start();
    await loadMysql(
      mariadb.url,
      `create user tester@'%' identified by 'p@ss wörd'; grant all on *.* to tester@'%' with grant option;
       set password for root@localhost = password('secret')`,
    );
    url = Object.assign(new URL(mariadb.url), { username: 'tester', password: 'p@ss wörd' }).href;
  });
  afterAll(() => mariadb.remove());

  const run = (...args: readonly string[]) =>
    runProgram(process.execPath, ['test/support/mysql-suites/main.js', ...args], { cwd: repository });

  test('it names the server, runs suites there, and ends with a summary to paste', async () => {
    const suites = ['test/runtime/mysql/explain', 'test/e2e/mysql/reads'];
    const { code, stdout } = await run('--url', url, '-w', '1', ...suites);
    expect(stdout).toMatch(/^The server at 127\.0\.0\.1:\d+ is MariaDB 1\d\.\d+\.\d+\S*: \d\d suites use it\.$/m);
    expect(stdout).toContain('\nNot run: test/runtime/mysql/connecting.slow.test.ts: it starts a MariaDB of its own\n');
    const summary = stdout.slice(stdout.indexOf('## MySQL-style suites on MariaDB '));
    for (const suite of suites)
      expect(summary).toMatch(new RegExp(`\\| ${suite}\\.test\\.ts \\| [1-9]\\d* \\| 0 \\| 0 \\|`));
    expect(summary).toMatch(/\| all \| [1-9]\d* \| 0 \| 0 \|/);
    expect(summary).not.toMatch(/127\.0\.0\.1|p@ss|p%40ss|tester/);
    expect(code).toBe(0);
  });

  test.each([
    [[], 2, 'Usage: npm run test:mysql -- --url mysql://'],
    [['--url', 'postgres://postgres@127.0.0.1/x'], 2, 'Usage: '],
    [['--url=mysql://root:wrong@127.0.0.1:1/'], 1, 'The server at 127.0.0.1:1 cannot be used: '],
  ] as const)('%j is refused', async (args, expected, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
    expect(stderr).not.toContain('wrong');
  });
});
