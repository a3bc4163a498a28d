import type { ColumnType, SqlType } from '@tablewright/runtime/model';
import type { Doc } from '../source/doc.js';
import { object, string } from '../source/typescript.js';

/** A type that the vocabulary has no word for, as an object. */
export const literal = (type: ColumnType, element?: Doc): Doc =>
  object([
    ['kind', string(type.kind)],
    ['sql', sqlTypeDoc(type.sql)],
    ...(element === undefined ? [] : [['element', element] as const]),
  ]);

export const sqlTypeDoc = (type: SqlType): Doc =>
  object([
    ...(type.schema === undefined ? [] : [['schema', string(type.schema)] as const]),
    ['name', string(type.name)],
    ...(type.array === true ? [['array', 'true'] as const] : []),
  ]);
