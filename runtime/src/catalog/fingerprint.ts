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
export function fingerprint(catalog: Catalog): string {
  const shaping = {
    dialect: catalog.dialect,
    schemas: catalog.schemas,
    tables: catalog.tables.map(shapeOfTable),
    baseTables: catalog.baseTables?.map(shapeOfBase),
    enums: catalog.enums,
    domains: catalog.domains.map((domain) => ({
      ...domain,
      default: domain.default !== null,
      checks: undefined,
      constraintComments: ifAny(domain.constraintComments),
    })),
    composites: catalog.composites,
    ranges: catalog.ranges,
    routines: catalog.routines.map(shapeOfRoutine),
    extensions: catalog.extensions.map((extension) => [extension.name, extension.schema]),
    mediaHandlers: catalog.mediaHandlers,
  };
  return createHash('sha256').update(JSON.stringify(shaping)).digest('hex');
}

function shapeOfBase({ schema, name, primaryKey, uniques, foreignKeys, inherited, sources }: BaseTable): unknown {
  return { schema, name, primaryKey, uniques, foreignKeys: foreignKeys.map(shapeOfForeignKey), inherited, sources };
}

function shapeOfTable(table: Table): unknown {
  const { schema, name, kind, comment, primaryKey, uniques, insertable, updatable, deletable } = table;
  return {
    ...{ schema, name, kind, comment, primaryKey, uniques, insertable, updatable, deletable },
    columns: table.columns.map(shapeOfColumn),
    foreignKeys: table.foreignKeys.map(shapeOfForeignKey),
    sources: table.sources,
    rules: table.rules,
    afterTriggers: table.afterTriggers,
    deferrableKeys: table.deferrableKeys,
    routingColumns: table.routingColumns,
    inherited: table.inherited,
    transactional: table.transactional,
    mediaHandlers: table.mediaHandlers,
    constraintComments: ifAny(table.constraintComments),
    uniqueIndexes: table.indexes.flatMap(shapeOfIndex).sort(),
  };
}

/**
 * JSON leaves out undefined members: a schema without such comments keeps the fingerprint that it
 * had before they were read.
 */
const ifAny = (comments: readonly ConstraintComment[]): readonly ConstraintComment[] | undefined =>
  comments.length === 0 ? undefined : comments;

function shapeOfColumn(column: Column): unknown {
  return { ...column, default: column.default !== null };
}

function shapeOfForeignKey({ name, columns, references, equality }: ForeignKey): unknown {
  return { name, columns, references, equality };
}

/** A unique index that holds for every row, which is a key of the API. */
function shapeOfIndex({ name, unique, predicate, keys, comparesOtherwise }: Index): string[] {
  const holds = unique && predicate === null && keys.every((key) => key.column !== null);
  return holds ? [JSON.stringify([name, keys.map((key) => key.column), comparesOtherwise])] : [];
}

function shapeOfRoutine(routine: Routine): unknown {
  return { ...routine, executable: undefined, strict: undefined, securityDefiner: undefined };
}
