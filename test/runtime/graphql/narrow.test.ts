import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery, isObjectType, printSchema, type IntrospectionQuery } from 'graphql';
import type { TableDescriptor } from '../../../templates/runtime/descriptor.js';
import { createRegistry } from '../../../templates/runtime/registry.js';
import { narrowSchema } from '../../../templates/runtime/server/narrow-schema.js';
import { int4 } from '../../../templates/runtime/types.js';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { post, type Reply } from '../../support/graphql-server.js';
import { schemaOf } from '../../support/sdl.js';

/** APP_SCHEMAS names the served schemas (contract 1): fewer than were generated, too. */
describe('a server that serves one of two generated schemas', () => {
  let server: DemoServer;

  beforeAll(async () => {
    server = await startDemoServer({ environment: { APP_SCHEMAS: 'shop' } });
  });

  afterAll(() => server.stop());

  const ask = (query: string): Promise<Reply> => post(`${server.base}/graphql`, JSON.stringify({ query }));

  test('answers the served one', async () => {
    const { body } = await ask('{ shopProducts(limit: 1) { id } }');
    expect(body.errors).toBeUndefined();
    expect(body.data?.['shopProducts']).toHaveLength(1);
  });

  test('does not know the other, by field or by type', async () => {
    const refused = await ask('{ kanbanIssues { id } }');
    expect(refused.body.errors?.[0]?.message).toMatch(/^Cannot query field "kanbanIssues"/);
    const { body } = await ask(getIntrospectionQuery());
    const types = Object.keys(buildClientSchema(body.data as unknown as IntrospectionQuery).getTypeMap());
    expect(types).toContain('ShopCustomers');
    expect(types.filter((name) => name.startsWith('Kanban'))).toEqual([]);
  });
});

describe('a relation to a table that is not served', () => {
  const shelf = { field: 'bShelves', type: 'BShelves', schema: 'b', name: 'shelves', kind: 'table' } as const;
  const book = { field: 'aBooks', type: 'ABooks', schema: 'a', name: 'books', kind: 'table' } as const;
  const link = { constraint: 'books_shelf_fkey', columns: ['shelf_id'], references: ['id'] } as const;
  const back = { constraint: 'books_shelf_fkey', columns: ['id'], references: ['shelf_id'] } as const;
  const tables = [
    {
      ...book,
      columns: [{ name: 'shelf_id', type: int4 }],
      relations: [{ ...link, name: 'bShelfId', cardinality: 'one', direction: 'forward', table: 'bShelves' }],
    },
    {
      ...shelf,
      columns: [{ name: 'id', type: int4 }],
      relations: [{ ...back, name: 'aBooks', cardinality: 'many', direction: 'reverse', table: 'aBooks' }],
    },
  ] as const satisfies readonly TableDescriptor[];
  const all = createRegistry({ tables });

  test.each([
    ['a', 'ABooks', 'bShelfId'],
    ['b', 'BShelves', 'aBooks'],
  ])('is no field, filter or order of schema %s', (schema, type, relation) => {
    const served = createRegistry({ tables: tables.filter((table) => table.schema === schema) });
    const before = printSchema(schemaOf(all));
    expect(before).toContain(relation);
    const after = narrowSchema(schemaOf(all), all, served);
    expect(isObjectType(after.getType(type))).toBe(true);
    expect(printSchema(after)).not.toMatch(new RegExp(`\\b${relation}(Aggregate)?\\b`));
  });
});
