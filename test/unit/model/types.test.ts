import type { Catalog } from '../../../runtime/src/catalog/catalog.js';
import { buildModel } from '../../../runtime/src/generator.js';
import { catalog, column, composite, domain, enumType, range, table, typeRef } from '../../support/catalog.js';

const extensions = [
  { name: 'vector', schema: 'ext', version: '1' },
  { name: 'citext', schema: 'ext', version: '1' },
];

/** GraphQL type, kind, cast and filter of a column of this type. */
function columnOf(type: Parameters<typeof column>[1], facts: Partial<Catalog> = {}) {
  const model = buildModel(catalog({ tables: [table('s.t', [column('c', type)])], ...facts }));
  const [only] = model.tables[0]?.columns ?? [];
  if (only === undefined) throw new Error('no column');
  const { name, depth } = only.graphql;
  const { kind, sql } = only.descriptor.type;
  const cast = [...(sql.schema === undefined ? [] : [sql.schema]), sql.name].join('.') + (sql.array ? '[]' : '');
  return { graphql: '['.repeat(depth) + name + ']'.repeat(depth), kind, cast, filter: only.filter };
}

describe('types (decision 002)', () => {
  it.each([
    ['int2', 'Int', 'int', 'IntFilterInput'],
    ['int4', 'Int', 'int', 'IntFilterInput'],
    ['int8', 'BigInt', 'bigint', 'BigIntFilterInput'],
    ['numeric', 'Numeric', 'numeric', 'NumericFilterInput'],
    ['money', 'Numeric', 'money', 'NumericFilterInput'],
    ['float4', 'Float', 'float', 'FloatFilterInput'],
    ['float8', 'Float', 'float', 'FloatFilterInput'],
    ['bool', 'Boolean', 'boolean', 'BooleanFilterInput'],
    ['text', 'String', 'text', 'StringFilterInput'],
    ['varchar', 'String', 'text', 'StringFilterInput'],
    ['bpchar', 'String', 'text', 'StringFilterInput'],
    ['name', 'String', 'text', 'StringFilterInput'],
    ['uuid', 'UUID', 'uuid', 'UUIDFilterInput'],
    ['date', 'Date', 'date', 'DateFilterInput'],
    ['time', 'Time', 'time', 'TimeFilterInput'],
    ['timetz', 'Time', 'time', 'TimeFilterInput'],
    ['timestamp', 'DateTime', 'timestamp', 'DateTimeFilterInput'],
    ['timestamptz', 'DateTime', 'timestamp', 'DateTimeFilterInput'],
    ['interval', 'Interval', 'interval', 'IntervalFilterInput'],
    ['json', 'JSON', 'json', 'JsonFilterInput'],
    ['jsonb', 'JSON', 'jsonb', 'JsonFilterInput'],
    ['bytea', 'Bytes', 'bytes', 'BytesFilterInput'],
    ['tsvector', 'Tsvector', 'tsvector', 'TsvectorFilterInput'],
    ['inet', 'String', 'other', 'OtherFilterInput'],
    ['bit', 'String', 'other', 'OtherFilterInput'],
    ['xml', 'String', 'other', 'OtherFilterInput'],
  ])('%s is %s', (name, graphql, kind, filter) => {
    expect(columnOf(name)).toEqual({ graphql, kind, cast: name, filter });
  });

  it('has lists for arrays, with a filter by scalar', () => {
    expect(columnOf('text[]')).toEqual({
      graphql: '[String]',
      kind: 'array',
      cast: 'text[]',
      filter: 'StringArrayFilterInput',
    });
  });

  it('knows vectors and their dimension only by the extension', () => {
    const type = typeRef('ext.vector', { modifier: 8 });
    expect(columnOf(type, { extensions })).toMatchObject({ graphql: 'Vector', kind: 'vector', cast: 'ext.vector' });
    expect(columnOf(type)).toMatchObject({ graphql: 'String', kind: 'other' });
    const model = buildModel(catalog({ tables: [table('s.t', [column('c', type)])], extensions }));
    expect(model.tables[0]?.descriptor.columns[0]?.type.dimension).toBe(8);
    expect([model.vector, buildModel(catalog({})).vector]).toEqual([true, false]);
  });

  it('reads citext as text', () => {
    expect(columnOf('ext.citext', { extensions })).toMatchObject({
      graphql: 'String',
      kind: 'text',
      cast: 'ext.citext',
    });
  });

  it('gives an enum column a filter of its own', () => {
    const enums = [enumType('s.mood', ['sad', 'ok'])];
    expect(columnOf(typeRef('s.mood', { kind: 'enum' }), { enums })).toEqual({
      graphql: 'SMood',
      kind: 'enum',
      cast: 's.mood',
      filter: 'STCFilterInput',
    });
    expect(columnOf(typeRef('s.mood[]', { kind: 'enum' }), { enums })).toMatchObject({
      graphql: '[SMood]',
      filter: 'STCFilterInput',
    });
  });

  it('reads an enum without labels and a composite without attributes as text', () => {
    expect(columnOf(typeRef('s.e', { kind: 'enum' }), { enums: [enumType('s.e', [])] })).toMatchObject({
      graphql: 'String',
      kind: 'other',
    });
    expect(columnOf(typeRef('s.c', { kind: 'composite' }), { composites: [composite('s.c', {})] })).toMatchObject({
      graphql: 'String',
      kind: 'other',
    });
  });

  it('sees through domains, and domains of domains', () => {
    const domains = [domain('s.email', 'text'), domain('s.work_email', typeRef('s.email', { kind: 'domain' }))];
    expect(columnOf(typeRef('s.work_email', { kind: 'domain' }), { domains })).toEqual({
      graphql: 'String',
      kind: 'text',
      cast: 'text',
      filter: 'StringFilterInput',
    });
  });

  it('casts an array of a domain to the domain, which PostgreSQL compares with nothing else', () => {
    const domains = [domain('s.positive', 'int4'), domain('s.list', 'int4[]')];
    expect(columnOf(typeRef('s.positive[]', { kind: 'domain' }), { domains })).toEqual({
      graphql: '[Int]',
      kind: 'array',
      cast: 's.positive[]',
      filter: 'IntArrayFilterInput',
    });
    expect(columnOf(typeRef('s.list', { kind: 'domain' }), { domains })).toMatchObject({
      graphql: '[Int]',
      cast: 'int4[]',
    });
    expect(columnOf(typeRef('s.list[]', { kind: 'domain' }), { domains })).toMatchObject({
      graphql: '[[Int]]',
      cast: 's.list[]',
    });
  });

  it('has objects for ranges, built in or not, and text for multiranges', () => {
    expect(columnOf(typeRef('tstzrange', { kind: 'range' }))).toEqual({
      graphql: 'DateTimeRange',
      kind: 'range',
      cast: 'tstzrange',
      filter: 'DateTimeRangeFilterInput',
    });
    const ranges = [range('s.floatrange', 'float8')];
    expect(columnOf(typeRef('s.floatrange', { kind: 'range' }), { ranges })).toMatchObject({
      graphql: 'FloatRange',
      cast: 's.floatrange',
    });
    expect(columnOf(typeRef('int4multirange', { kind: 'multirange' }))).toMatchObject({
      graphql: 'String',
      kind: 'other',
    });
  });

  it('has object and input types for composites, with what is in them', () => {
    const inner = typeRef('s.point', { kind: 'composite' });
    const composites = [composite('s.point', { x: 'int4' }), composite('s.line', { from: inner, label: 'text' })];
    const facts = { tables: [table('s.t', [column('c', typeRef('s.line', { kind: 'composite' }))])], composites };
    const model = buildModel(catalog(facts));
    expect(model.composites.map((each) => each.descriptor.type)).toEqual(['SLine', 'SPoint']);
    expect(model.composites[0]?.attributes.map((each) => [each.field, each.graphql.name, each.input.name])).toEqual([
      ['from', 'SPoint', 'SPointInput'],
      ['label', 'String', 'String'],
    ]);
  });

  it('makes a column of a NOT NULL domain non-null in a table, but not in a view', () => {
    const domains = [domain('s.required', 'text', { notNull: true, default: "'x'" })];
    const columns = [column('c', typeRef('s.required', { kind: 'domain' }), { nullable: true })];
    const view = table('s.v', columns, { kind: 'view', insertable: false, updatable: false, deletable: false });
    const model = buildModel(catalog({ tables: [table('s.t', columns), view], domains }));
    expect(model.tables.map((each) => each.columns[0]?.nullable)).toEqual([false, true]);
    expect(model.tables[0]?.descriptor.columns[0]?.hasDefault).toBe(true);
  });

  it('lists only what is in use', () => {
    const enums = [enumType('s.used', ['a']), enumType('s.unused', ['b'])];
    const model = buildModel(
      catalog({ tables: [table('s.t', [column('c', typeRef('s.used', { kind: 'enum' }))])], enums }),
    );
    expect(model.enums.map((each) => each.descriptor.name)).toEqual(['used']);
    expect(model.filters.map((each) => each.name)).toEqual(['IntFilterInput', 'STCFilterInput']);
  });
});
