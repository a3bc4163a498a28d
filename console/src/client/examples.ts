import type { ConsoleColumn, ConsoleFunction, ConsoleModel, ConsoleTable } from '../console-model.js';
import { tableOf } from './links.js';
import { graphqlRequest, restRequest, type ApiRequest } from './requests.js';

export interface Example {
  readonly title: string;
  readonly protocol: 'REST' | 'GraphQL';
  readonly request: ApiRequest;
  /** The document of GraphQL. */
  readonly document?: string;
  readonly writes?: true;
}

const name = encodeURIComponent;

/** Requests that show what a table answers, over both protocols. */
export function tableExamples(model: ConsoleModel, table: ConsoleTable): readonly Example[] {
  const rest = (title: string, path: string, options: Partial<ApiRequest> = {}): Example => ({
    title,
    protocol: 'REST',
    request: restRequest(model, table.schema, path, options),
    ...(options.method === undefined ? {} : { writes: true as const }),
  });
  const path = name(table.name);
  const key = table.primaryKey.length === 1 ? columnOf(table, table.primaryKey[0]) : undefined;
  const shown = table.columns
    .filter(isPlain)
    .slice(0, 5)
    .map(({ rest: each }) => name(each))
    .join(',');
  const order = key === undefined ? '' : `&order=${name(key.rest)}`;
  const status = table.columns.find(({ values }) => values !== undefined && values.length > 0);
  const relation = table.relations.find(({ direction }) => direction === 'forward');
  const related = relation === undefined ? undefined : tableOf(model, relation.table);
  const select = shown === '' ? '' : `&select=${shown}`;
  return [
    rest('The first rows', `${path}?limit=5${select}${order}`),
    ...(status === undefined
      ? []
      : [
          rest(
            `Rows with one ${status.name}`,
            `${path}?${name(status.rest)}=eq.${name(status.values?.[0]?.label ?? '')}&limit=5${select}`,
          ),
        ]),
    ...(relation === undefined || related?.schema !== table.schema
      ? []
      : [
          rest(
            `Rows with their ${related.name}`,
            `${path}?limit=3&select=${[...(shown === '' ? [] : [shown]), `${name(related.name)}!${name(relation.constraint)}(*)`].join(',')}`,
          ),
        ]),
    rest('How many rows there are', `${path}?limit=1${select}`, { headers: { Prefer: 'count=exact' } }),
    ...(model.graphql && table.columns.length > 0 ? graphqlExamples(model, table) : []),
    ...writeExamples(model, table, rest),
    ...subscriptionExample(model, table),
  ];
}

type RestExample = (title: string, path: string, options?: Partial<ApiRequest>) => Example;

/** Each of them is tried without keeping, unless its reader decides otherwise. */
function writeExamples(model: ConsoleModel, table: ConsoleTable, rest: RestExample): readonly Example[] {
  const path = name(table.name);
  const representation = { Prefer: 'return=representation' };
  const key = table.primaryKey.map((column) => columnOf(table, column)).filter((column) => column !== undefined);
  const one = key.map((column) => `${name(column.rest)}=eq.${name(String(sample(column.kind)))}`).join('&');
  const changed = table.columns.find(
    (column) => !column.readOnly && isPlain(column) && !key.includes(column) && !isReference(table, column),
  );
  const [inserts, updates, deletes] = (['insert', 'update', 'delete'] as const).map((each) =>
    table.writes.includes(each),
  );
  const body = (value: unknown): string => JSON.stringify(value, undefined, 2);
  const examples: Example[] = [];
  if (inserts === true)
    examples.push(
      rest('Insert a row', path, { method: 'POST', headers: representation, body: body(sampleRow(table)) }),
    );
  if (updates === true && one !== '' && changed !== undefined)
    examples.push(
      rest('Change a row', `${path}?${one}`, {
        method: 'PATCH',
        headers: representation,
        body: body({ [changed.rest]: valueOf(changed) }),
      }),
    );
  if (inserts === true && updates === true && one !== '')
    examples.push(
      rest('Insert a row, or change the one with its key', path, {
        method: 'POST',
        headers: { Prefer: 'resolution=merge-duplicates' },
        body: body({
          ...Object.fromEntries(
            key.filter(({ readOnly }) => !readOnly).map((column) => [column.rest, valueOf(column)]),
          ),
          ...sampleRow(table),
        }),
      }),
    );
  const relation = table.relations.find(
    ({ direction, cardinality }) => direction === 'reverse' && cardinality === 'many',
  );
  const other = relation === undefined ? undefined : tableOf(model, relation.table);
  if (inserts === true && relation !== undefined && other?.writes.includes('insert') === true)
    examples.push(
      rest(
        `Insert a row with its ${other.name}`,
        `${path}?select=*,${name(other.name)}!${name(relation.constraint)}(*)`,
        {
          method: 'POST',
          body: body({
            ...sampleRow(table),
            [`${other.name}!${relation.references[0] ?? ''}`]: { data: [sampleRow(other, relation.references)] },
          }),
        },
      ),
    );
  if (deletes === true && one !== '')
    examples.push(rest('Delete a row', `${path}?${one}`, { method: 'DELETE', headers: representation }));
  return examples;
}

const isReference = ({ relations }: ConsoleTable, { name: column }: ConsoleColumn): boolean =>
  relations.some(({ direction, columns }) => direction === 'forward' && columns.includes(column));

function subscriptionExample(model: ConsoleModel, table: ConsoleTable): readonly Example[] {
  if (model.subscriptions !== true || table.kind !== 'table' || table.primaryKey.length === 0) return [];
  const fields = leaves(table, 4).join(' ');
  return [
    graphql(
      'Changes, as they happen',
      `subscription {\n  ${table.fields.changes} {\n    operation\n    key\n    data { ${fields} }\n  }\n}`,
    ),
  ];
}

function graphqlExamples(model: ConsoleModel, table: ConsoleTable): readonly Example[] {
  const fields = leaves(table, 5);
  const key = columnOf(table, table.primaryKey[0]);
  const order = key !== undefined && isPlain(key) ? `, orderBy: {${key.field}: ASC}` : '';
  const forward = table.relations.find(({ direction }) => direction === 'forward');
  const reverse = table.relations.find(
    ({ direction, cardinality }) => direction === 'reverse' && cardinality === 'many',
  );
  const embedded = [forward, reverse].flatMap((relation) => {
    const other = relation === undefined ? undefined : tableOf(model, relation.table);
    if (relation === undefined || other === undefined) return [];
    const limit = relation.cardinality === 'many' ? '(limit: 2)' : '';
    return [`    ${relation.name}${limit} { ${leaves(other, 3).join(' ')} }`];
  });
  return [
    graphql('The first rows', `{\n  ${table.field}(limit: 5${order}) {\n    ${fields.join('\n    ')}\n  }\n}`),
    ...(embedded.length === 0
      ? []
      : [
          graphql(
            'Rows with what belongs to them',
            `{\n  ${table.field}(limit: 3) {\n    ${fields.slice(0, 3).join('\n    ')}\n${embedded.join('\n')}\n  }\n}`,
          ),
        ]),
  ];
}

const graphql = (title: string, document: string): Example => ({
  title,
  protocol: 'GraphQL',
  request: graphqlRequest(document),
  document,
});

/** Fields that need no selection of their own; `__typename` if the table has none. */
function leaves(table: ConsoleTable, most: number): readonly string[] {
  const plain = table.columns.filter(isPlain);
  const some = (plain.length > 0 ? plain : table.columns.filter(({ leaf }) => leaf)).slice(0, most);
  return some.length === 0 ? ['__typename'] : some.map(({ field }) => field);
}

const heavy = new Set(['vector', 'tsvector', 'bytes', 'json', 'jsonb', 'other', 'composite', 'range']);

/** Whether a column's values are short texts that people can read. */
const isPlain = ({ kind, leaf, name: text }: ConsoleColumn): boolean =>
  leaf && !heavy.has(kind) && /^[\w ]+$/.test(text);

const columnOf = (table: ConsoleTable, column: string | undefined): ConsoleColumn | undefined =>
  table.columns.find((each) => each.name === column);

/** A row with what an insert cannot leave out. */
const sampleRow = (table: ConsoleTable, without: readonly string[] = []): object =>
  Object.fromEntries(
    table.columns
      .filter((column) => !column.nullable && !column.hasDefault && !column.readOnly && !without.includes(column.name))
      .map((column) => [column.rest, valueOf(column)]),
  );

const valueOf = ({ values, kind }: ConsoleColumn): unknown => values?.[0]?.label ?? sample(kind);

const samples: Readonly<Record<string, unknown>> = {
  int: 1,
  bigint: 1,
  numeric: 1,
  money: 1,
  float: 1,
  boolean: true,
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-01',
  timestamp: '2026-01-01T00:00:00Z',
  time: '12:00:00',
  interval: 'PT1H',
  json: {},
  jsonb: {},
  array: [],
};

const sample = (kind: string): unknown => samples[kind] ?? 'text';

/** A call of a function. A procedure is a mutation of GraphQL, and has no path in REST. */
export function functionExample(model: ConsoleModel, called: ConsoleFunction): Example {
  const given = called.arguments.filter(({ optional }) => !optional);
  if (called.kind === 'procedure') {
    const list = given.map(({ field, kind }) => `${field}: ${JSON.stringify(sample(kind))}`).join(', ');
    const document = `mutation {\n  ${called.field}${list === '' ? '' : `(${list})`}\n}`;
    return { ...graphql(`Call ${called.name}`, document), writes: true };
  }
  const body = Object.fromEntries(given.map((each) => [each.name, sample(each.kind)]));
  return {
    title: `Call ${called.name}`,
    protocol: 'REST',
    request: restRequest(model, called.schema, `rpc/${name(called.name)}`, {
      method: 'POST',
      body: JSON.stringify(body, undefined, 2),
    }),
    ...(called.operation === 'mutation' ? { writes: true } : {}),
  };
}
