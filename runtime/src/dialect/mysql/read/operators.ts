import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { Operators, suffix, type Operands, type Render as RenderOf } from '../../sql/operators.js';
import { equalJson, exactly, isJson } from '../comparison.js';
import type { Features } from '../start-up/features.js';
import { isPositioned } from '../parameters/positions.js';
import type { Fragment } from '../sql.js';

/**
 * What an operator's SQL is made of: also the features of the database server, and whether the
 * operation is inside NOT.
 */
interface OwnOperands extends Operands {
  readonly features: Features;
  readonly negated: boolean;
}

type Render = RenderOf<OwnOperands>;

const infix =
  (symbol: string): Render =>
  ({ value, parameters: [right] }) =>
    sql`${value} ${sql.raw(symbol)} ${right}`;

/** The first half uses the column's own collation and its index; it never finds fewer rows. */
const anchored: Render = ({ value, parameters: [right] }) =>
  sql`${value} like ${right} escape '!' and ${exactly(value)} like ${right} escape '!'`;

const like: Render = ({ value, parameters: [right] }) => sql`${exactly(value)} like ${right} escape '!'`;

const insensitive: Render = ({ value, parameters: [right] }) =>
  sql`lower(${exactly(value)}) like lower(${right}) escape '!'`;

/** Looks for keys of an object or strings of a list, as PostgreSQL's `?` does. */
const keys =
  (find: 'json_contains' | 'json_overlaps', key: (right: Fragment) => Fragment): Render =>
  ({ value, parameters: [right] }) => {
    const call = sql.raw(find);
    const wanted = key(right);
    return sql`if(json_type(${value}) = 'OBJECT', ${call}(json_keys(${value}), ${wanted}), ${call}(${value}, ${wanted}))`;
  };

/** Like IN: null if no item is equal and an item is null. */
function jsonIn(value: Fragment, list: Fragment, features: Features): Fragment {
  const equal = equalJson(value, sql`l.item`, features);
  const found = sql`if(coalesce(sum(${equal}), 0) > 0, true, if(sum(${equal} is null) > 0, null, false))`;
  return sql`(select ${found} from (${list}) as l)`;
}

/**
 * Only MATCH itself uses the index. It is false for a null, so that NOT of it needs the test.
 * Sources: MariaDB manual, "Full-Text Index Overview"; MySQL 8.0 manual, "Boolean Full-Text
 * Searches".
 */
const matches: Render = ({ value, parameters: [query], negated }) => {
  const found = sql`match (${value}) against (${query} in boolean mode)`;
  return negated ? sql`if(${value} is null, null, ${found})` : found;
};

/** The members of a SET are bits of its number. */
const bits =
  (test: (set: Fragment, members: Fragment) => Fragment): Render =>
  ({ value, parameters: [right] }) =>
    test(value, right);

const hasAll = bits((set, members) => sql`${set} & ${members} = ${members}`);

/**
 * Lists are one JSON parameter: `IN` would need a statement for every length.
 */
export const operators = new Operators<OwnOperands>({
  eq: ({ value, type, parameters: [right], features }) =>
    isJson(type) ? equalJson(value, right, features) : sql`${value} = ${right}`,
  neq: ({ value, type, parameters: [right], features }) =>
    isJson(type) ? sql`not ${equalJson(value, right, features)}` : sql`${value} <> ${right}`,
  in: ({ value, type, parameters: [list], features }) =>
    isJson(type) ? jsonIn(value, list, features) : sql`${value} in (${list})`,
  notIn: ({ value, type, parameters: [list], features }) =>
    isJson(type) ? sql`not ${jsonIn(value, list, features)}` : sql`${value} not in (${list})`,
  isDistinctFrom: ({ value, type, parameters: [right], features }) =>
    isJson(type) ? sql`${equalJson(value, right, features)} is not true` : sql`not (${value} <=> ${right})`,
  isNull: suffix('is null'),
  isNotNull: suffix('is not null'),
  isTrue: suffix('is true'),
  isFalse: suffix('is false'),
  isUnknown: suffix('is unknown'),
  gt: infix('>'),
  gte: infix('>='),
  lt: infix('<'),
  lte: infix('<='),
  between: ({ value, parameters: [low, high] }) => sql`${value} between ${low} and ${high}`,
  like: anchored,
  ilike: insensitive,
  textContains: like,
  startsWith: anchored,
  endsWith: like,
  textContainsInsensitive: insensitive,
  startsWithInsensitive: insensitive,
  endsWithInsensitive: insensitive,
  regex: ({ value, parameters: [right], features }) =>
    features.regexpLike ? sql`regexp_like(${exactly(value)}, ${right}, 'c')` : sql`${exactly(value)} regexp ${right}`,
  iregex: ({ value, parameters: [right], features }) =>
    features.regexpLike
      ? sql`regexp_like(${exactly(value)}, ${right}, 'i')`
      : sql`${exactly(value)} regexp concat('(?i)', ${right})`,
  jsonContains: ({ value, parameters: [right] }) => sql`json_contains(${value}, ${right})`,
  jsonContainedBy: ({ value, parameters: [right] }) => sql`json_contains(${right}, ${value})`,
  hasKey: keys('json_contains', (right) => sql`json_quote(${right})`),
  hasKeys: keys('json_contains', (right) => right),
  hasAnyKeys: keys('json_overlaps', (right) => right),
  arrayContains: hasAll,
  arrayHasAll: hasAll,
  arrayContainedBy: bits((set, members) => sql`${set} & ${members} = ${set}`),
  arrayHasAny: bits((set, members) => sql`${set} & ${members} <> 0`),
  search: matches,
  webSearch: matches,
  phraseSearch: matches,
  rawSearch: matches,
  jsonPath: ({ value, parameters: [path], features }) =>
    features.jsonType ? sql`json_contains_path(${value}, 'one', ${path})` : sql`json_exists(${value}, ${path})`,
});

/** The operators that compare positions, for types that have positions. */
const byPosition: ReadonlySet<string> = new Set([
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'arrayContains',
  'arrayHasAll',
  'arrayContainedBy',
  'arrayHasAny',
]);

export const comparesPositions = (id: string, type: ColumnType): boolean => isPositioned(type) && byPosition.has(id);
