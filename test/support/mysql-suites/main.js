import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { root, suitesOn } from './suites.js';

/**
 * Runs every suite that uses a MariaDB or MySQL, on the server of an address:
 * `npm run test:mysql -- --url mysql://root@host:3306`. Other arguments are those of Jest.
 */
const { url, others } = parse(process.argv.slice(2));
const version = await versionOf(url);
const flavour = /mariadb/i.test(version) ? 'MariaDB' : 'MySQL';
const { run, notRun } = suitesOn(flavour === 'MariaDB');
console.log(`The server at ${new URL(url).host} is ${flavour} ${version}: ${String(run.length)} suites use it.`);
for (const [suite, reason] of notRun) console.log(`Not run: ${suite}: ${reason}`);

const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
const config = join(import.meta.dirname, 'jest.config.js');
const { status } = spawnSync(process.execPath, ['--max-semi-space-size=64', jest, '--config', config, ...others], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_MYSQL_URL: url, TEST_MYSQL_VERSION: version, TEST_MYSQL_FLAVOUR: flavour },
});
process.exit(status ?? 1);

function parse(args) {
  const at = args.findIndex((each) => each === '--url' || each.startsWith('--url='));
  const isSeparate = args[at] === '--url';
  const given = at < 0 ? process.env['TEST_MYSQL_URL'] : isSeparate ? args[at + 1] : args[at].slice('--url='.length);
  if (given === undefined || !/^(mysql|mariadb):\/\/[^/]/.test(given) || !URL.canParse(given)) {
    console.error('Usage: npm run test:mysql -- --url mysql://user:password@host:3306 [arguments of Jest]');
    console.error('The user creates and drops databases and users. Use a server without data that you need.');
    process.exit(2);
  }
  return {
    url: given,
    others: at < 0 ? args : args.filter((_, place) => place !== at && !(isSeparate && place === at + 1)),
  };
}

async function versionOf(address) {
  try {
    const connection = await createConnection({ uri: address, connectTimeout: 10_000 });
    const [[row]] = await connection.query('select version() as version');
    await connection.end();
    return String(row.version);
  } catch (error) {
    console.error(`The server at ${new URL(address).host} cannot be used: ${error.message}`);
    process.exit(1);
  }
}
