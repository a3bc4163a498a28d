import type { Catalog, Table } from '../../../runtime/src/catalog/catalog.js';
import { buildModel } from '../../../runtime/src/generator.js';
import { findRelationRenames, findRenames, placeText } from '../../../src/api/index.js';
import { gapsBetween } from '../../../src/api/renames/gaps.js';
import { catalog, column, enumType, foreignKey, table, typeRef, uniqueIndex } from '../../support/catalog.js';

const id = column('id', 'int4');

function renames(before: Partial<Catalog>, after: Partial<Catalog>): readonly string[] {
  const [old, now] = [catalog(before), catalog(after)];
  const found = findRenames(old, now);
  return [...found, ...findRelationRenames(buildModel(old), buildModel(now), found)].map(
    ({ kind, from, to, certain }) => `${kind} ${placeText(from)} → ${placeText(to)}${certain ? '' : '?'}`,
  );
}

const columns = (before: Table['columns'], after: Table['columns'], facts: Partial<Table> = {}): readonly string[] =>
  renames({ tables: [table('s.t', before, facts)] }, { tables: [table('s.t', after, facts)] });

describe('gapsBetween', () => {
  it('finds what stands between names that stay', () => {
    expect(gapsBetween(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).toEqual([
      { gone: [], added: [], last: false },
      { gone: ['b'], added: ['x'], last: false },
      { gone: [], added: ['d'], last: true },
    ]);
  });

  it('shows nothing where the order is another', () => {
    expect(gapsBetween(['a', 'b', 'c'], ['b', 'a', 'd'])).toEqual([]);
  });
});

describe('columns', () => {
  it('a new column between old ones was renamed: added columns come last', () => {
    expect(columns([id, column('title'), column('body')], [id, column('headline'), column('body')])).toEqual([
      'column s.t.title → s.t.headline',
    ]);
  });

  it('a column at the end may as well be a new one', () => {
    expect(columns([id, column('title')], [id, column('headline')])).toEqual(['column s.t.title → s.t.headline?']);
    expect(columns([id, column('title')], [id, column('weight', 'int4')])).toEqual([]);
  });

  it('a key or an index shows it, wherever the columns stand', () => {
    const index = (name: string) => ({ indexes: [uniqueIndex('t_title', [name])] });
    const before = { tables: [table('s.t', [id, column('title')], index('title'))] };
    const after = { tables: [table('s.t', [id, column('headline')], index('headline'))] };
    expect(renames(before, after)).toEqual(['column s.t.title → s.t.headline']);
  });

  it('of several candidates only those of a type of their own are proposed', () => {
    const before = [id, column('a'), column('b', 'date'), column('z')];
    expect(columns(before, [id, column('x', 'date'), column('z')])).toEqual(['column s.t.b → s.t.x?']);
    expect(columns([id, column('a'), column('b'), column('z')], [id, column('x'), column('z')])).toEqual([]);
  });

  it('a view has no order of its own', () => {
    const view = { kind: 'view' as const };
    const before = [id, column('title'), column('body')];
    expect(columns(before, [id, column('headline'), column('body')], view)).toEqual([
      'column s.t.title → s.t.headline?',
    ]);
  });
});

describe('tables', () => {
  const body = [id, column('name'), column('color')];

  it('the old key shows it, also in another schema', () => {
    const key = { primaryKey: { name: 'labels_pkey', columns: ['id'] } };
    expect(renames({ tables: [table('s.labels', body, key)] }, { tables: [table('r.tags', body, key)] })).toEqual([
      'table s.labels → r.tags',
    ]);
  });

  it('without a key in common, equal columns propose it', () => {
    expect(renames({ tables: [table('s.labels', body)] }, { tables: [table('s.tags', body)] })).toEqual([
      'table s.labels → s.tags?',
    ]);
    expect(renames({ tables: [table('s.labels', body)] }, { tables: [table('s.tags', [id])] })).toEqual([]);
  });

  it('nothing is proposed where two are as good', () => {
    const two = { tables: [table('s.tags', body), table('s.marks', body)] };
    expect(renames({ tables: [table('s.labels', body)] }, two)).toEqual([]);
  });

  it('columns of a renamed table are compared', () => {
    const key = { primaryKey: { name: 'labels_pkey', columns: ['id'] } };
    const after = table('s.tags', [id, column('title'), column('color')], key);
    expect(renames({ tables: [table('s.labels', body, key)] }, { tables: [after] })).toEqual([
      'table s.labels → s.tags',
      'column s.labels.name → s.tags.title',
    ]);
  });
});

describe('enums and relations', () => {
  const mood = (type: string) => table('s.t', [id, column('mood', typeRef(type, { kind: 'enum' }))]);

  it('a label that is gone has another name: PostgreSQL removes none', () => {
    const before = { tables: [mood('s.mood')], enums: [enumType('s.mood', ['sad', 'ok', 'happy'])] };
    const after = { tables: [mood('s.mood')], enums: [enumType('s.mood', ['sad', 'fine', 'happy', 'elated'])] };
    expect(renames(before, after)).toEqual(['enumValue s.mood.ok → s.mood.fine']);
  });

  it('the column that has it shows the new name of an enum', () => {
    const before = { tables: [mood('s.mood')], enums: [enumType('s.mood', ['ok'])] };
    const after = { tables: [mood('s.feeling')], enums: [enumType('s.feeling', ['fine'])] };
    expect(renames(before, after)).toEqual(['enum s.mood → s.feeling', 'enumValue s.mood.ok → s.feeling.fine']);
  });

  it('a relation follows its foreign key', () => {
    const users = table('s.users', [id], { primaryKey: { name: 'users_pkey', columns: ['id'] } });
    const child = (name: string) =>
      table('s.t', [id, column(name, 'int4'), column('z')], {
        foreignKeys: [foreignKey('t_user_fkey', [name], 's.users', ['id'])],
      });
    expect(renames({ tables: [child('owner_id'), users] }, { tables: [child('author_id'), users] })).toEqual([
      'column s.t.owner_id → s.t.author_id',
      'relation s.t.sOwnerId → s.t.sAuthorId',
    ]);
  });
});
