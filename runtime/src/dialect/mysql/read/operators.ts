import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import { equalJson, exactly } from '../comparison.js';
import type { Features } from '../start-up/features.js';
import type { Fragment } from '../sql.js';

/**
 * What an operator's SQL is made of: the compared value, its type, and the parameters already cast.
 */
export interface Operands {
  readonly value: Fragment;
  readonly type: ColumnType;
  readonly parameters: readonly [Fragment, Fragment];
  readonly features: Features;
}

type Render = (operands: Operands) => Fragment;

const isJson = ({ kind }: ColumnType): boolean => kind === 'json' || kind === 'jsonb';

const infix =
  (symbol: string): Render =>
  ({ value, parameters: [right] }) =>
    sql`${value} ${sql.raw(symbol)} ${right}`;

const suffix =
  (text: string): Render =>
  ({ value }) =>
    sql`${value} ${sql.raw(text)}`;

/** The first half is by the column's own collation and uses its index; it never finds less. */
const anchored: Render = ({ value, parameters: [right] }) =>
  sql`${value} like ${right} escape '!' and ${exactly(value)} like ${right} escape '!'`;

const like: Render = ({ value, parameters: [right] }) => sql`${exactly(value)} like ${right} escape '!'`;

const insensitive: Render = ({ value, parameters: [right] }) =>
  sql`lower(${exactly(value)}) like lower(${right}) escape '!'`;

/** Keys of an object, or strings of a list, as PostgreSQL's `?` looks for them. */
const keys =
  (find: 'json_contains' | 'json_overlaps', key: (right: Fragment) => Fragment): Render =>
  ({ value, parameters: [right] }) => {
    const call = sql.raw(find);
    const wanted = key(right);
    return sql`if(json_type(${value}) = 'OBJECT', ${call}(json_keys(${value}), ${wanted}), ${call}(${value}, ${wanted}))`;
  };

/**
 * The SQL of every operator of the operator table that this database has, by its id. Lists are one
 * JSON parameter: `IN` would need a statement for every length.
 */
const renderers: ReadonlyMap<string, Render> = new Map(
  Object.entries<Render>({
    eq: ({ value, type, parameters: [right], features }) =>
      isJson(type) ? equalJson(value, right, features) : sql`${value} = ${right}`,
    neq: ({ value, type, parameters: [right], features }) =>
      isJson(type) ? sql`not ${equalJson(value, right, features)}` : sql`${value} <> ${right}`,
    in: ({ value, parameters: [list] }) => sql`${value} in (${list})`,
    notIn: ({ value, parameters: [list] }) => sql`${value} not in (${list})`,
    isDistinctFrom: ({ value, type, parameters: [right], features }) =>
      isJson(type) ? sql`${equalJson(value, right, features)} is not true` : sql`not (${value} <=> ${right})`,
    isNull: suffix('is null'),
    isNotNull: suffix('is not null'),
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
    jsonPath: ({ value, parameters: [path], features }) =>
      features.jsonType ? sql`json_contains_path(${value}, 'one', ${path})` : sql`json_exists(${value}, ${path})`,
  }),
);

/** The ids of the operators that have SQL. */
export const renderedOperators: ReadonlySet<string> = new Set(renderers.keys());

export function renderOperation(id: string, operands: Operands): Fragment {
  const render = renderers.get(id);
  if (render === undefined) throw new Error(`operator ${id} has no SQL`);
  return sql`(${render(operands)})`;
}
