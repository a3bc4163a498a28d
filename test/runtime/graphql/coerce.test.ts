import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Kind, buildSchema, getVariableValues, parse, type OperationDefinitionNode } from 'graphql';
import { createCoercion } from '../../../runtime/src/request/graphql/document/coerce.js';
import type { Variables } from '../../../runtime/src/request/graphql/arguments/argument-value.js';
import { inGivenOrder, variableTypesOf } from '../../../runtime/src/request/graphql/document/variables.js';

const schema = buildSchema(`
  enum Colour { red green }
  input Row { id: Int!, name: String, colour: Colour, size: Float = 1.5, tags: [String!], constructor: ID, inside: Row, rows: [Row!] }
  input Either @oneOf { id: Int, name: String }
  type Query { rows: Int }
`);

function operationOf(text: string): OperationDefinitionNode {
  const [node] = parse(text).definitions;
  if (node?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError('no operation');
  return node;
}

const operation = operationOf(
  'query ($rows: [Row!]!, $one: Row, $n: Int = 7, $colour: Colour, $grid: [[Int]]) { rows }',
);
const types = variableTypesOf(schema, operation);
const coerce = createCoercion(operation, types);

/**
 * The result of graphql-js, with the keys in the client's order; undefined when it reports errors.
 */
function byGraphql(given: Variables): Variables | undefined {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  if (coerced === undefined) return undefined;
  const entries = Object.entries(coerced).map(([name, value]) => {
    const type = types.get(name);
    return [name, type === undefined ? value : inGivenOrder(value, given[name], type)] as const;
  });
  return Object.fromEntries(entries);
}

/** Mostly values of the type, sometimes other values. */
const mostly = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary }, fc.constantFrom<unknown>(1, 2.5, 3e10, '', 'blue', true, null, [], {}));

const rowWith = (inside: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> =>
  mostly(
    fc
      .record(
        {
          name: mostly(fc.constantFrom('a', null)),
          colour: mostly(fc.constantFrom('red', 'green', null)),
          id: mostly(fc.integer({ min: -5, max: 5 })),
          size: mostly(fc.double({ noNaN: true, noDefaultInfinity: true })),
          constructor: mostly(fc.constantFrom(1, 'id', null)),
          tags: mostly(fc.oneof(fc.constant('a'), fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }))),
          ...inside,
        },
        { requiredKeys: ['id'] },
      )
      // Records of fast-check have a prototype, in which graphql-js would find `constructor`. The
      // copy has none.
      .map((given) => Object.assign(Object.create(null) as object, given)),
  );
const leafRow = rowWith({});
const row = rowWith({ inside: leafRow, rows: fc.oneof(leafRow, fc.array(leafRow, { maxLength: 2 })) });
const variables = fc.record(
  {
    rows: fc.oneof(fc.array(row, { maxLength: 3 }), row),
    one: fc.option(row),
    n: mostly(fc.constantFrom(1, null)),
    colour: mostly(fc.constantFrom('green', null)),
    grid: mostly(fc.constantFrom([[1, null], null], [1], 1, null)),
  },
  { requiredKeys: ['rows'] },
);

test('variables are coerced as by graphql-js, but for their keys, which stay in order', () => {
  let accepted = 0;
  fc.assert(
    fc.property(variables, (given) => {
      const expected = byGraphql(given);
      const found = coerce(given);
      if (expected !== undefined) accepted += 1;
      expect(found).toEqual(expected);
      expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
    }),
    { numRuns: 1000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

test('what stays as it is, is not copied; what a default changes is', () => {
  const rows = [{ size: 2, id: 1 }];
  expect(coerce({ rows })?.['rows']).toBe(rows);
  const without = [{ id: 1 }];
  expect(coerce({ rows: without })).toEqual({ rows: [{ id: 1, size: 1.5 }], n: 7 });
  expect(without).toEqual([{ id: 1 }]);
});

test.each([
  ['a variable that has to be given', {}],
  ['null where there has to be a value', { rows: null }],
  ['a field that has to be given', { rows: [{}] }],
  ['undefined, which is no JSON', { rows: [{ id: 1, name: undefined }] }],
  ['a set, which graphql-js takes for a list', { rows: new Set([{ id: 1 }]) }],
  ['a name that every object inherits', { rows: [{ id: 1, toString: 1 }] }],
])('%s is left to graphql-js', (_what, given) => {
  expect(coerce(given)).toBeUndefined();
});

test('an input that takes one of its fields is left to graphql-js', () => {
  const either = operationOf('query ($either: Either) { rows }');
  expect(createCoercion(either, variableTypesOf(schema, either))({ either: { id: 1 } })).toBeUndefined();
});
