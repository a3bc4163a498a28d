import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { mariadbFeatures, mysqlFeatures, type Features } from '../../../runtime/src/dialect/mysql/start-up/features.js';
import { repository } from '../../support/transpile.js';

/** What MariaDB can run, too, of what statements for MySQL are made of. */
const shared = [
  'returning',
  'limitsWrites',
  'readsWrittenTable',
  'setStatement',
  'compound',
] as const satisfies (keyof Features)[];

/** The environment of a server that takes its MariaDB for a server which has of these features what MySQL has. */
export const asOnMysql: Readonly<Record<string, string>> = switched(
  Object.fromEntries(shared.map((name) => [name, mysqlFeatures[name]])),
);

/** How a suite is called, and the environment of its server: as MariaDB is asked, and as MySQL is. */
export const bothWays: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['', {}],
  [' without what MySQL lacks', asOnMysql],
];

/** The module is loaded before the server's own: they share its objects. */
function switched(features: Partial<Features>): Readonly<Record<string, string>> {
  if (Object.keys(features).some((name) => !(name in mariadbFeatures))) throw new TypeError('No such feature.');
  const module = pathToFileURL(join(repository, 'runtime/dist/dialect/mysql/start-up/features.js')).href;
  const text = `import { mariadbFeatures } from '${module}'; Object.assign(mariadbFeatures, ${JSON.stringify(features)});`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(text)}` };
}
