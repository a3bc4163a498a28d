import { sql } from 'kysely';
import type { ColumnType } from '../../descriptor/descriptor.js';
import type { Features } from './start-up/features.js';
import type { Fragment } from './sql.js';

/** Whether values of a type are compared by a collation. */
export const isText = ({ kind }: ColumnType): boolean => kind === 'text' || kind === 'enum' || kind === 'array';

export const isJson = ({ kind }: ColumnType): boolean => kind === 'json' || kind === 'jsonb';

/**
 * Makes a text from JSON in a column of JSON_TABLE. The collation of the text yields to that of the
 * column it is compared with. The database refuses to compare the column of JSON_TABLE itself: two
 * columns of different collations cannot be compared.
 */
export const yielding = (json: Fragment): Fragment => sql`json_unquote(${json})`;

/** A text compared by its characters: the default collations ignore case and accents. */
export const exactly = (value: Fragment): Fragment => sql`convert(${value} using utf8mb4) collate utf8mb4_bin`;

/** The bytes of a text: even binary collations ignore spaces at its end. */
export const bytesOf = (value: Fragment): Fragment => sql`cast(convert(${value} using utf8mb4) as binary)`;

/** The test for null is needed: MariaDB 10.11 repeats the result of the row before for a null. */
export const equalJson = (value: Fragment, right: Fragment, { jsonType }: Features): Fragment =>
  jsonType ? sql`${value} = cast(${right} as json)` : sql`if(${value} is null, null, json_equals(${value}, ${right}))`;
