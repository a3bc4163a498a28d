import { z } from 'zod';
import { fieldOf, type Registry, type Table } from '../../descriptor/registry.js';
import { codes, ServerError } from '../../errors.js';
import { ExactNumber } from '../../exact-number.js';
import { nearest } from '../../nearest.js';
import { filterKind } from '../../plan/operator.js';
import { operators } from '../../plan/operators.js';
import { spellings } from '../../request/rest/grammar/spelling.js';

/** One condition of a tool's `filters`. */
export interface ToolFilter {
  readonly column: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly not?: boolean | undefined;
}

/** Conditions of a tool: all of `filters` hold, and one of `any` where there are some. */
export interface ToolFilters {
  readonly filters?: readonly ToolFilter[] | undefined;
  readonly any?: readonly ToolFilter[] | undefined;
}

/**
 * The arguments `filters` and `any`, with the operators that the database has.
 * @param isExplained whether the operators are described: once for each tool
 */
export function filterArguments(served: ReadonlySet<string>, isExplained = true) {
  const described = new Map<string, string>();
  for (const { id, rest = [], description } of operators)
    for (const name of rest.slice(0, 1)) if (served.has(id) && !described.has(name)) described.set(name, description);
  const [first = 'eq', ...others] = described.keys();
  const filter = z.strictObject({
    column: z.string().describe('A column, or a path into JSON: settings->board->>color.'),
    operator: z.enum([first, ...others]),
    value: z
      .unknown()
      .optional()
      .describe('A list for `in` and its like. In patterns, * stands for any text. None for is.null and its like.'),
    not: z.boolean().optional().describe('Negates the condition.'),
  });
  const meanings = [...described].map(([name, description]) => `${name}: ${description}`).join(' ');
  return {
    filters: z
      .array(filter)
      .optional()
      .describe(`Conditions that all have to hold. ${isExplained ? meanings : ''}`.trim()),
    any: z.array(filter).optional().describe('Conditions of which at least one has to hold.'),
  };
}

/**
 * The parameters of REST for these conditions.
 * @param prefix the name of an embedded table, with a dot after it
 */
export function restFilters(table: Table | undefined, { filters = [], any = [] }: ToolFilters, prefix = '') {
  const parameters = filters.map((each): [string, string] => [
    `${prefix}${columnName(each.column, table, reserved)}`,
    comparison(each, table, (text) => text),
  ]);
  if (any.length === 0) return parameters;
  const members = any.map((each) => `${columnName(each.column, table, special)}.${comparison(each, table, quoted)}`);
  return [...parameters, [`${prefix}or`, `(${members.join(',')})`] as [string, string]];
}

/** Names that parameters have beside columns: decision 006. */
const reserved = /^(?:select|order|limit|offset|or|and|not|not\.or|not\.and|columns|on_conflict|".*)$/;
const special = /[.,()":]|->|^(?:and|or|not)$/;

/** A column is quoted where its name would be read as something else. Other texts are paths. */
export const columnName = (name: string, table: Table | undefined, ambiguous = special): string =>
  table?.byRestName.has(name) === true && ambiguous.test(name) ? quoted(name) : name;

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function comparison(filter: ToolFilter, table: Table | undefined, text: (value: string) => string): string {
  const { column, operator, value, not } = filter;
  const start = `${not === true ? 'not.' : ''}${operator}`;
  const form = spellings.get(operator)?.form;
  if (form === 'none') return start;
  if (value === undefined || value === null)
    throw new ServerError(400, codes.malformedFilter, `The filter of "${column}" has no value.`, {
      hint: 'Null is found by the operator is.null, and other values by is.notnull.',
    });
  if (form !== 'list' && form !== 'keys') return `${start}.${text(literal(value, kindOf(column, table)))}`;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return `${start}.(${list.map((each) => quoted(literal(each, undefined))).join(',')})`;
}

const kindOf = (column: string, table: Table | undefined): string | undefined =>
  table?.byRestName.get(column)?.type.kind;

/** The text of a value as REST reads it. A list is an array of the database, unless it is JSON. */
function literal(value: unknown, kind: string | undefined): string {
  if (typeof value === 'string' || value instanceof ExactNumber) return String(value);
  if (!Array.isArray(value) || kind !== 'array') return JSON.stringify(value);
  return `{${value.map((each) => (each === null ? 'null' : quoted(literal(each, undefined)))).join(',')}}`;
}

/** The same conditions as `where` of GraphQL. Throws ServerError 400 for what only REST has. */
export function whereOf(table: Table, { filters = [], any = [] }: ToolFilters, registry: Registry): object {
  const conditions = (all: readonly ToolFilter[]): readonly object[] =>
    all.map((each) => whereCondition(each, table, registry));
  return {
    ...(filters.length === 0 ? {} : { and: conditions(filters) }),
    ...(any.length === 0 ? {} : { or: conditions(any) }),
  };
}

function whereCondition({ column, operator, value, not }: ToolFilter, table: Table, registry: Registry): object {
  const found = columnOf(table, column);
  const kind = filterKind(found.type);
  const known = operators.find(
    ({ rest = [], graphql, kinds }) =>
      rest.includes(operator) && graphql !== undefined && (kinds === 'any' || kinds.includes(kind)),
  )?.graphql;
  if (known === undefined)
    throw new ServerError(
      400,
      codes.unsupported,
      `Aggregates of "${table.name}" do not take ${operator} of ${column}.`,
      {
        hint: 'Use an operator such as eq, in, gt or like.',
      },
    );
  const condition = { [fieldOf(found)]: { [known]: operandOf(operator, value, found.type.enum, registry) } };
  return not === true ? { not: condition } : condition;
}

function operandOf(operator: string, value: unknown, enumType: string | undefined, { enums }: Registry): unknown {
  const form = spellings.get(operator)?.form;
  if (form === 'none') return true;
  if (form === 'pattern' && typeof value === 'string') return value.replaceAll('*', '%');
  const labels = enums.get(enumType ?? '')?.values;
  const named = (each: unknown): unknown => labels?.find(({ label }) => label === each)?.name ?? each;
  return Array.isArray(value) ? value.map(named) : named(value);
}

/** A column by REST's name. Throws ServerError 400 with the name that was probably meant. */
export function columnOf(table: Table, name: string) {
  const found = table.byRestName.get(name) ?? table.byField.get(name);
  if (found !== undefined) return found;
  const near = nearest(name, table.byRestName.keys());
  throw new ServerError(400, codes.unknownColumn, `"${table.name}" has no column "${name.slice(0, 80)}".`, {
    hint: near === undefined ? 'describe_tables names its columns.' : `Did you mean "${near}"?`,
  });
}
