import { sql } from 'kysely';
import { Operators, suffix, type Operands, type Render as RenderOf } from '../../sql/operators.js';
import { operator, type Fragment } from '../sql.js';

/** What an operator's SQL is made of: also the configuration of full text search. */
interface OwnOperands extends Operands {
  readonly config: Fragment | undefined;
}

type Render = RenderOf<OwnOperands>;

const infix =
  (symbol: string): Render =>
  ({ value, type, parameters: [right] }) =>
    sql`${value} ${operator(symbol, type)} ${right}`;

const quantified =
  (symbol: string, quantifier: 'any' | 'all'): Render =>
  ({ value, type, parameters: [list] }) =>
    sql`${value} ${operator(symbol, type)} ${sql.raw(quantifier)}(${list})`;

/** Operators that only PostgreSQL's own types have, which need no schema. */
const builtin =
  (symbol: string): Render =>
  ({ value, parameters: [right] }) =>
    sql`${value} ${sql.raw(symbol)} ${right}`;

/** A row of nulls is a value, although `is null` is true for it. */
const nullTest =
  (test: 'is' | 'is not', rowTest: 'is not distinct from' | 'is distinct from'): Render =>
  ({ value, type }) =>
    sql`${value} ${sql.raw(type.kind === 'composite' ? rowTest : test)} null`;

const fullText =
  (parse: string): Render =>
  ({ value, type, parameters: [query], config }) => {
    const searched = type.kind === 'text' && type.sql.schema !== undefined ? sql`${value}::text` : value;
    const prefix = config === undefined ? sql`` : sql`${config}, `;
    const document = type.kind === 'tsvector' ? value : sql`to_tsvector(${prefix}${searched})`;
    return sql`${document} @@ ${sql.raw(parse)}(${prefix}${query})`;
  };

/**
 * Lists are one array parameter: `IN` would need a statement for every length.
 * Source: https://www.postgresql.org/docs/current/functions.html
 */
export const operators = new Operators<OwnOperands>({
  eq: infix('='),
  neq: infix('<>'),
  in: quantified('=', 'any'),
  notIn: quantified('<>', 'all'),
  // The operand is never null, so this equals IS DISTINCT FROM, whose operator cannot have a
  // schema.
  isDistinctFrom: ({ value, type, parameters: [right] }) => sql`(${value} ${operator('=', type)} ${right}) is not true`,
  isNull: nullTest('is', 'is not distinct from'),
  isNotNull: nullTest('is not', 'is distinct from'),
  isTrue: suffix('is true'),
  isFalse: suffix('is false'),
  isUnknown: suffix('is unknown'),
  gt: infix('>'),
  gte: infix('>='),
  lt: infix('<'),
  lte: infix('<='),
  between: ({ value, type, parameters: [low, high] }) =>
    sql`${value} ${operator('>=', type)} ${low} and ${value} ${operator('<=', type)} ${high}`,
  like: infix('~~'),
  ilike: infix('~~*'),
  textContains: infix('~~'),
  startsWith: infix('~~'),
  endsWith: infix('~~'),
  textContainsInsensitive: infix('~~*'),
  startsWithInsensitive: infix('~~*'),
  endsWithInsensitive: infix('~~*'),
  regex: infix('~'),
  iregex: infix('~*'),
  jsonContains: builtin('@>'),
  jsonContainedBy: builtin('<@'),
  pathContains: infix('@>'),
  pathContainedBy: infix('<@'),
  hasKey: builtin('?'),
  hasKeys: builtin('?&'),
  hasAnyKeys: builtin('?|'),
  // Errors are suppressed: a path that fails on one row's value, such as a division by zero, does
  // not match that row.
  jsonPath: ({ value, parameters: [path] }) => sql`jsonb_path_exists(${value}, ${path}, '{}', true)`,
  arrayContains: builtin('@>'),
  arrayHasAll: builtin('@>'),
  arrayContainedBy: builtin('<@'),
  arrayHasAny: builtin('&&'),
  length: ({ value, parameters: [length] }) => sql`${arrayLength(value)} = ${length}`,
  search: fullText('plainto_tsquery'),
  webSearch: fullText('websearch_to_tsquery'),
  phraseSearch: fullText('phraseto_tsquery'),
  rawSearch: fullText('to_tsquery'),
  searchInText: fullText('plainto_tsquery'),
  webSearchInText: fullText('websearch_to_tsquery'),
  phraseSearchInText: fullText('phraseto_tsquery'),
  rawSearchInText: fullText('to_tsquery'),
  rangeContains: builtin('@>'),
  rangeContainsElement: builtin('@>'),
  rangeContainedBy: builtin('<@'),
  rangeOverlaps: builtin('&&'),
  rangeStrictlyLeftOf: builtin('<<'),
  rangeStrictlyRightOf: builtin('>>'),
  rangeNotExtendsRightOf: builtin('&<'),
  rangeNotExtendsLeftOf: builtin('&>'),
  rangeAdjacentTo: builtin('-|-'),
});

/** The length of the first dimension: 0 for `{}`, for which `array_length` returns null. */
export const arrayLength = (value: Fragment): Fragment =>
  sql`coalesce(array_length(${value}, 1), cardinality(${value}))`;
