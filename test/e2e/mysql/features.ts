import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { mariadbFeatures, mysqlFeatures, type Features } from '../../../runtime/src/dialect/mysql/start-up/features.js';
import { isMariadb } from '../../support/mysql.js';
import { repository } from '../../support/transpile.js';

/** Features of statements for MySQL that MariaDB can also run. */
const shared = [
  'returning',
  'limitsWrites',
  'readsWrittenTable',
  'setStatement',
  'compound',
] as const satisfies (keyof Features)[];

/** The environment of a server that treats its MariaDB like MySQL in these features. */
export const asOnMysql: Readonly<Record<string, string>> = switched(
  Object.fromEntries(shared.map((name) => [name, mysqlFeatures[name]])),
);

/**
 * The title suffix of a suite, and the environment of its server: with statements for MariaDB, and
 * for MySQL. A MySQL has its own statements.
 */
export const bothWays: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['', {}],
  ...(isMariadb ? [[' without what MySQL lacks', asOnMysql] as const] : []),
];

/** The module loads before the server's own modules and shares its objects with them. */
function switched(features: Partial<Features>): Readonly<Record<string, string>> {
  if (Object.keys(features).some((name) => !(name in mariadbFeatures))) throw new TypeError('No such feature.');
  const module = pathToFileURL(join(repository, 'runtime/dist/dialect/mysql/start-up/features.js')).href;
  const text = `import { mariadbFeatures } from '${module}'; Object.assign(mariadbFeatures, ${JSON.stringify(features)});`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(text)}` };
}
