import type {
  Catalog,
  CatalogTable as Table,
  ForeignKey,
  QualifiedName,
  ReferentialAction,
} from '@tablewright/runtime/console';

/**
 * What a diagram shows of a database. Plain data, so that a browser can make the same texts of it.
 */
export interface Diagram {
  readonly tables: readonly DiagramTable[];
  readonly references: readonly DiagramReference[];
  readonly enums: readonly DiagramEnum[];
}

export interface DiagramTable extends QualifiedName {
  readonly kind: Table['kind'];
  readonly comment: string | null;
  readonly columns: readonly DiagramColumn[];
  readonly primaryKey: readonly string[];
  readonly uniques: readonly (readonly string[])[];
}

export interface DiagramColumn {
  readonly name: string;
  /** As one would write it in SQL. */
  readonly type: string;
  /** The enum that the type is. */
  readonly enum?: QualifiedName | undefined;
  readonly nullable: boolean;
  readonly comment: string | null;
}

/** A foreign key: `from` refers to `to`. */
export interface DiagramReference {
  readonly name: string;
  readonly from: DiagramEnd;
  readonly to: DiagramEnd;
  /** Whether a row of `to` has at most one row of `from`. */
  readonly single: boolean;
  /** Whether a row of `from` may have none of `to`. */
  readonly optional: boolean;
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
}

export interface DiagramEnd extends QualifiedName {
  readonly columns: readonly string[];
}

export interface DiagramEnum extends QualifiedName {
  readonly labels: readonly string[];
}

/**
 * The tables and views of a catalogue, the foreign keys between them, and the enums of their
 * columns.
 */
export function diagramOf({ tables, enums }: Pick<Catalog, 'tables' | 'enums'>): Diagram {
  const shown = new Map(tables.map((table) => [keyOf(table), table]));
  const used = new Set<string>();
  for (const { columns } of tables) for (const { type } of columns) if (type.kind === 'enum') used.add(keyOf(type));
  return {
    tables: tables.map(tableOf),
    references: tables.flatMap((table) =>
      table.foreignKeys
        .filter((key) => refersTo(shown.get(keyOf(key.references)), key))
        .map((key) => referenceOf(table, key)),
    ),
    enums: enums.filter((each) => used.has(keyOf(each))).map(({ schema, name, labels }) => ({ schema, name, labels })),
  };
}

/** Tells tables apart: neither part of a name is free of dots. */
export const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);

const refersTo = (table: Table | undefined, { references }: ForeignKey): boolean =>
  table !== undefined && references.columns.every((name) => table.columns.some((column) => column.name === name));

const tableOf = ({ schema, name, kind, comment, columns, primaryKey, uniques }: Table): DiagramTable => ({
  schema,
  name,
  kind,
  comment,
  columns: columns.map((column) => ({
    name: column.name,
    type: column.type.formatted,
    ...(column.type.kind === 'enum' && !column.type.array
      ? { enum: { schema: column.type.schema, name: column.type.name } }
      : {}),
    nullable: column.nullable,
    comment: column.comment,
  })),
  primaryKey: primaryKey?.columns ?? [],
  uniques: uniques.map((unique) => unique.columns),
});

function referenceOf(table: Table, key: ForeignKey): DiagramReference {
  const { schema, name, columns } = key.references;
  const keys = [table.primaryKey, ...table.uniques].flatMap((each) => (each === null ? [] : [each.columns]));
  return {
    name: key.name,
    from: { schema: table.schema, name: table.name, columns: key.columns },
    to: { schema, name, columns },
    single: keys.some((each) => each.every((column) => key.columns.includes(column))),
    optional: key.columns.some((each) => table.columns.find((column) => column.name === each)?.nullable === true),
    onDelete: key.onDelete,
    onUpdate: key.onUpdate,
  };
}
