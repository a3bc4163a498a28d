import type { Catalog, Routine, RoutineArgument, Table } from '../../../runtime/src/catalog/catalog.js';
import { buildModel, compareModels, type ModelOptions } from '../../../runtime/src/generator.js';
import {
  argument,
  catalog,
  column,
  composite,
  enumType,
  foreignKey,
  primaryKey,
  routine,
  table,
  typeRef,
  unique,
} from '../../support/catalog.js';

const id = column('id', 'int4');
const base = table('s.t', [id, column('name')], { primaryKey: primaryKey('id') });
const withColumns = (...columns: Table['columns']): Table => ({ ...base, columns });

function changes(before: Partial<Catalog>, after: Partial<Catalog>, options: ModelOptions = {}): readonly string[] {
  const models = [before, after].map((facts) => buildModel(catalog(facts), options));
  const [old, now] = models;
  if (old === undefined || now === undefined) throw new Error('two models');
  return compareModels(old, now).map((change) => `${change.type}${change.breaking ? '!' : ''}`);
}

const tables = (before: Table, after: Table) => changes({ tables: [before] }, { tables: [after] });

describe('compareModels: what a change means to clients', () => {
  it('finds nothing where nothing has changed', () => {
    expect(tables(base, base)).toEqual([]);
  });

  it('knows tables', () => {
    expect(changes({ tables: [base] }, {})).toEqual(['TABLE_REMOVED!']);
    expect(changes({}, { tables: [base] })).toEqual(['TABLE_ADDED']);
    expect(tables(base, { ...base, insertable: false })).toEqual(['WRITE_REMOVED!']);
    expect(tables({ ...base, deletable: false }, base)).toEqual(['WRITE_ADDED']);
    expect(tables(base, { ...base, primaryKey: primaryKey('name') })).toEqual(['PRIMARY_KEY_CHANGED!']);
    expect(tables({ ...base, primaryKey: null }, base)).toEqual(['PRIMARY_KEY_CHANGED']);
  });

  it('knows names of tables, which may change because of another', () => {
    const facts = { tables: [table('s.foo_1', [id])] };
    const more = { tables: [...facts.tables, table('s.foo1', [id])] };
    expect(changes(facts, more)).toEqual(['TABLE_RENAMED!', 'TABLE_RENAMED!', 'TABLE_ADDED']);
  });

  it('knows columns', () => {
    expect(tables(base, withColumns(id))).toEqual(['COLUMN_REMOVED!']);
    const more = (facts: Partial<typeof id>) => withColumns(id, column('name'), column('more', 'text', facts));
    expect(tables(base, more({ nullable: true }))).toEqual(['COLUMN_ADDED']);
    expect(tables(base, more({ default: "''" }))).toEqual(['COLUMN_ADDED']);
    expect(tables(base, more({}))).toEqual(['REQUIRED_COLUMN_ADDED!']);
    expect(tables(base, withColumns(id, column('name', 'int4')))).toEqual(['COLUMN_TYPE_CHANGED!']);
    expect(tables(base, withColumns(id, column('name', 'text', { nullable: true })))).toEqual([
      'COLUMN_BECAME_NULLABLE!',
    ]);
    expect(tables(withColumns(id, column('name', 'text', { nullable: true })), base)).toEqual([
      'COLUMN_BECAME_NOT_NULL',
      'COLUMN_BECAME_REQUIRED!',
    ]);
  });

  it('knows columns that an index makes searchable', () => {
    const text = { ...typeRef('mysql.text'), searchable: true } as const;
    const [plain, indexed] = [typeRef('mysql.text'), text].map((type) => ({
      dialect: 'mysql' as const,
      tables: [withColumns(column('id', typeRef('mysql.int')), column('name', type))],
    }));
    expect(changes(plain ?? {}, indexed ?? {})).toEqual(['COLUMN_BECAME_SEARCHABLE']);
    expect(changes(indexed ?? {}, plain ?? {})).toEqual(['COLUMN_BECAME_UNSEARCHABLE!']);
  });

  it('knows what those who write have to give, and may give', () => {
    const name = (facts: Partial<typeof id>) => withColumns(id, column('name', 'text', facts));
    expect(tables(name({ default: "''" }), base)).toEqual(['COLUMN_BECAME_REQUIRED!']);
    expect(tables(base, name({ default: "''" }))).toEqual([]);
    expect(tables(base, name({ generated: 'stored', default: 'now()' }))).toEqual(['COLUMN_BECAME_READ_ONLY!']);
    expect(tables(base, { ...base, routingColumns: ['name'] })).toEqual(['COLUMN_BECAME_READ_ONLY!']);
    expect(tables({ ...base, routingColumns: ['name'] }, base)).toEqual([]);
    const readOnly = { ...base, insertable: false };
    expect(tables({ ...readOnly, columns: name({ default: "''" }).columns }, readOnly)).toEqual([]);
  });

  it('knows the unique keys that onConflict names', () => {
    const keyed = { ...base, uniques: [unique('t_name_key', ['name'])] };
    expect(tables(base, keyed)).toEqual(['CONSTRAINT_ADDED']);
    expect(tables(keyed, base)).toEqual(['CONSTRAINT_REMOVED!']);
  });

  it('does not report what no client sees', () => {
    expect(tables(base, withColumns(column('name', 'varchar'), id))).toEqual([]);
    expect(tables(base, { ...base, comment: 'Said differently.' })).toEqual([]);
  });

  it('knows relations', () => {
    const parent = table('s.p', [id], { primaryKey: primaryKey('id') });
    const child = (facts: Partial<Table>) => table('s.c', [id, column('p_id', 'int4')], facts);
    const key = [foreignKey('fk', ['p_id'], 's.p', ['id'])];
    const without = { tables: [parent, child({})] };
    const many = { tables: [parent, child({ foreignKeys: key })] };
    const one = {
      tables: [
        parent,
        child({
          foreignKeys: key,
          uniques: [{ name: 'u', columns: ['p_id'], nullsNotDistinct: false, deferrable: false }],
        }),
      ],
    };
    expect(changes(without, many)).toEqual(['RELATION_ADDED', 'RELATION_ADDED']);
    expect(changes(many, without)).toEqual(['RELATION_REMOVED!', 'RELATION_REMOVED!']);
    expect(changes(many, one)).toEqual(['CONSTRAINT_ADDED', 'RELATION_CHANGED!']);
  });

  it('knows enums and composites', () => {
    const mood = column('m', typeRef('s.mood', { kind: 'enum' }));
    const enums = (...labels: readonly string[]) => ({
      tables: [withColumns(mood)],
      enums: [enumType('s.mood', labels)],
    });
    expect(changes(enums('a'), enums('a', 'b'))).toEqual(['ENUM_VALUE_ADDED']);
    expect(changes(enums('a', 'b'), enums('b'))).toEqual(['ENUM_VALUE_REMOVED!']);
    const point = column('p', typeRef('s.point', { kind: 'composite' }));
    const points = (attributes: Readonly<Record<string, string>>) => ({
      tables: [withColumns(point)],
      composites: [composite('s.point', attributes)],
    });
    expect(changes(points({ x: 'int4' }), points({ x: 'int4', y: 'int4' }))).toEqual(['ATTRIBUTE_ADDED']);
    expect(changes(points({ x: 'int4' }), points({ y: 'int4' }))).toEqual(['ATTRIBUTE_REMOVED!', 'ATTRIBUTE_ADDED']);
    expect(changes(points({ x: 'int4' }), points({ x: 'text' }))).toEqual(['ATTRIBUTE_TYPE_CHANGED!']);
  });

  it('knows procedures and computed fields', () => {
    const procedure = (type: string) => ({ routines: [routine('s.p', { arguments: [argument('a', type)] })] });
    expect(changes(procedure('int4'), {})).toEqual(['PROCEDURE_REMOVED!']);
    expect(changes({}, procedure('int4'))).toEqual(['PROCEDURE_ADDED']);
    expect(changes(procedure('int4'), procedure('text'))).toEqual(['PROCEDURE_CHANGED!']);
    const row = typeRef('s.t', { kind: 'composite' });
    const field = (returns: string) => ({
      tables: [base],
      routines: [
        routine('s.t_f', {
          kind: 'function',
          volatility: 'stable',
          arguments: [argument('t', row)],
          returns: typeRef(returns),
        }),
      ],
    });
    expect(changes({ tables: [base] }, field('text'))).toEqual(['COMPUTED_FIELD_ADDED']);
    expect(changes(field('text'), { tables: [base] })).toEqual(['COMPUTED_FIELD_REMOVED!']);
    expect(changes(field('text'), field('int4'))).toEqual(['COMPUTED_FIELD_CHANGED!']);
  });

  it('knows the arguments of functions: those with a default break nobody', () => {
    const called = (...given: readonly RoutineArgument[]) =>
      routine('s.f', { kind: 'function', volatility: 'stable', arguments: given, returns: typeRef('text') });
    const optional = (name: string): RoutineArgument => ({ ...argument(name, 'text'), hasDefault: true });
    const a = argument('a', 'text');
    const between = (before: readonly Routine[], after: readonly Routine[]) =>
      changes({ routines: before }, { routines: after }, { functions: ['s.*'] });
    expect(between([], [called(a)])).toEqual(['FUNCTION_ADDED']);
    expect(between([called(a)], [])).toEqual(['FUNCTION_REMOVED!']);
    expect(between([called(a)], [called(a)])).toEqual([]);
    expect(between([called(a)], [called(a, optional('b'))])).toEqual(['FUNCTION_ARGUMENT_ADDED']);
    expect(between([called(a)], [called(a, argument('b', 'text'))])).toEqual(['FUNCTION_ARGUMENT_REQUIRED!']);
    expect(between([called(optional('a'))], [called(a)])).toEqual(['FUNCTION_ARGUMENT_REQUIRED!']);
    expect(between([called(a)], [called(argument('b', 'text'))])).toEqual([
      'FUNCTION_CHANGED!',
      'FUNCTION_ARGUMENT_REQUIRED!',
    ]);
    expect(between([called(a)], [called(argument('a', 'int4'))])).toEqual(['FUNCTION_CHANGED!']);
    expect(between([called(a)], [{ ...called(a), returns: typeRef('int4') }])).toEqual(['FUNCTION_CHANGED!']);
    expect(between([called(a)], [{ ...called(a), volatility: 'volatile' }])).toEqual([
      'FUNCTION_REMOVED!',
      'FUNCTION_ADDED',
    ]);
  });

  it('knows the arguments of computed fields', () => {
    const field = (...given: readonly RoutineArgument[]) => ({
      tables: [base],
      routines: [
        routine('s.t_f', {
          kind: 'function',
          volatility: 'stable',
          arguments: [argument('t', typeRef('s.t', { kind: 'composite' })), ...given],
          returns: typeRef('text'),
        }),
      ],
    });
    const optional = { ...argument('b', 'text'), hasDefault: true };
    expect(changes(field(), field(optional))).toEqual(['COMPUTED_FIELD_ARGUMENT_ADDED']);
    expect(changes(field(), field(argument('b', 'text')))).toEqual(['COMPUTED_FIELD_ARGUMENT_REQUIRED!']);
    expect(changes(field(optional), field())).toEqual(['COMPUTED_FIELD_CHANGED!']);
  });

  it('says what has changed in words', () => {
    const [change] = compareModels(
      buildModel(catalog({ tables: [base] })),
      buildModel(catalog({ tables: [withColumns(id)] })),
    );
    expect(change).toEqual({
      type: 'COLUMN_REMOVED',
      breaking: true,
      description: 'The column s.t.name is gone.',
      subject: { kind: 'column', object: 's.t', member: 'name' },
    });
  });
});
