import { z } from 'zod';
import { aggregateField } from '../../descriptor/names.js';
import { fieldOf, type Table } from '../../descriptor/registry.js';
import { aggregateFunctions } from '../../plan/aggregates.js';
import { columnOf, filterArguments, whereOf } from './filters.js';
import { findTable } from './tables.js';
import { defineTool, type Tool } from './tool.js';

/** Counts and sums: a document of GraphQL, whose `…Aggregate` fields have them. */
export const aggregateTool = (served: ReadonlySet<string>): Tool =>
  defineTool({
    name: 'aggregate_rows',
    title: 'Count and sum rows',
    description: 'Counts rows of a table, and computes sums, averages and extremes of columns, also by groups.',
    arguments: {
      table: z.string().describe('schema.table'),
      ...filterArguments(served),
      groupBy: z.array(z.string()).optional().describe('Columns whose values make the groups.'),
      compute: z
        .array(z.strictObject({ function: z.enum(aggregateFunctions), column: z.string() }))
        .optional()
        .describe('Functions of columns, besides the count of rows.'),
    },
    run: (given, { graphql, source }) => {
      const { registry } = source.services;
      const table = findTable(given.table, registry);
      const where = whereOf(table, given, registry);
      const groupBy = (given.groupBy ?? []).map((name) => fieldOf(columnOf(table, name)));
      const values = ['count', ...computed(table, given.compute ?? [])].join(' ');
      const groups = groupBy.length === 0 ? values : `groups { key { ${groupBy.join(' ')} } ${values} }`;
      const by = groupBy.length === 0 ? '' : `, groupBy: [${groupBy.join(', ')}]`;
      const query = `query ($where: ${table.type}WhereInput) { aggregate: ${aggregateField(table.field)}(where: $where${by}) { ${groups} } }`;
      return graphql({ method: 'POST', url: '/graphql', body: { query, variables: { where } } });
    },
  });

function computed(
  table: Table,
  all: readonly { readonly function: string; readonly column: string }[],
): readonly string[] {
  const columns = new Map<string, Set<string>>();
  for (const { function: name, column } of all)
    columns.set(name, (columns.get(name) ?? new Set()).add(fieldOf(columnOf(table, column))));
  return [...columns].map(([name, fields]) => `${name} { ${[...fields].join(' ')} }`);
}
