import type { Adapter } from 'kysely-codegen/dist/generator/adapter.js';
import type { ColumnType } from '@tablewright/runtime/model';
import type { Doc } from '../source/doc.js';

/** What the emitted code needs to know of a kind of database. */
export interface EmitDialect {
  /** Where its words are in the runtime's vocabulary: `''`, `mysql.`. */
  readonly namespace: string;
  /** The words that are types, by name. */
  readonly vocabulary: object;
  /** A type that no single word names. */
  readonly expression: (type: ColumnType, words: Words) => Doc;
  /** kysely-codegen's knowledge of the driver's JavaScript types. */
  readonly adapter: () => Adapter;
  /** The name that kysely-codegen has for a type. */
  readonly adapterName: (type: ColumnType) => string;
  /** Whether the driver answers arrays: MariaDB's SET is a text. */
  readonly hasArrays: boolean;
}

/** The vocabulary as the file that is emitted names it. */
export interface Words {
  readonly word: (name: string) => string;
  readonly expression: (type: ColumnType) => Doc;
}
