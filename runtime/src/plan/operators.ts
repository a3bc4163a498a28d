import type { Kind } from '../descriptor/descriptor.js';
import type { FilterKind, Operator } from './operator.js';

const numbers: readonly Kind[] = ['int', 'bigint', 'numeric', 'money', 'float'];
const moments: readonly Kind[] = ['date', 'time', 'timestamp', 'interval'];
const texts: readonly FilterKind[] = ['text', 'searchable'];
const ordered: readonly FilterKind[] = [...numbers, ...moments, ...texts, 'uuid'];
const scalars: readonly FilterKind[] = [...ordered, 'boolean', 'bytes', 'enum', 'range', 'other'];
const documents: readonly Kind[] = ['json', 'jsonb'];
const searched: readonly FilterKind[] = [...texts, 'other'];
/** Everything that can stand in a list: an array of arrays is one array to PostgreSQL. */
const listable: readonly FilterKind[] = [...scalars, ...documents, 'composite', 'tsvector', 'vector'];
const readable: readonly FilterKind[] = [...scalars, ...documents, 'array', 'composite', 'vector'];

const searches = [
  { id: 'search', rest: ['plfts'], description: 'Has all of the words, in any order and form. Safe on any input.' },
  {
    id: 'webSearch',
    rest: ['wfts'],
    description: 'Web search syntax: `"a phrase"`, `OR`, `-excluded`. Safe on any input.',
  },
  {
    id: 'phraseSearch',
    rest: ['phfts'],
    description: 'Has the words next to each other, in this order. Safe on any input.',
  },
  {
    id: 'rawSearch',
    rest: ['fts'],
    description: 'Raw tsquery syntax: `&`, `|`, `!`, `:*`; on MariaDB `+`, `-`, `*`, `"…"`. Fails on malformed input.',
  },
];

/** Full-text search in documents that the database keeps, or has an index of. */
const search = searches.map((each): Operator => ({
  ...each,
  graphql: each.id,
  kinds: ['tsvector', 'searchable'],
  operand: 'tsquery',
  configurable: true,
}));

/** The same in what `to_tsvector` makes a document of, which only PostgreSQL has. */
const searchOfAnyText = searches.map((each): Operator => ({
  ...each,
  id: `${each.id}InText`,
  kinds: [],
  restKinds: ['text', ...documents],
  operand: 'tsquery',
  configurable: true,
}));

/**
 * Every filter operator of both protocols, as data. A REST spelling or a GraphQL name may stand in
 * several rows; the column's kind distinguishes them (`cs` is JSON, array or range containment).
 * `vector` is an order, not an operator.
 * Source: decisions 003, 006 and 011; the range operators are PostgREST's.
 */
export const operators: readonly Operator[] = [
  // Equality
  {
    id: 'eq',
    graphql: 'eq',
    rest: ['eq'],
    kinds: [...scalars, ...documents, 'array', 'composite'],
    restKinds: 'any',
    operand: 'column',
    description: 'Equal.',
  },
  {
    id: 'neq',
    graphql: 'neq',
    rest: ['neq'],
    kinds: [...scalars, ...documents, 'array', 'composite'],
    restKinds: 'any',
    operand: 'column',
    description: 'Not equal. Rows where the column is null do not match.',
  },
  {
    id: 'in',
    graphql: 'in',
    rest: ['in'],
    kinds: scalars,
    restKinds: listable,
    operand: 'list',
    description: 'Equal to one of the list. The empty list matches nothing.',
  },
  {
    id: 'notIn',
    graphql: 'notIn',
    rest: ['notin'],
    kinds: scalars,
    restKinds: listable,
    operand: 'list',
    description: 'Equal to none of the list. The empty list matches every row.',
  },
  {
    id: 'isDistinctFrom',
    graphql: 'isDistinctFrom',
    rest: ['isdistinct'],
    kinds: scalars,
    restKinds: 'any',
    operand: 'column',
    description: 'Not equal, and null counts as a value: rows where the column is null match.',
  },

  // Null and truth
  {
    id: 'isNull',
    graphql: 'isNull',
    rest: ['is.null'],
    kinds: readable,
    restKinds: 'any',
    operand: 'none',
    description: 'The column is null.',
  },
  {
    id: 'isNotNull',
    graphql: 'isNotNull',
    rest: ['is.notnull', 'is.not_null'],
    kinds: readable,
    restKinds: 'any',
    operand: 'none',
    description: 'The column is not null.',
  },
  {
    id: 'isTrue',
    rest: ['is.true'],
    kinds: ['boolean'],
    operand: 'none',
    description: 'True.',
  },
  {
    id: 'isFalse',
    rest: ['is.false'],
    kinds: ['boolean'],
    operand: 'none',
    description: 'False, and not null.',
  },
  {
    id: 'isUnknown',
    rest: ['is.unknown'],
    kinds: ['boolean'],
    operand: 'none',
    description: 'Null, as a truth value.',
  },

  // Order
  {
    id: 'gt',
    graphql: 'gt',
    rest: ['gt'],
    kinds: ordered,
    restKinds: 'any',
    operand: 'column',
    description: 'Greater than.',
  },
  {
    id: 'gte',
    graphql: 'gte',
    rest: ['gte'],
    kinds: ordered,
    restKinds: 'any',
    operand: 'column',
    description: 'Greater than or equal.',
  },
  {
    id: 'lt',
    graphql: 'lt',
    rest: ['lt'],
    kinds: ordered,
    restKinds: 'any',
    operand: 'column',
    description: 'Less than.',
  },
  {
    id: 'lte',
    graphql: 'lte',
    rest: ['lte'],
    kinds: ordered,
    restKinds: 'any',
    operand: 'column',
    description: 'Less than or equal.',
  },
  {
    id: 'between',
    graphql: 'between',
    kinds: ordered,
    operand: 'pair',
    description: 'Between the two values of the list, both included.',
  },

  // Text
  {
    id: 'like',
    graphql: 'like',
    rest: ['like'],
    kinds: texts,
    restKinds: searched,
    operand: 'pattern',
    description: 'Matches the pattern: `%` stands for any text (REST: `*` too), `_` for one character.',
  },
  {
    id: 'ilike',
    graphql: 'ilike',
    rest: ['ilike'],
    kinds: texts,
    restKinds: searched,
    operand: 'pattern',
    description: 'Matches the pattern, ignoring case: `%` stands for any text (REST: `*` too), `_` for one character.',
  },
  {
    id: 'textContains',
    graphql: 'contains',
    kinds: texts,
    operand: 'text',
    pattern: 'contains',
    description: 'Contains the text.',
  },
  {
    id: 'startsWith',
    graphql: 'startsWith',
    rest: ['startswith'],
    kinds: texts,
    restKinds: searched,
    operand: 'text',
    pattern: 'prefix',
    description: 'Begins with the text.',
  },
  {
    id: 'endsWith',
    graphql: 'endsWith',
    rest: ['endswith'],
    kinds: texts,
    restKinds: searched,
    operand: 'text',
    pattern: 'suffix',
    description: 'Ends with the text.',
  },
  {
    id: 'textContainsInsensitive',
    graphql: 'icontains',
    kinds: texts,
    operand: 'text',
    pattern: 'contains',
    description: 'Contains the text, ignoring case.',
  },
  {
    id: 'startsWithInsensitive',
    graphql: 'istartsWith',
    kinds: texts,
    operand: 'text',
    pattern: 'prefix',
    description: 'Begins with the text, ignoring case.',
  },
  {
    id: 'endsWithInsensitive',
    graphql: 'iendsWith',
    kinds: texts,
    operand: 'text',
    pattern: 'suffix',
    description: 'Ends with the text, ignoring case.',
  },
  {
    id: 'regex',
    graphql: 'regex',
    rest: ['match'],
    kinds: texts,
    restKinds: searched,
    operand: 'regex',
    description: 'Matches the POSIX regular expression.',
  },
  {
    id: 'iregex',
    graphql: 'iregex',
    rest: ['imatch'],
    kinds: texts,
    restKinds: searched,
    operand: 'regex',
    description: 'Matches the POSIX regular expression, ignoring case.',
  },

  // JSON
  {
    id: 'jsonContains',
    graphql: 'contains',
    rest: ['jsoncontains', 'cs'],
    kinds: documents,
    operand: 'json',
    description: 'The JSON value contains the given one.',
  },
  {
    id: 'jsonContainedBy',
    graphql: 'containedBy',
    rest: ['jsoncontained', 'cd'],
    kinds: documents,
    operand: 'json',
    description: 'The JSON value is contained in the given one.',
  },
  {
    id: 'pathContains',
    rest: ['cs'],
    kinds: [],
    restTypes: ['ltree'],
    operand: 'column',
    description: 'The path is an ancestor of the given one, or equal.',
  },
  {
    id: 'pathContainedBy',
    rest: ['cd'],
    kinds: [],
    restTypes: ['ltree'],
    operand: 'column',
    description: 'The path is below the given one, or equal.',
  },
  {
    id: 'hasKey',
    graphql: 'hasKey',
    rest: ['haskey'],
    kinds: documents,
    operand: 'text',
    description: 'The JSON object has the key, or the JSON list the string.',
  },
  {
    id: 'hasKeys',
    graphql: 'hasKeys',
    rest: ['haskeys'],
    kinds: documents,
    operand: 'texts',
    description: 'The JSON object has all of the keys.',
  },
  {
    id: 'hasAnyKeys',
    graphql: 'hasAnyKeys',
    rest: ['hasanykeys'],
    kinds: documents,
    operand: 'texts',
    description: 'The JSON object has at least one of the keys.',
  },
  {
    id: 'jsonPath',
    graphql: 'path',
    rest: ['jsonpath', 'jsonpathexists'],
    kinds: documents,
    operand: 'jsonpath',
    description: 'The SQL/JSON path finds something in the value, e.g. `$.tags[*] ? (@ == "urgent")`.',
  },

  // Arrays
  {
    id: 'arrayContains',
    graphql: 'contains',
    rest: ['arraycontains', 'cs'],
    kinds: ['array'],
    operand: 'elements',
    description: 'The array contains all of the elements.',
  },
  {
    id: 'arrayHasAll',
    graphql: 'hasAll',
    rest: ['arrayhasall'],
    kinds: ['array'],
    operand: 'elements',
    description: 'The array contains all of the elements.',
  },
  {
    id: 'arrayContainedBy',
    graphql: 'containedBy',
    rest: ['arraycontained', 'cd'],
    kinds: ['array'],
    operand: 'elements',
    description: 'Every element of the array is one of the given ones.',
  },
  {
    id: 'arrayHasAny',
    graphql: 'hasAny',
    rest: ['arrayhasany', 'ov'],
    kinds: ['array'],
    operand: 'elements',
    description: 'The array has at least one of the elements.',
  },
  {
    id: 'length',
    graphql: 'length',
    rest: ['arraylength'],
    kinds: ['array'],
    operand: 'int',
    measures: 'int',
    description: 'The length of the array (its first dimension); the empty array has length 0.',
  },

  ...search,
  ...searchOfAnyText,

  // Ranges
  {
    id: 'rangeContains',
    graphql: 'contains',
    rest: ['cs'],
    kinds: ['range'],
    operand: 'column',
    description: 'The range contains the given range.',
  },
  {
    id: 'rangeContainsElement',
    graphql: 'containsElement',
    kinds: ['range'],
    operand: 'element',
    description: 'The range contains the value.',
  },
  {
    id: 'rangeContainedBy',
    graphql: 'containedBy',
    rest: ['cd'],
    kinds: ['range'],
    operand: 'column',
    description: 'The range is contained in the given range.',
  },
  {
    id: 'rangeOverlaps',
    graphql: 'overlaps',
    rest: ['ov'],
    kinds: ['range'],
    operand: 'column',
    description: 'The ranges have a value in common.',
  },
  {
    id: 'rangeStrictlyLeftOf',
    graphql: 'strictlyLeftOf',
    rest: ['sl'],
    kinds: ['range'],
    operand: 'column',
    description: 'Every value of the range is less than every value of the given one.',
  },
  {
    id: 'rangeStrictlyRightOf',
    graphql: 'strictlyRightOf',
    rest: ['sr'],
    kinds: ['range'],
    operand: 'column',
    description: 'Every value of the range is greater than every value of the given one.',
  },
  {
    id: 'rangeNotExtendsRightOf',
    graphql: 'notExtendsRightOf',
    rest: ['nxr'],
    kinds: ['range'],
    operand: 'column',
    description: 'The range does not extend to the right of the given one.',
  },
  {
    id: 'rangeNotExtendsLeftOf',
    graphql: 'notExtendsLeftOf',
    rest: ['nxl'],
    kinds: ['range'],
    operand: 'column',
    description: 'The range does not extend to the left of the given one.',
  },
  {
    id: 'rangeAdjacentTo',
    graphql: 'adjacentTo',
    rest: ['adj'],
    kinds: ['range'],
    operand: 'column',
    description: 'The ranges touch: nothing lies between them, and they have nothing in common.',
  },
];

const byId: ReadonlyMap<string, Operator> = new Map(operators.map((operator) => [operator.id, operator]));
const byGraphql = groupBy((operator) => (operator.graphql === undefined ? [] : [operator.graphql]));
const byRest = groupBy((operator) => operator.rest ?? []);

export const operatorById = (id: string): Operator | undefined => byId.get(id);

/** The operator a GraphQL filter input of this kind calls `name`. */
export const graphqlOperator = (name: string, kind: FilterKind): Operator | undefined =>
  byGraphql.get(name)?.find((operator) => takesOverGraphql(operator, kind));

/**
 * The operator REST spells `spelling` on a column of this kind. `is` comes with its operand:
 * `is.null`.
 */
export const restOperator = (spelling: string, kind: FilterKind, type = ''): Operator | undefined =>
  byRest.get(spelling)?.find((operator) => takesOverRest(operator, kind, type));

/** The operators of a filter input of this kind, in the table's order. */
export const graphqlOperators = (kind: FilterKind): readonly Operator[] =>
  operators.filter((operator) => operator.graphql !== undefined && takesOverGraphql(operator, kind));

/**
 * The operators of this kind, for a hint: `It takes eq, neq, gt.`
 * @param there the operators that the database has, by their ids; absent: all
 */
export function takenOperators(kind: FilterKind, there?: ReadonlySet<string>): string {
  const taken = operators
    .filter((each) => takesOverRest(each, kind) && there?.has(each.id) !== false)
    .map((each) => each.rest?.[0] ?? each.graphql);
  return `It takes ${[...new Set(taken.filter((each) => each !== undefined))].join(', ')}.`;
}

export const takesOverGraphql = (operator: Operator, kind: FilterKind): boolean => includes(operator.kinds, kind);

/** @param type the name of the type, which decides for types of extensions */
export const takesOverRest = (operator: Operator, kind: FilterKind, type = ''): boolean =>
  includes(operator.restKinds ?? operator.kinds, kind) ||
  (kind === 'other' && operator.restTypes?.includes(type) === true);

function includes(kinds: readonly FilterKind[] | 'any', kind: FilterKind): boolean {
  return kinds === 'any' || kinds.includes(kind);
}

function groupBy(names: (operator: Operator) => readonly string[]): ReadonlyMap<string, readonly Operator[]> {
  const groups = new Map<string, Operator[]>();
  for (const operator of operators) {
    for (const name of names(operator)) groups.set(name, [...(groups.get(name) ?? []), operator]);
  }
  return groups;
}
