import { type CatalogConnection, inSnapshot, retryMomentary } from '@tablewright/runtime/model';
import { TablewrightError } from '../errors.js';
import type { Facts, RoleFacts } from './facts.js';
import { functions } from './queries/functions.js';
import { relations, views } from './queries/relations.js';
import { roles } from './queries/roles.js';
import { changes, database, foreignServers, indexes, integerKeys, sequences } from './queries/usage.js';
import type { Serving } from './serving.js';

/**
 * Reads facts that the catalogue of PostgreSQL leaves out: roles, owners, functions' settings, use
 * of indexes, sequences. Only the system catalogue and its statistics are read, never a row of a
 * table.
 * @throws TablewrightError USAGE when the role that the server connects as is not there;
 * DATABASE_QUERY
 */
export async function readFacts(
  connection: CatalogConnection,
  schemas: readonly string[],
  serving: Serving,
): Promise<Facts> {
  return retryMomentary(() => inSnapshot(connection, () => readOnce(connection, schemas, serving)));
}

async function readOnce(connection: CatalogConnection, schemas: readonly string[], serving: Serving): Promise<Facts> {
  const connecting = serving.connecting ?? (await currentRole(connection));
  const names = [...new Set([connecting, ...serving.switched])];
  const found = (await list(connection, roles, [JSON.stringify(names)])) as RoleFacts[];
  if (found[0]?.exists !== true) throw noSuchRole(connecting);
  const subject = serving.alwaysSwitches ? serving.switched : names;
  const scope = [schemas, JSON.stringify(subject)];
  const [whole] = await list(connection, database, []);
  return {
    serverVersion: connection.serverVersion,
    ...(whole as Pick<Facts, 'statisticsDays' | 'publicIsOpen'>),
    roles: found,
    relations: (await list(connection, relations, scope)) as Facts['relations'],
    views: (await list(connection, views, scope)) as Facts['views'],
    functions: (await list(connection, functions, scope)) as Facts['functions'],
    indexes: (await list(connection, indexes, scope)) as Facts['indexes'],
    sequences: (await list(connection, sequences, scope)) as Facts['sequences'],
    changes: (await list(connection, changes, scope)) as Facts['changes'],
    foreignServers: (await list(connection, foreignServers, scope)) as Facts['foreignServers'],
    integerKeys: (await list(connection, integerKeys, scope)) as Facts['integerKeys'],
  };
}

async function currentRole(connection: CatalogConnection): Promise<string> {
  const [row] = await connection.query('select current_user::text as name');
  return String(row?.['name']);
}

/** The rows of a query, as JSON: the same from every driver. */
async function list(connection: CatalogConnection, query: string, values: readonly unknown[]): Promise<unknown[]> {
  const [row] = await connection.query(
    `select coalesce(json_agg(to_json(fact)), '[]')::text as facts from (${query}) fact`,
    values,
  );
  return JSON.parse(String(row?.['facts'])) as unknown[];
}

const noSuchRole = (name: string): TablewrightError =>
  new TablewrightError(
    'USAGE',
    `The database has no role "${name}".`,
    'Name the role that the server connects as with --role, or in app.datasource.username.',
  );
