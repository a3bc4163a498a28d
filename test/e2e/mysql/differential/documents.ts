import fc, { type Arbitrary } from 'fast-check';
import { pools, tables, words, type Kind, type Table } from './tables.js';

/*
 * GraphQL documents and URLs over the tables. They avoid known differences: averages (PostgreSQL
 * gives more digits), and case-insensitive patterns beyond ASCII (the collation "C" folds ASCII
 * letters only).
 */

const quoted = (text: string): string => JSON.stringify(text);
const isQuoted = (kind: Kind): boolean => kind === 'text' || kind === 'date' || kind === 'timestamp';
const literal = (kind: Kind, value: string): string => (isQuoted(kind) ? quoted(value) : value);
const valueOf = (kind: Exclude<Kind, 'json'>): Arbitrary<string> =>
  fc.constantFrom(...pools[kind]).map((value) => literal(kind, value));

const patterns: Readonly<Record<string, readonly string[]>> = {
  like: ['A%', '%n', '_nn', 'b\\_%', '%', '%\\%', "%'%"],
  ilike: ['a%', '%N', '_NN', 'B%'],
  contains: ['n', '_', '%', '\\', '日', '"', ''],
  startsWith: ['A', 'b_', 'O', ' '],
  endsWith: ['n', '%', 'x', ' '],
  icontains: ['N', 'b', 'OWNER'],
  istartsWith: ['a', 'O'],
  iendsWith: ['NN', 'L'],
  regex: ['^a', 'n+$', '^.{2}$', 'N|x'],
  iregex: ['^A', 'N+$'],
};

function operation(kind: Kind): Arbitrary<string> {
  const nullTest = fc.constantFrom('isNull: true', 'isNotNull: true', 'isNull: false');
  if (kind === 'json') return nullTest;
  const value = valueOf(kind);
  const list = (name: string): Arbitrary<string> =>
    fc.array(value, { maxLength: 3 }).map((values) => `${name}: [${values.join(', ')}]`);
  const simple = (names: readonly string[]): Arbitrary<string> =>
    fc.tuple(fc.constantFrom(...names), value).map(([name, given]) => `${name}: ${given}`);
  const every = [nullTest, simple(['eq', 'neq']), list('in'), list('notIn')];
  if (kind === 'enum') return fc.oneof(...every);
  if (kind === 'boolean') return fc.oneof(...every, simple(['isDistinctFrom']));
  const compared = [
    ...every,
    simple(['gt', 'gte', 'lt', 'lte', 'isDistinctFrom']),
    fc.tuple(value, value).map(([low, high]) => `between: [${low}, ${high}]`),
  ];
  if (kind !== 'text') return fc.oneof(...compared);
  const matched = Object.entries(patterns).map(([name, all]) =>
    fc.constantFrom(...all).map((pattern) => `${name}: ${quoted(pattern)}`),
  );
  return fc.oneof(...compared, ...matched);
}

const someWords = (min: number): Arbitrary<string> =>
  fc.array(fc.constantFrom(...words, 'zebra', 'FOX'), { minLength: min, maxLength: 3 }).map((all) => all.join(' '));

/** Each alternative requires a word: exclusions alone find nothing in MariaDB. */
const alternative = fc
  .tuple(
    fc.constantFrom(...words),
    fc.constantFrom('', ...words, 'the', '"river fox"', '"fox river"', '"', '-', '!('),
    fc.constantFrom('', ...words.map((word) => `-${word}`), '-"fox river"', '-zebra'),
  )
  .map((parts) => parts.join(' '));

/** Searches that mean the same in both databases: see docs/mysql.md. */
const searches: Readonly<Record<'search' | 'webSearch' | 'phraseSearch', Arbitrary<string>>> = {
  search: fc
    .tuple(someWords(0), fc.constantFrom('', 'the', "'", '"', '@', '*', '-mint', '+', '& |', '(', '%', '~<>', '\\'))
    .map((parts) => parts.join(' ')),
  webSearch: fc.array(alternative, { minLength: 1, maxLength: 2 }).map((all) => all.join(' or ')),
  phraseSearch: someWords(1),
};

const search = fc
  .constantFrom('search' as const, 'webSearch' as const, 'phraseSearch' as const)
  .chain((name) => searches[name].map((text) => [name, text] as const));

const tableAt = (name: string): Table => {
  const table = tables[name];
  if (table === undefined) throw new Error(`There is no table ${name}.`);
  return table;
};

function where(table: Table, depth: number): Arbitrary<string> {
  const compared = fc
    .constantFrom(...Object.entries(table.columns))
    .chain(([name, kind]) => operation(kind).map((given) => `{${name}: {${given}}}`));
  const { searched } = table;
  const column =
    searched === undefined
      ? compared
      : fc.oneof(
          { arbitrary: compared, weight: 3 },
          search.map(([name, text]) => `{${searched}: {${name}: ${quoted(text)}}}`),
        );
  if (depth === 0) return column;
  const inner = where(table, depth - 1);
  const related = fc.constantFrom(...Object.entries(table.relations)).chain(([field, { table: other, many }]) => {
    const below = where(tableAt(other), depth - 1);
    return many
      ? fc
          .tuple(fc.constantFrom('some', 'every', 'none'), below)
          .map(([quantifier, text]) => `{$${field}: {${quantifier}: ${text}}}`)
      : below.map((text) => `{$${field}: ${text}}`);
  });
  const joined = fc
    .tuple(fc.constantFrom('and', 'or'), fc.array(inner, { minLength: 1, maxLength: 3 }))
    .map(([name, parts]) => `{${name}: [${parts.join(', ')}]}`);
  return fc.oneof(
    column,
    joined,
    inner.map((text) => `{not: ${text}}`),
    related,
  );
}

const directions = ['ASC', 'DESC', 'ASC_NULLS_FIRST', 'ASC_NULLS_LAST', 'DESC_NULLS_FIRST', 'DESC_NULLS_LAST'];

/** The order ends with the key, so that it is total. */
function orderBy(table: Table): Arbitrary<string> {
  const sortable = Object.entries(table.columns).flatMap(([name, kind]) => (kind === 'json' ? [] : [name]));
  const own = fc
    .tuple(fc.constantFrom(...sortable), fc.constantFrom(...directions))
    .map(([name, way]) => `{${name}: ${way}}`);
  const related = Object.entries(table.relations).map(([field, { table: other, many }]) => {
    const way = fc.constantFrom(...directions);
    if (many) return fc.constantFrom('ASC', 'DESC').map((given) => `{$${field}: {_count: ${given}}}`);
    return way.map((given) => `{$${field}: {${tableAt(other).key[0] ?? ''}: ${given}}}`);
  });
  const key = table.key.map((name) => `{${name}: ASC}`);
  return fc
    .array(fc.oneof(own, ...related), { maxLength: 2 })
    .map((parts) => `orderBy: [${[...parts, ...key].join(', ')}]`);
}

const optional = (name: string, value: Arbitrary<string | number>): Arbitrary<string> =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? '' : `${name}: ${given}`));

const listArguments = (table: Table): Arbitrary<string> =>
  fc
    .tuple(
      optional('where', where(table, 2)),
      orderBy(table),
      optional('limit', fc.integer({ min: 0, max: 8 })),
      optional('offset', fc.integer({ min: 0, max: 4 })),
    )
    .map((parts) => `(${parts.filter((part) => part !== '').join(', ')})`);

function selection(table: Table, depth: number): Arbitrary<string> {
  const columns = fc.subarray(Object.keys(table.columns), { minLength: 1 });
  if (depth === 0) return columns.map((names) => names.join(' '));
  const relations = Object.entries(table.relations).map(([field, { table: other, many }]) => {
    const below = selection(tableAt(other), depth - 1);
    if (!many)
      return fc.option(
        below.map((text) => `$${field} { ${text} }`),
        { nil: '' },
      );
    const rows = fc.tuple(listArguments(tableAt(other)), below).map(([given, text]) => `$${field}${given} { ${text} }`);
    const count = optional('where', where(tableAt(other), 1)).map(
      (given) => `$${field}Aggregate${given === '' ? '' : `(${given})`} { count }`,
    );
    return fc.oneof(rows, count, fc.constant(''));
  });
  return fc.tuple(columns, ...relations).map(([names, ...parts]) => [...names, ...parts].join(' '));
}

const root = (table: Table): string => `$${table.name.charAt(0).toUpperCase()}${table.name.slice(1)}`;

const list = (table: Table): Arbitrary<string> =>
  fc
    .tuple(listArguments(table), selection(table, 2))
    .map(([given, text]) => `{ rows: ${root(table)}${given} { ${text} } }`);

const connection = (table: Table): Arbitrary<string> =>
  fc
    .tuple(optional('where', where(table, 1)), orderBy(table), fc.integer({ min: 1, max: 6 }), selection(table, 1))
    .map(([filter, order, first, text]) => {
      const given = [filter, order, `first: ${first}`].filter((part) => part !== '').join(', ');
      return `{ page: ${root(table)}Connection(${given}) { nodes { ${text} } totalCount pageInfo { hasNextPage hasPreviousPage } } }`;
    });

const aggregate = (table: Table): Arbitrary<string> => {
  const numbers = Object.entries(table.columns).flatMap(([name, kind]) =>
    kind === 'int' || kind === 'numeric' ? [name] : [],
  );
  const ordered = Object.entries(table.columns).flatMap(([name, kind]) =>
    ['int', 'numeric', 'date'].includes(kind) ? [name] : [],
  );
  const grouping = Object.entries(table.columns).flatMap(([name, kind]) =>
    kind === 'int' || kind === 'boolean' ? [name] : [],
  );
  return fc
    .tuple(
      optional('where', where(table, 1)),
      fc.constantFrom(...numbers),
      fc.constantFrom(...ordered),
      fc.subarray(grouping, { maxLength: 2 }),
    )
    .map(([filter, summed, compared, keys]) => {
      const by = keys.length === 0 ? '' : `groupBy: [${keys.join(', ')}]`;
      const given = [filter, by].filter((part) => part !== '').join(', ');
      const figures = `count countDistinct { ${summed} } sum { ${summed} } min { ${compared} } max { ${compared} }`;
      const groups = by === '' ? '' : `groups { key { ${keys.join(' ')} } count sum { ${summed} } }`;
      return `{ figures: ${root(table)}Aggregate${given === '' ? '' : `(${given})`} { ${figures} ${groups} } }`;
    });
};

const anyTable = fc.constantFrom(...Object.values(tables));

/** A GraphQL document; `$` stands for the prefix of the schema. */
export const documents: Arbitrary<string> = anyTable.chain((table) =>
  fc.oneof({ arbitrary: list(table), weight: 4 }, connection(table), aggregate(table)),
);

const restOperators: Readonly<Record<string, string>> = {
  eq: 'eq',
  neq: 'neq',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
};

function restFilter(table: Table): Arbitrary<string> {
  const comparable = Object.entries(table.columns).flatMap(([name, kind]) =>
    kind === 'json' ? [] : [[name, kind] as const],
  );
  return fc.constantFrom(...comparable).chain(([name, kind]) => {
    const names = kind === 'enum' ? ['eq', 'neq'] : Object.keys(restOperators);
    const compared = fc
      .tuple(fc.constantFrom('', 'not.'), fc.constantFrom(...names), fc.constantFrom(...pools[kind]))
      .map(([not, operator, value]) => `${name}=${not}${operator}.${encodeURIComponent(value)}`);
    const tests = fc.constantFrom('is.null', 'not.is.null').map((test) => `${name}=${test}`);
    const pattern = fc.constantFrom('A*', '*n', 'b\\_*').map((text) => `${name}=like.${encodeURIComponent(text)}`);
    return kind === 'text' ? fc.oneof(compared, tests, pattern) : fc.oneof(compared, tests);
  });
}

const restSearch = { search: 'plfts', webSearch: 'wfts', phraseSearch: 'phfts' } as const;

const restSearches = ({ searched }: Table): Arbitrary<string> =>
  searched === undefined
    ? fc.constant('')
    : fc.option(
        fc
          .tuple(fc.constantFrom('', 'not.'), search)
          .map(([not, [name, text]]) => `${searched}=${not}${restSearch[name]}.${encodeURIComponent(text)}`),
        { nil: '' },
      );

/** The path and query of a REST read. */
export const urls: Arbitrary<string> = anyTable.chain((table) =>
  fc
    .tuple(
      fc.tuple(fc.array(restFilter(table), { maxLength: 3 }), restSearches(table)),
      fc.constantFrom(...Object.keys(table.columns).filter((name) => table.columns[name] !== 'json')),
      fc.constantFrom('', '.desc', '.asc.nullsfirst', '.desc.nullslast'),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: 4 }),
      fc.subarray(Object.keys(table.columns), { minLength: 1 }),
    )
    .map(([[filters, searched], order, way, limit, offset, columns]) =>
      [
        `${table.name}?select=${columns.join(',')}`,
        ...filters,
        ...(searched === '' ? [] : [searched]),
        `order=${[`${order}${way}`, ...table.key].join(',')}`,
        `limit=${limit}`,
        `offset=${offset}`,
      ].join('&'),
    ),
);
