import { type Catalog, nearest } from '@tablewright/runtime/model';
import { TablewrightError } from '../errors.js';
import { committedCatalog, readDatabase } from '../generate.js';
import { configure, progressOf, type Session, type SourceFlags } from './session.js';

/** Flags of a command that shows a catalogue, or a part of it. */
export interface CatalogFlags extends SourceFlags {
  readonly offline?: boolean;
  readonly schema?: string;
  readonly table?: string;
}

/**
 * The catalogue of the database, or with `--offline` the committed one. Throws USAGE, DATABASE_*
 * and OUTPUT_EDITED.
 */
export async function chosenCatalog(session: Session, flags: CatalogFlags): Promise<Catalog> {
  const config = await configure(session, flags);
  const { stage } = progressOf(session, flags);
  const catalog =
    flags.offline === true
      ? await committedCatalog(config.out)
      : await stage('Read the database', () => readDatabase({ ...config, signal: session.signal }));
  if (catalog !== undefined) return catalog;
  throw new TablewrightError('USAGE', 'There is no src/generated/catalog.json.', 'Name the project with --out.');
}

/**
 * What was asked for of a catalogue. Throws SCHEMA_UNKNOWN and USAGE with the names that are
 * nearest.
 */
export function narrowed(catalog: Catalog, { schema, table }: Pick<CatalogFlags, 'schema' | 'table'>): Catalog {
  const inSchema = schema === undefined ? catalog : onlySchema(catalog, schema);
  if (table === undefined) return inSchema;
  const tables = inSchema.tables.filter((each) => named(each) === table || each.name === table);
  const [first, ...others] = tables;
  if (first === undefined) {
    const near = nearest(
      table,
      inSchema.tables.flatMap((each) => [named(each), each.name]),
    );
    throw new TablewrightError(
      'USAGE',
      `There is no table or view ${table}.`,
      near === undefined ? 'tablewright inspect lists all of them.' : `Did you mean "${near}"?`,
    );
  }
  if (others.length === 0) return { ...inSchema, tables };
  throw new TablewrightError(
    'USAGE',
    `Several schemas have a table ${table}.`,
    `Choose ${tables.map(named).join(' or ')}.`,
  );
}

function onlySchema(catalog: Catalog, schema: string): Catalog {
  const names = catalog.schemas.map((each) => each.name);
  if (!names.includes(schema)) {
    const near = nearest(schema, names);
    const hint = near === undefined ? `There are ${names.join(', ')}.` : `Did you mean "${near}"?`;
    throw new TablewrightError('SCHEMA_UNKNOWN', `There is no schema ${schema}.`, hint);
  }
  const within = <T extends { readonly schema: string }>(all: readonly T[]): T[] =>
    all.filter((each) => each.schema === schema);
  return {
    ...catalog,
    schemas: catalog.schemas.filter((each) => each.name === schema),
    tables: within(catalog.tables),
    enums: within(catalog.enums),
    domains: within(catalog.domains),
    composites: within(catalog.composites),
    routines: within(catalog.routines),
  };
}

export const named = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  `${schema}.${name}`;
