import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

const onAddress = join(root, 'test/support/mysql.ts');
const withOwnServer = join(root, 'test/support/own-mariadb.ts');
const withFiles = join(root, 'test/support/case.ts');

/**
 * The suites that use the database server of an address, and those that do not run there.
 * @param isMariadb whether the server is MariaDB
 * @returns paths from the root, and the reasons of those that do not run
 */
export function suitesOn(isMariadb) {
  const suites = globSync('test/**/*.test.ts', {
    cwd: root,
    ignore: ['**/node_modules/**', '**/out/**', '**/*.soak.test.ts'],
  }).sort();
  const known = new Map();
  const all = suites.map((suite) => [suite, reached(join(root, suite), known)]);
  const chosen = all.filter(([, files]) => files.has(onAddress) || files.has(withOwnServer));
  const notRun = new Map(
    chosen.flatMap(([suite, files]) => {
      const reason = reasonOf(suite, files, isMariadb);
      return reason === undefined ? [] : [[suite, reason]];
    }),
  );
  return { run: chosen.map(([suite]) => suite).filter((suite) => !notRun.has(suite)), notRun };
}

function reasonOf(suite, files, isMariadb) {
  const text = readFileSync(join(root, suite), 'utf8');
  if (text.includes('describeOwnMariadb') && !text.includes('describeMysql')) return 'it starts a MariaDB of its own';
  if (!isMariadb && files.has(withFiles)) return 'it compares with files that were generated on MariaDB';
  return undefined;
}

/** The files that a suite imports, and those that these import, below `test/`. */
function reached(path, known) {
  const before = known.get(path);
  if (before !== undefined) return before;
  const files = new Set([path]);
  known.set(path, files);
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)) {
    const file = `${join(dirname(path), name)}.ts`;
    if (!relative(root, file).startsWith('test/') || !existsSync(file)) continue;
    for (const each of reached(file, known)) files.add(each);
  }
  return files;
}
