import { z } from 'zod';
import type { Table } from '../../descriptor/registry.js';
import type { Asked } from './ask.js';
import { filterArguments, restFilters, type ToolFilters } from './filters.js';
import { pathOf, queryString } from './read-tools.js';
import { findTable } from './tables.js';
import { defineTool, mostRows, type Tool } from './tool.js';

/** Tools that write rows, of a server with `app.mcp.writes`. They answer the written rows. */
export function writeTools(served: ReadonlySet<string>): readonly Tool[] {
  const table = z.string().describe('schema.table');
  const values = z.record(z.string(), z.unknown());
  return [
    defineTool({
      name: 'insert_rows',
      title: 'Insert rows',
      description: 'Inserts rows into a table, all or none, and answers them.',
      arguments: {
        table,
        rows: z.array(values).min(1).describe('Values by column. Columns with a default may be absent.'),
        onConflict: z.enum(['update', 'ignore']).optional().describe('For rows whose key is there. Default: an error.'),
      },
      writes: 'adds',
      run: ({ rows, onConflict, ...given }, { rest, source }) => {
        const found = findTable(given.table, source.services.registry);
        const resolution = onConflict === 'update' ? 'merge-duplicates' : 'ignore-duplicates';
        return rest(write('POST', found, pathOf(found), onConflict && `resolution=${resolution}`, rows));
      },
    }),
    defineTool({
      name: 'update_rows',
      title: 'Update rows',
      description: 'Updates the rows that match the filters, and answers them.',
      arguments: { table, ...filterArguments(served), values: values.describe('New values by column.'), mostRows },
      writes: 'changes',
      run: (given, { rest, source }) => {
        const found = findTable(given.table, source.services.registry);
        return rest(write('PATCH', found, filteredPath(found, given), atMost(given), given.values));
      },
    }),
    defineTool({
      name: 'delete_rows',
      title: 'Delete rows',
      description: 'Deletes the rows that match the filters, and answers them.',
      arguments: { table, ...filterArguments(served), mostRows },
      writes: 'changes',
      run: (given, { rest, source }) => {
        const found = findTable(given.table, source.services.registry);
        return rest(write('DELETE', found, filteredPath(found, given), atMost(given)));
      },
    }),
  ];
}

const atMost = ({ mostRows }: { readonly mostRows: number }): string => `max-affected=${String(mostRows)}`;

const filteredPath = (table: Table, filters: ToolFilters): string =>
  `${pathOf(table)}?${queryString(restFilters(table, filters))}`;

function write(
  method: Exclude<Asked['method'], 'GET'>,
  { schema }: Table,
  url: string,
  prefer: string | undefined,
  body?: unknown,
): Asked {
  const preferences = ['return=representation', ...(prefer === undefined ? [] : [prefer])].join(', ');
  return { method, url, headers: { 'content-profile': schema, prefer: preferences }, body };
}
