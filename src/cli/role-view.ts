import {
  type Catalog,
  type Model,
  type RoleRights,
  catalogForRole,
  descriptorsOf,
  modelForRole,
  readRights,
} from '@tablewright/runtime/model';
import type { Config } from '../config/load.js';
import { TablewrightError } from '../errors.js';
import { withDatabase } from '../generate.js';
import type { Session } from './session.js';

/** A catalogue and its model, as a role has them. */
export interface RoleView {
  readonly catalog: Catalog;
  readonly model: Model;
}

/** What the database of the configuration lets a role do. Throws USAGE and DATABASE_*. */
export async function rightsIn(
  session: Session,
  config: Config,
  { role, offline }: { readonly role: string; readonly offline?: boolean | undefined },
): Promise<RoleRights | undefined> {
  if (offline !== true) {
    const { url } = config;
    return withDatabase({ url, signal: session.signal }, (connection) => readRights(connection, role));
  }
  throw new TablewrightError('USAGE', '--role and --offline exclude each other.', 'Grants are read from the database.');
}

/** The rules are those of the configuration, for both sides of a comparison. */
export function viewOf(
  { catalog, model }: RoleView,
  role: string,
  rights: RoleRights | undefined,
  { model: { rules } }: Config,
): RoleView {
  const options = { ...model.options, ...(rules === undefined ? {} : { rules }) };
  const seen = modelForRole({ ...model, options }, { role, rights });
  return { model: seen, catalog: catalogForRole(catalog, descriptorsOf(seen)) };
}

/** The rights of a role before a change: what is gone since counts as granted. */
export function rightsBefore(rights: RoleRights | undefined, before: Catalog, after: Catalog): RoleRights | undefined {
  if (rights === undefined) return undefined;
  const keyOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;
  const granted = new Map(rights.tables.map((each) => [keyOf(each), each]));
  const now = new Map(after.tables.map((table) => [keyOf(table), table]));
  const tables = before.tables.map((table) => {
    const { schema, name } = table;
    const known = granted.get(keyOf(table));
    if (known === undefined) return { schema, name, select: true, insert: true, update: true, delete: true } as const;
    const kept = new Set(now.get(keyOf(table))?.columns.map((column) => column.name));
    const gone = table.columns.map((column) => column.name).filter((column) => !kept.has(column));
    const withGone = (columns: typeof known.select): typeof known.select =>
      columns === true || columns.length === 0 ? columns : [...columns, ...gone];
    const { select, insert, update } = known;
    return { ...known, select: withGone(select), insert: withGone(insert), update: withGone(update) };
  });
  return { ...rights, tables };
}
