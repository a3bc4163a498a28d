import { changes, MOST_ROWS, MOST_USERS } from '../../../bench/change/changes.js';
import { depths, nestedGraphql, nestedRest, nestedSql } from '../../../bench/change/depth.js';

const bearers = Array.from({ length: MOST_USERS }, (_, at) => ({ token: `token${at}`, user: `user${at % 100}` }));
const stepsOf = (id: string): NonNullable<ReturnType<typeof changes>[number]>['steps'] =>
  changes(bearers).find((change) => change.id === id)?.steps ?? [];

describe('what grows', () => {
  it('is one thing at a time, as far as the page promises', () => {
    const places = Object.fromEntries(changes(bearers).map(({ id, steps }) => [id, steps.map(({ x }) => x)]));
    expect(places).toEqual({
      rows: [1, 10, 100, 1000, MOST_ROWS],
      filters: [0, 1, 2, 4, 8, 16, 32],
      depth: [1, 2, 3, 4, 5, 6],
      users: [1, 4, 16, 64, MOST_USERS],
    });
  });

  it('has as many filters in both protocols and in SQL', () => {
    for (const { x, asked, sql, values } of stepsOf('filters')) {
      const { where } = (JSON.parse(asked[0]?.graphql.body ?? '') as { variables: { where: { and: unknown[] } } })
        .variables;
      expect(where.and).toHaveLength(x);
      expect(asked[0]?.rest.path.match(/=neq\./g) ?? []).toHaveLength(x);
      expect(sql.match(/<> \$/g) ?? []).toHaveLength(x);
      expect(values).toHaveLength(x);
    }
  });

  it('is asked by as many users as there are connections, each with a token of its own', () => {
    for (const { x, connections, asked } of stepsOf('users')) {
      expect(connections).toBe(x);
      expect(new Set(asked.map(({ rest }) => rest.headers['authorization'])).size).toBe(x);
      expect(
        asked.every(({ rest, graphql }) => rest.headers['authorization'] === graphql.headers['authorization']),
      ).toBe(true);
    }
  });
});

describe('a nested read', () => {
  it('begins with a plain list', () => {
    expect(nestedRest(1)).toBe('/customers?select=id,name&order=id.asc&limit=10');
    expect(nestedGraphql(1)).toBe('{ list: benchCustomers(orderBy: { id: ASC }, limit: 10) { id name } }');
  });

  it('goes down relations to many and up relations to one', () => {
    expect(nestedRest(4)).toBe(
      '/customers?select=id,name,orders(id,status,items(id,product,orders(id,total)))&order=id.asc&limit=10' +
        '&orders.order=id.asc&orders.limit=1&orders.items.order=id.asc&orders.items.limit=1',
    );
    expect(nestedGraphql(4)).toBe(
      '{ list: benchCustomers(orderBy: { id: ASC }, limit: 10) { id name orders: benchOrders(orderBy: { id: ASC }, limit: 1)' +
        ' { id status items: benchItems(orderBy: { id: ASC }, limit: 1) { id product orders: benchOrderId { id total } } } } }',
    );
  });

  it.each([...depths])('of %d levels has as many in each notation', (levels) => {
    expect(nestedRest(levels).match(/\(/g) ?? []).toHaveLength(levels - 1);
    expect(nestedGraphql(levels).match(/\w+: bench/g) ?? []).toHaveLength(levels);
    expect(nestedSql(levels).match(/ from bench\./g) ?? []).toHaveLength(levels);
  });
});
