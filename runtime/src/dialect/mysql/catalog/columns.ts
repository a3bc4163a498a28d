import type { Column, EnumType } from '../../../catalog/catalog.js';
import { commentOf, nullableText, textOf, type Row } from './row.js';
import { labelsOf, typeReference } from './type-reference.js';

/** Facts about a table that its columns need. */
export interface ColumnPlace {
  readonly schema: string;
  readonly table: string;
  readonly isView: boolean;
  /** Whether the column certainly holds JSON. */
  readonly isJson: (column: string) => boolean;
  /** Whether a full-text index covers the column alone. */
  readonly isSearchable: (column: string) => boolean;
  readonly isWritable: (column: string) => boolean;
}

export function columnOf(row: Row, place: ColumnPlace): Column {
  const name = textOf(row, 'name');
  const extra = textOf(row, 'extra').toUpperCase();
  const generated = generatedKind(extra);
  const expression = nullableText(row, 'expression');
  return {
    name,
    type: typeReference(row, typePlace(place, name), place.isJson(name), place.isSearchable(name)),
    nullable: place.isView || textOf(row, 'nullable') === 'YES',
    default: place.isView ? null : generated === null ? defaultOf(row, extra) : expression,
    identity: extra.includes('AUTO_INCREMENT') ? 'byDefault' : null,
    generated,
    updatable: generated === null && place.isWritable(name),
    comment: commentOf(row),
  };
}

/** The enum that a column's type is; undefined for every other type. */
export function enumOf(row: Row, place: Pick<ColumnPlace, 'schema' | 'table'>): EnumType | undefined {
  const labels = labelsOf(textOf(row, 'column_type'));
  if (labels === undefined) return undefined;
  return { ...typePlace(place, textOf(row, 'name')), labels, comment: null };
}

const typePlace = ({ schema, table }: Pick<ColumnPlace, 'schema' | 'table'>, column: string) => ({
  schema,
  name: `${table}.${column}`,
});

/** MariaDB writes the default NULL of a column that has none as text. */
function defaultOf(row: Row, extra: string): string | null {
  const text = nullableText(row, 'default');
  // In MySQL a column that is only set by ON UPDATE has no default.
  return text === null || (text === 'NULL' && !extra.includes('DEFAULT_GENERATED')) ? null : text;
}

function generatedKind(extra: string): Column['generated'] {
  // MariaDB has called stored columns PERSISTENT.
  if (extra.includes('STORED GENERATED') || extra.includes('PERSISTENT')) return 'stored';
  return extra.includes('VIRTUAL GENERATED') ? 'virtual' : null;
}
