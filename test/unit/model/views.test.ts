import type { ViewSource } from '../../../runtime/src/catalog/catalog.js';
import { buildModel } from '../../../runtime/src/generator.js';
import type { ModelOptions } from '../../../runtime/src/descriptor/options.js';
import { catalog, column, foreignKey, table } from '../../support/catalog.js';
import { refusalOf } from '../../support/refusal.js';

const source = (name: string, columns: Readonly<Record<string, string>>, single = true): ViewSource => ({
  schema: 's',
  name,
  columns: Object.keys(columns),
  from: Object.values(columns),
  single,
});

const nullable = (name: string) => column(name, 'int4', { nullable: true });
const facts = { kind: 'view', insertable: false, updatable: false, deletable: false } as const;

const tables = [
  table('s.people', [column('id', 'int4')], { primaryKey: { name: 'people_pkey', columns: ['id'] } }),
  table('s.tickets', [column('id', 'int4'), column('owner', 'int4'), column('helper', 'int4')], {
    primaryKey: { name: 'tickets_pkey', columns: ['id'] },
    foreignKeys: [
      foreignKey('tickets_owner_fkey', ['owner'], 's.people', ['id']),
      foreignKey('tickets_helper_fkey', ['helper'], 's.people', ['id']),
    ],
  }),
  table('s.open', ['number', 'owner'].map(nullable), {
    ...facts,
    sources: [source('tickets', { number: 'id', owner: 'owner' })],
  }),
  table('s.of_view', ['n'].map(nullable), { ...facts, sources: [source('open', { n: 'number' })] }),
  table('s.twice', ['a', 'b'].map(nullable), {
    ...facts,
    sources: [source('tickets', { a: 'owner' }, false), source('tickets', { b: 'owner' }, false)],
  }),
  table('s.totals', [nullable('who'), column('words', 'text')], { ...facts, kind: 'materializedView' }),
];

function described(name: string, options: ModelOptions = {}) {
  const found = buildModel(catalog({ tables }), options).tables.find(({ descriptor }) => descriptor.name === name);
  const relations =
    found?.descriptor.relations?.map((each) => `${each.name} ${each.cardinality} ${each.constraint}`) ?? [];
  return { key: found?.descriptor.rowKey, relations, nullable: found?.columns.map((each) => each.nullable) };
}

describe('a view', () => {
  it('has the key and the foreign keys of the table whose rows it shows', () => {
    expect(described('open')).toEqual({
      key: ['number'],
      relations: ['sOwner one tickets_owner_fkey'],
      nullable: [false, true],
    });
    expect(described('of_view')).toEqual({ key: ['n'], relations: [], nullable: [false] });
  });

  it('has no key of a table whose rows it may repeat, and numbers foreign keys that it has twice', () => {
    expect(described('twice')).toEqual({
      key: undefined,
      relations: ['sA one tickets_owner_fkey', 'sB one tickets_owner_fkey_2'],
      nullable: [true, true],
    });
  });

  it('is given a key and relations by the configuration', () => {
    const relations = { 's.totals': [{ columns: ['who'], table: 's.people', references: ['id'] }] };
    expect(described('totals', { keys: { 's.totals': ['who'] }, relations })).toEqual({
      key: ['who'],
      relations: ['sWho one totals_who_fkey'],
      nullable: [false, false],
    });
    expect(described('people', { keys: { 's.totals': ['who'] }, relations }).relations).toContain(
      'sTotals one totals_who_fkey',
    );
    expect(described('people', { relations }).relations).toContain('sTotals many totals_who_fkey');
  });

  it('loses a key whose column is left out', () => {
    expect(described('open', { exclude: ['s.open.number'] }).key).toBeUndefined();
  });
});

test.each([
  [{ keys: { 's.none': ['id'] } }, 'keys["s.none"]: the database has no such table or view.'],
  [{ keys: { 's.totals': ['whom'] } }, 'keys["s.totals"]: s.totals has no column whom.'],
  [
    { relations: { 's.totals': [{ columns: ['who'], table: 's.persons', references: ['id'] }] } },
    'relations["s.totals"]: the database has no table or view s.persons.',
  ],
  [
    { relations: { 's.totals': [{ columns: ['who'], table: 's.people', references: ['id', 'id'] }] } },
    'relations["s.totals"]: "columns" and "references" name as many columns each, and at least one.',
  ],
  [
    { relations: { 's.totals': [{ columns: ['words'], table: 's.people', references: ['id'] }] } },
    'relations["s.totals"]: words is of type pg_catalog.text, id of type pg_catalog.int4.',
  ],
] satisfies [ModelOptions, string][])('%j is refused', (options, message) => {
  expect(refusalOf(() => buildModel(catalog({ tables }), options))).toMatchObject({ code: 'CONFIG_INVALID', message });
});

describe('a view whose definition says nothing', () => {
  const warnings = (unread: 'hidden' | 'unknown', options: ModelOptions = {}) => {
    const view = table('s.seen', [nullable('who')], { ...facts, unread });
    return buildModel(catalog({ tables: [...tables, view] }), options).warnings.map(
      ({ message, hint }) => `${message} ${hint}`,
    );
  };

  it('is asked for by a sentence that says why', () => {
    expect(warnings('unknown')).toEqual([
      "The key and the relations of the view s.seen are not known, because its definition has a form that is not understood. Name them in the configuration: keys: { 's.seen': ['…'] }, and relations. See docs/graphql.md#views.",
    ]);
    expect(warnings('hidden').join()).toContain('Grant the user SHOW VIEW, or name them');
  });

  it('is not asked for where the configuration names its key, or its relations', () => {
    expect(warnings('unknown', { keys: { 's.seen': ['who'] } })).toEqual([]);
    expect(warnings('hidden', { relations: { 's.seen': [] } })).toEqual([]);
  });
});
