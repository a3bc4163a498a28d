import { z } from 'zod';
import { restPath } from '../../descriptor/naming.js';
import type { Table } from '../../descriptor/registry.js';
import { codes, ServerError } from '../../errors.js';
import { resolveRelation } from '../../request/rest/read/relation.js';
import { ownReads } from '../../request/rest/read/read-form.js';
import { halfOfPair, isWellFormed } from '../../well-formed.js';
import { columnName, filterArguments, restFilters } from './filters.js';
import { describeTable, findTable, operatorsOf, tableName } from './tables.js';
import { answered, defineTool, type Call, type Tool } from './tool.js';

/** Most tables of one call of describe_tables. */
const MAX_DESCRIBED = 20;

/** Tools that tell which tables there are, and read their rows. */
export const readTools = (served: ReadonlySet<string>, tables: string): readonly Tool[] => [
  defineTool({
    name: 'list_tables',
    title: 'List tables',
    description: `Names the tables and views, with their comments. ${tables}`,
    arguments: {
      search: z.string().optional().describe('Only tables whose name or comment has this text.'),
      limit: z.int().min(1).max(500).default(100),
      offset: z.int().min(0).default(0),
    },
    isLocal: true,
    run: ({ search, limit, offset }, { source }) => {
      const wanted = search?.toLowerCase() ?? '';
      const found = source.services.registry.tables.filter((table) =>
        `${tableName(table)} ${table.description ?? ''}`.toLowerCase().includes(wanted),
      );
      const shown = found.slice(offset, offset + limit).map(({ schema, name, kind, description }) => ({
        table: tableName({ schema, name }),
        kind: kind === 'table' ? undefined : kind,
        description,
      }));
      return answered({ tables: shown, total: found.length });
    },
  }),
  defineTool({
    name: 'describe_tables',
    title: 'Describe tables',
    description:
      'The columns, types, keys and relations of tables, and the operators that filters of their columns take.',
    arguments: {
      tables: z.array(z.string()).min(1).max(MAX_DESCRIBED).describe('Names from list_tables, as schema.table.'),
    },
    isLocal: true,
    run: ({ tables: names }, call) => {
      const { registry, dialect, settings } = call.source.services;
      return described(
        names.map((name) => findTable(name, registry)),
        call,
        dialect.operators,
        settings['app.mcp.answer-bytes'],
      );
    },
  }),
  queryRows(served),
];

/** As many tables as the answer has room for, and at least one. */
function described(tables: readonly Table[], call: Call, served: ReadonlySet<string>, mostBytes: number) {
  const operators = operatorsOf(tables, served);
  const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const shown = [];
  let bytes = bytesOf(operators) + 1000;
  for (const table of tables) {
    const next = describeTable(table, call);
    bytes += bytesOf(next);
    if (shown.length > 0 && bytes > mostBytes) break;
    shown.push(next);
  }
  const leftOut = tables.slice(shown.length).map(tableName);
  return answered({ tables: shown, operators, leftOut: leftOut.length === 0 ? undefined : leftOut });
}

const pageArguments = {
  order: z.array(z.string()).optional().describe('Columns: created_at.desc, due_on.asc.nullslast.'),
  limit: z.int().min(0).optional().describe('Most rows. The server has a ceiling, which the answer names.'),
  offset: z.int().min(0).optional(),
};

function queryRows(served: ReadonlySet<string>): Tool {
  const filters = filterArguments(served);
  const columns = z
    .array(z.string())
    .optional()
    .describe('Columns, also alias:column and settings->>color. Default: all.');
  return defineTool({
    name: 'query_rows',
    title: 'Query rows',
    description: 'Reads rows of a table, with filters, order and related rows. Only rows that the caller may read.',
    arguments: {
      table: z.string().describe('schema.table'),
      columns,
      ...filters,
      embed: z
        .array(
          z.strictObject({
            relation: z.string().describe('A name from `relations` of describe_tables.'),
            as: z.string().optional().describe('Its name in the answer.'),
            columns,
            ...filterArguments(served, false),
            required: z.boolean().optional().describe('Leave out rows without a related row.'),
            ...pageArguments,
          }),
        )
        .optional()
        .describe('Related rows of each row.'),
      ...pageArguments,
      count: z.boolean().optional().describe('Count all rows that match, for `pagination.total`.'),
    },
    run: (given, { rest, source }) => {
      const { registry } = source.services;
      const table = findTable(given.table, registry);
      const embeds = (given.embed ?? []).map((each) => {
        const [name = '', hint] = each.relation.split('!');
        const other = resolveRelation(table, name, hint, { registry, form: ownReads }).table;
        return { ...each, other, named: quotedName(each.as ?? name) };
      });
      const parameters: readonly (readonly [string, string])[] = [
        ['select', selectOf(given.columns, table, embeds.map(embedOf))],
        ...restFilters(table, given),
        ...pageOf(given),
        ...embeds.flatMap((each) => [
          ...restFilters(each.other, each, `${each.named}.`),
          ...pageOf(each, `${each.named}.`),
        ]),
      ];
      return rest({
        method: 'GET',
        url: `${pathOf(table)}?${queryString(parameters)}`,
        headers: { 'accept-profile': table.schema, ...(given.count === true ? { prefer: 'count=exact' } : {}) },
      });
    },
  });
}

/** The path of a table in REST. */
export const pathOf = (table: Table): string => `${restPath}/${encodeURIComponent(table.name)}`;

/** @throws ServerError 400 for half of a surrogate pair, which no URL has */
function encoded(text: string): string {
  if (isWellFormed(text)) return encodeURIComponent(text);
  throw new ServerError(400, codes.malformedParameter, halfOfPair.message, { hint: halfOfPair.hint });
}

/** Parameters as the query string of a URL. */
export const queryString = (parameters: readonly (readonly [string, string])[]): string =>
  parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');

const quotedName = (name: string): string => (/^[\w$]+$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`);

function selectOf(columns: readonly string[] | undefined, table: Table, more: readonly string[]): string {
  const own = columns?.map((name) => columnName(name, table)) ?? ['*'];
  return [...own, ...more].join(',');
}

interface Embed {
  readonly relation: string;
  readonly named: string;
  readonly columns?: readonly string[] | undefined;
  readonly required?: boolean | undefined;
  readonly other: Table;
}

function embedOf({ relation, named, columns, required, other }: Embed): string {
  const [name = '', hint] = relation.split('!');
  const way = `${quotedName(name)}${hint === undefined ? '' : `!${quotedName(hint)}`}${required === true ? '!inner' : ''}`;
  return `${named === quotedName(name) ? '' : `${named}:`}${way}(${selectOf(columns, other, [])})`;
}

interface Page {
  readonly order?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

function pageOf({ order = [], limit, offset }: Page, prefix = ''): readonly (readonly [string, string])[] {
  return [
    ...(order.length === 0 ? [] : [[`${prefix}order`, order.join(',')] as const]),
    ...(limit === undefined ? [] : [[`${prefix}limit`, String(limit)] as const]),
    ...(offset === undefined ? [] : [[`${prefix}offset`, String(offset)] as const]),
  ];
}
