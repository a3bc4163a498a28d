import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { diffLines } from 'diff';
import type { Catalog, Column, Table } from '../../../runtime/src/catalog/catalog.js';
import { buildModel } from '../../../runtime/src/generator.js';
import { parseCatalog } from '../../../runtime/src/generator.js';
import { emitProject } from '../../../src/emit/index.js';
import { column, foreignKey } from '../../support/catalog.js';

/**
 * The changes in generated code after a migration of the demo database: the diff that a reviewer
 * reads.
 */
const demo = parseCatalog(
  readFileSync(new URL('../../../generated-example/src/generated/catalog.json', import.meta.url), 'utf8'),
);

const emit = (catalog: Catalog): ReadonlyMap<string, string> =>
  emitProject(buildModel(catalog), { catalog: '', settings: {} });

const before = emit(demo);

/**
 * Lines added and removed, by purpose: the two documents that describe the API to clients, and
 * everything else.
 */
interface Changed {
  readonly code: number;
  readonly openapi: number;
  readonly graphql: number;
  /** The number of changed files. manifest.json has a line for each of them. */
  readonly files: number;
}

function changed(catalog: Catalog): Changed {
  const after = emit(catalog);
  const lines = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => path !== 'catalog.json')
    .map((path) => [path, linesBetween(before.get(path) ?? '', after.get(path) ?? '')] as const)
    .filter(([, count]) => count > 0);
  const sum = (end: string): number =>
    lines.filter(([path]) => path.endsWith(end)).reduce((total, [, count]) => total + count, 0);
  const [openapi, graphql] = [sum('openapi.json'), sum('schema.graphql')];
  return { code: sum('') - openapi - graphql, openapi, graphql, files: lines.length };
}

const linesBetween = (a: string, b: string): number =>
  diffLines(a, b)
    .filter(({ added, removed }) => added || removed)
    .reduce((sum, { count }) => sum + count, 0);

const changeTable = (name: string, change: (table: Table) => Partial<Table>): Catalog => ({
  ...demo,
  tables: demo.tables.map((table) => (table.name === name ? { ...table, ...change(table) } : table)),
});

const changeColumn = (name: string, change: (each: Column) => readonly Column[]): Catalog =>
  changeTable('projects', ({ columns }) => ({
    columns: columns.flatMap((each) => (each.name === name ? change(each) : [each])),
  }));

const adding = (...more: readonly Column[]): Catalog =>
  changeTable('projects', ({ columns }) => ({ columns: [...columns, ...more] }));

/** Lines of code that a migration changes at most, and those of an added column without a key. */
const most = 10;
const mostOfColumn = 4;

/** docs/drift.md shows these figures. */
describe('a migration of one thing changes few lines', () => {
  test.each<readonly [what: string, Catalog, Changed]>([
    [
      'adds a nullable column',
      adding(column('closed_at', 'timestamptz', { nullable: true })),
      { code: 3, openapi: 24, graphql: 12, files: 4 },
    ],
    [
      'adds a column of a type that the table did not have',
      adding(column('budget', 'numeric', { nullable: true })),
      { code: 3, openapi: 32, graphql: 17, files: 4 },
    ],
    ['drops a column', changeColumn('description', () => []), { code: 3, openapi: 19, graphql: 12, files: 4 }],
    [
      'renames a column',
      changeColumn('description', (each) => [{ ...each, name: 'summary' }]),
      { code: 6, openapi: 24, graphql: 24, files: 4 },
    ],
    [
      'changes the type of a column',
      changeColumn('description', (each) => [column(each.name, 'jsonb', { nullable: true })]),
      { code: 6, openapi: 10, graphql: 12, files: 4 },
    ],
    [
      'adds a label to an enum',
      {
        ...demo,
        enums: demo.enums.map((each) =>
          each.name === 'issue_status' ? { ...each, labels: [...each.labels, 'dropped'] } : each,
        ),
      },
      { code: 3, openapi: 2, graphql: 1, files: 4 },
    ],
    [
      'adds a foreign key',
      changeTable('labels', (table) => ({
        columns: [...table.columns, column('owner_id', 'int4', { nullable: true })],
        foreignKeys: [...table.foreignKeys, foreignKey('labels_owner_id_fkey', ['owner_id'], 'kanban.users', ['id'])],
      })),
      { code: 10, openapi: 13, graphql: 101, files: 5 },
    ],
  ])('%s', (what, catalog, expected) => {
    const lines = changed(catalog);
    expect(lines).toEqual(expected);
    expect(lines.code).toBeLessThanOrEqual(what.startsWith('adds a') && what.includes('column') ? mostOfColumn : most);
  });
});
