import { createHash } from 'node:crypto';
import type { BaseTable, Catalog, Column, ConstraintComment, ForeignKey, Index, Routine, Table } from './catalog.js';

/**
 * A SHA-256, in hex, of all facts that shape the generated server: names, comments, types, keys,
 * the tables and columns that can be written, the writes that run rules or AFTER triggers, the
 * columns that route rows to foreign partitions, the aggregates for media types, routines. It is
 * the same for every role, and the same from `catalog.json`. Facts that only the database uses do
 * not count: privileges, policies, checks and exclusions, the expression of a default or a
 * generated column, referential actions, versions of extensions, and indexes, except unique ones,
 * which are keys.
 */
export const fingerprint = (catalog: Catalog): string =>
  createHash('sha256')
    .update(JSON.stringify(shapingFacts(catalog)))
    .digest('hex');

/** A value, with or without the members that `catalog.json` leaves out. */
type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]?: Written<T[Member]> | undefined }
    : T;

/**
 * Whether the text of a `catalog.json` has the fingerprint of this catalogue. It is compared as it
 * is written: what completes it takes a hundred modules. A text that says the same in another way
 * differs.
 */
export function isWrittenAs(catalog: Catalog, text: string): boolean {
  try {
    return condensed(JSON.parse(text) as Written<Catalog>) === condensed(catalog);
  } catch {
    return false;
  }
}

const condensed = (catalog: Written<Catalog>): string =>
  JSON.stringify(shapingFacts(catalog), (member, value: unknown) => (isLeftOut(member, value) ? undefined : value));

/** Whether `catalog.json` leaves out a member with this value: its absence means the same. */
export function isLeftOut(member: string, value: unknown): boolean {
  if (value === false) return member !== 'transactional';
  return value === null || (Array.isArray(value) && value.length === 0);
}

function shapingFacts(catalog: Written<Catalog>): unknown {
  const { tables = [], domains = [], routines = [], extensions = [] } = catalog;
  return {
    dialect: catalog.dialect,
    schemas: catalog.schemas,
    tables: tables.map(shapeOfTable),
    baseTables: catalog.baseTables?.map(shapeOfBase),
    enums: catalog.enums,
    domains: domains.map((domain) => ({
      ...domain,
      default: isGiven(domain.default),
      checks: undefined,
      constraintComments: ifAny(domain.constraintComments),
    })),
    composites: catalog.composites,
    ranges: catalog.ranges,
    routines: routines.map(shapeOfRoutine),
    extensions: extensions.map((extension) => [extension.name, extension.schema]),
    mediaHandlers: catalog.mediaHandlers,
  };
}

const isGiven = (text: string | null | undefined): boolean => (text ?? null) !== null;

function shapeOfBase(table: Written<BaseTable>): unknown {
  const { schema, name, primaryKey, uniques, foreignKeys = [], inherited, sources } = table;
  return { schema, name, primaryKey, uniques, foreignKeys: foreignKeys.map(shapeOfForeignKey), inherited, sources };
}

function shapeOfTable(table: Written<Table>): unknown {
  const { schema, name, kind, comment, primaryKey, uniques, insertable, updatable, deletable } = table;
  const { columns = [], foreignKeys = [], indexes = [] } = table;
  return {
    ...{ schema, name, kind, comment, primaryKey, uniques, insertable, updatable, deletable },
    columns: columns.map(shapeOfColumn),
    foreignKeys: foreignKeys.map(shapeOfForeignKey),
    sources: table.sources,
    rules: table.rules,
    afterTriggers: table.afterTriggers,
    deferrableKeys: table.deferrableKeys,
    routingColumns: table.routingColumns,
    inherited: table.inherited,
    transactional: table.transactional,
    mediaHandlers: table.mediaHandlers,
    constraintComments: ifAny(table.constraintComments),
    uniqueIndexes: indexes.flatMap(shapeOfIndex).sort(),
  };
}

/**
 * JSON leaves out undefined members: a schema without such comments keeps the fingerprint that it
 * had before they were read.
 */
const ifAny = (comments: Written<readonly ConstraintComment[]> = []): typeof comments | undefined =>
  comments.length === 0 ? undefined : comments;

function shapeOfColumn(column: Written<Column>): unknown {
  return { ...column, default: isGiven(column.default) };
}

function shapeOfForeignKey({ name, columns, references, equality }: Written<ForeignKey>): unknown {
  return { name, columns, references, equality };
}

/** A unique index that holds for every row, which is a key of the API. */
function shapeOfIndex({ name, unique, predicate, keys = [], comparesOtherwise }: Written<Index>): string[] {
  const holds = unique === true && !isGiven(predicate) && keys.every((key) => isGiven(key.column));
  return holds ? [JSON.stringify([name, keys.map((key) => key.column), comparesOtherwise])] : [];
}

function shapeOfRoutine(routine: Written<Routine>): unknown {
  return { ...routine, executable: undefined, strict: undefined, securityDefiner: undefined };
}
