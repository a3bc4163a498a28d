import { type CatalogConnection, grantee, rolesOf } from '@tablewright/runtime/model';
import { TablewrightError } from '../../errors.js';
import type { Serving } from '../serving.js';
import type { MysqlFacts, ProgramFacts, Right } from './facts.js';
import { accountsQuery, doctorQueries, rightsQuery, triggersQuery } from './queries.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads facts that the catalogue leaves out: accounts and their rights, definers of views and
 * routines, indexes, counters. Only information_schema is read, never a row of a table.
 * @throws TablewrightError USAGE when the account that the server connects as is not there, or
 * cannot be seen; DATABASE_QUERY
 */
export async function readMysqlFacts(
  connection: CatalogConnection,
  schemas: readonly string[],
  { connecting }: Serving,
): Promise<MysqlFacts> {
  const ask = (query: string): Promise<readonly Row[]> => connection.query(query, schemas);
  const queries = doctorQueries(schemas.length);
  const listed = (await connection.query(accountsQuery)).map((row) => ({
    name: unquotedAccount(text(row, 'account')),
    administrator: text(row, 'administrator') === '1',
  }));
  const [current] = await connection.query('select current_user() as name, current_role() as role');
  const own = text(current ?? {}, 'name');
  const account = connecting === undefined ? own : accountNamed(connecting, own, listed);
  const holders = [account, ...(account === own ? rolesOf(text(current ?? {}, 'role')) : [])];
  const rights: Right[] = [];
  for (const holder of holders) rights.push(...(await rightsOf(connection, holder)));
  const views = await ask(queries.views);
  const programs = [...(await ask(queries.programs)), ...(await ask(triggersQuery(schemas.length)))];
  // A user who may not read the server's own tables sees only their own account.
  const seesAll = listed.length > 1;
  return {
    account,
    rights,
    accounts: seesAll ? listed.map(({ name }) => name) : null,
    administrators: seesAll ? listed.filter(({ administrator }) => administrator).map(({ name }) => name) : [],
    views: views.map((row) => ({
      ...nameOf(row),
      definition: text(row, 'definition'),
      definer: text(row, 'definer'),
      runsAsDefiner: text(row, 'security') === 'DEFINER',
      checksWrites: text(row, 'check_option') !== 'NONE',
    })),
    functions: (await ask(queries.functions)).map((row) => ({
      ...nameOf(row),
      body: row['body'] === null ? null : text(row, 'body'),
      returns: text(row, 'returns'),
      deterministic: text(row, 'deterministic') === 'YES',
      access: text(row, 'access'),
      definer: text(row, 'definer'),
      runsAsDefiner: text(row, 'security') === 'DEFINER',
    })),
    programs: [
      ...views.filter((row) => text(row, 'security') === 'DEFINER').map((row) => ({ ...row, kind: 'view' })),
      ...programs,
    ].map((row: Row) => ({
      ...nameOf(row),
      kind: text(row, 'kind') as ProgramFacts['kind'],
      definer: text(row, 'definer'),
    })),
    indexes: (await ask(queries.indexes)).map((row) => ({
      ...nameOf(row),
      table: text(row, 'table'),
      unique: text(row, 'non_unique') === '0',
      layout: text(row, 'layout'),
    })),
    counters: (await ask(queries.counters)).map((row) => ({
      ...nameOf(row),
      column: text(row, 'column'),
      type: text(row, 'type'),
      next: text(row, 'next'),
    })),
  };
}

async function rightsOf(connection: CatalogConnection, holder: string): Promise<readonly Right[]> {
  const name = grantee(holder);
  const rows = await connection.query(rightsQuery, [name, name, name, name]);
  return rows.map((row) => ({
    right: text(row, 'right'),
    schema: row['schema'] === null ? null : text(row, 'schema'),
    table: row['table'] === null ? null : text(row, 'table'),
    grantable: text(row, 'grantable') === 'YES',
  }));
}

/** `--role` names an account with or without its host. */
function accountNamed(wanted: string, own: string, listed: readonly { readonly name: string }[]): string {
  const isIt = (name: string): boolean => name === wanted || name.slice(0, name.lastIndexOf('@')) === wanted;
  const found = [own, ...listed.map(({ name }) => name)].find(isIt);
  if (found !== undefined) return found;
  throw new TablewrightError(
    'USAGE',
    `The doctor sees no account "${wanted}".`,
    'Name the account that the server connects as with --role, or connect as one that may read the database mysql.',
  );
}

/** `'root'@'localhost'` without its quotes, and a role's `'name'@''` without a host. */
function unquotedAccount(grantee: string): string {
  const [, name = grantee, host = ''] = /^'([^]*)'@'([^]*)'$/.exec(grantee) ?? [];
  return host === '' ? name : `${name}@${host}`;
}

/** A member of a row: the driver returns text, a number or null. */
function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

const nameOf = (row: Row): { readonly schema: string; readonly name: string } => ({
  schema: text(row, 'schema'),
  name: text(row, 'name'),
});
