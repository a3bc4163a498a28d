import type { Registry } from '../../../descriptor/registry.js';
import { keyColumns } from '../../../plan/read/orders.js';
import type { TableName } from '../../../plan/read/plan.js';
import type { TypedColumn } from '../../../plan/write/write-plan.js';
import type * as walk from '../../sql/words.js';
import type { SchemaNames } from '../../schema-names.js';
import type { Features } from '../start-up/features.js';
import type { Text } from './text.js';

/**
 * What statements depend on: descriptors of enums, keys of tables, and the features and databases
 * of the server.
 */
export interface Types extends Pick<Registry, 'enums' | 'composites'>, Partial<Pick<Registry, 'schemas'>> {
  readonly features: Features;
  readonly databases: SchemaNames;
  /** The statement reads rows that a procedure has answered, whose ENUM and SET are texts. */
  readonly readsHeld?: true;
}

/** A member of a JSON object is the text of its JSON. */
export interface Mysql {
  readonly types: Types;
  readonly value: Text;
}

export type Belonging = walk.Belonging<Mysql>;
export type Compiler = walk.Compiler<Mysql>;
export type Scope = walk.Scope<Mysql>;
export type Source = walk.Source<Mysql>;

/** The columns of the key that identifies the rows of a table; undefined if there is none. */
export function keyOf(
  { schema, name }: TableName,
  { schemas }: Pick<Types, 'schemas'>,
): readonly TypedColumn[] | undefined {
  const found = schemas?.get(schema)?.get(name);
  const key = found === undefined ? undefined : keyColumns(found);
  return key?.flatMap((column) => {
    const type = found?.byName.get(column)?.type;
    return type === undefined ? [] : [{ name: column, type }];
  });
}
