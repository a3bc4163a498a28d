import { boundsOf } from '../../runtime/src/descriptor/cache-bounds.js';
import type { Table } from '../../runtime/src/descriptor/registry.js';

const tables = (count: number): { readonly tables: readonly Table[] } => ({ tables: new Array<Table>(count) });

describe('boundsOf', () => {
  test('few tables have the room that a cache has at least', () => {
    expect(boundsOf(tables(10), 1000, 8000)).toEqual({ max: 1000, maxSize: 8_000_000 });
  });

  test('with many tables there is room for each, so that a round over all of them finds again what it made', () => {
    expect(boundsOf(tables(3000), 1000, 8000)).toEqual({ max: 6000, maxSize: 48_000_000 });
  });
});
