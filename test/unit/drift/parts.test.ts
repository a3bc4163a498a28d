import { describe, expect, test } from '@jest/globals';
import { GraphQLEnumType, printSchema, type GraphQLSchema } from 'graphql';
import { joinParts, partsOf, type Joined } from '../../../runtime/src/drift/parts.js';
import { buildModel } from '../../../runtime/src/generator.js';
import { typeNames as listedNames } from '../../../runtime/src/schema/list-types.js';
import { buildTypes } from '../../../runtime/src/schema/build.js';
import { sourceOfModel } from '../../../runtime/src/model/schema-source.js';
import { LazySchema } from '../../../runtime/src/schema/lazy-schema.js';
import { typeNames, type TypeNames } from '../../../runtime/src/schema/declare.js';
import { catalog, column, enumType, foreignKey, primaryKey, table, typeRef } from '../../support/catalog.js';

const tables = Array.from({ length: 25 }, (_, at) =>
  table(
    `s.t${String(at)}`,
    [column('id', 'int4'), column('mood', typeRef('s.mood', { kind: 'enum' })), column('other', 'int4')],
    {
      primaryKey: primaryKey('id'),
      foreignKeys: [foreignKey(`t${String(at)}_fkey`, ['other'], 's.t0', ['id'])],
    },
  ),
);
const model = buildModel(catalog({ tables, enums: [enumType('s.mood', ['good', 'bad'])] }), {
  exclude: ['s.nothing'],
});

const source = sourceOfModel(model);

/** The parts, joined as in another thread. */
function received(whole: Joined): Joined & { readonly slices: number } {
  const waiting = [...partsOf(whole)].map((part) => structuredClone(part));
  const joining = joinParts(() => waiting.shift());
  for (let slices = 0; ; slices += 1) {
    const step = joining.next();
    if (step.done === true) return { ...step.value, slices };
  }
}

describe('what is derived goes to another thread in parts', () => {
  test('and is the same there, with what tables and columns have in common', () => {
    const guarded = { shape: '{}', exchanges: [{ message: 'a is b now.', withheld: ['b'] }] };
    const { changed, slices, ...rest } = received({
      fingerprint: 'f',
      served: 'e',
      changed: { model, names: typeNames(source) },
      guarded,
    });
    expect(rest).toEqual({ fingerprint: 'f', served: 'e', guarded });
    expect(received({ fingerprint: 'f', served: 'f', changed: undefined, guarded })).toMatchObject({ guarded });
    expect(changed).toEqual({ model, names: typeNames(source) });
    expect(slices).toBeGreaterThan(5);
    const [first] = changed?.model.tables ?? [];
    expect(first?.columns[0]?.descriptor).toBe(first?.descriptor.columns[0]);
  });

  test('where nothing has changed, there is no model', () => {
    expect(received({ fingerprint: 'f', served: 'f', changed: undefined })).toEqual({
      fingerprint: 'f',
      served: 'f',
      changed: undefined,
      slices: 0,
    });
  });
});

test('with the names of the types, those of a table are declared when one of them is asked for', () => {
  const schemaWith = (names?: TypeNames): GraphQLSchema => {
    const building = buildTypes(source, false, names);
    for (;;) {
      const step = building.next();
      if (step.done === true) return new LazySchema(step.value);
    }
  };
  const [eager, lazy] = [schemaWith(), schemaWith(typeNames(source))];
  expect([...listedNames(lazy)].sort()).toEqual([...listedNames(eager)].sort());
  expect(lazy.getType('ST3WhereInput')?.toString()).toBe('ST3WhereInput');
  expect(lazy.getType('ST3Column')).toBeInstanceOf(GraphQLEnumType);
  expect(lazy.getType('Nothing')).toBeUndefined();
  expect(printSchema(lazy)).toBe(printSchema(eager));
});
