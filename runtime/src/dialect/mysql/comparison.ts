import { sql } from 'kysely';
import type { ColumnType } from '../../descriptor/descriptor.js';
import type { Features } from './start-up/features.js';
import type { Fragment } from './sql.js';

/** Whether values of a type are compared by a collation. */
export const isText = ({ kind }: ColumnType): boolean => kind === 'text' || kind === 'enum' || kind === 'array';

/**
 * A text whose collation yields to that of the column it is compared with, from JSON in a column of
 * JSON_TABLE. The column itself would be refused: two columns of different collations cannot be
 * compared.
 */
export const yielding = (json: Fragment): Fragment => sql`json_unquote(${json})`;

/** Text by its characters: the default collations pass over case and accents. */
export const exactly = (value: Fragment): Fragment => sql`convert(${value} using utf8mb4) collate utf8mb4_bin`;

/** MariaDB 10.11 repeats the answer of the row before where the value is null. */
export const equalJson = (value: Fragment, right: Fragment, { jsonType }: Features): Fragment =>
  jsonType ? sql`${value} = cast(${right} as json)` : sql`if(${value} is null, null, json_equals(${value}, ${right}))`;
