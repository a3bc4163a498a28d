import { afterEach, expect, jest, test } from '@jest/globals';
import { executeSync, GraphQLSchema, parse } from 'graphql';
import { Introspector, standardQuery } from '../../../runtime/src/endpoint/graphql/introspector.js';
import { createCompiler } from '../../../runtime/src/request/graphql/compile.js';
import type { IntrospectedField } from '../../../runtime/src/request/graphql/query/introspected-field.js';
import { LazySchema } from '../../../runtime/src/schema/lazy-schema.js';
import { schemaOf, typesOf } from '../../support/live-schema.js';
import { board, boardRegistry } from '../../support/registry.js';
import { settingsWith } from '../../support/settings.js';

/** Counts how often the schema is built again. */
class Watched extends LazySchema {
  built = 0;
  override *again(): Generator<undefined, LazySchema> {
    this.built += 1;
    return yield* super.again();
  }
}

const types = typesOf(board.model);
const served = new Watched(types);
const compile = createCompiler(served, boardRegistry, settingsWith());

function fieldsOf(query: string): readonly IntrospectedField[] {
  const compiled = compile({ query });
  if ('errors' in compiled) throw new Error(String(compiled.errors[0]));
  return compiled.introspect(compiled.build().introspected);
}

const introspector = new Introspector(served, settingsWith(), () => fieldsOf(standardQuery));
const answer = async (query: string): Promise<string> => String((await introspector.answer(fieldsOf(query))).body);

afterEach(() => {
  jest.useRealTimers();
});

test('introspection reads a schema of its own, and gives it up five minutes after the last answer', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'nextTick', 'queueMicrotask'] });
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const makesTypes = jest.spyOn(types.types, 'typeOf');
  const first = await answer(standardQuery);
  expect(JSON.parse(first)).toEqual(
    JSON.parse(JSON.stringify(executeSync({ schema: schemaOf(board), document: parse(standardQuery) }))),
  );
  expect(makesTypes).not.toHaveBeenCalled();
  expect(served.built).toBe(1);

  await jest.advanceTimersByTimeAsync(4 * 60_000);
  await answer('{ __type(name: "Query") { name possibleTypes { name } } }');
  expect(served.built).toBe(1);
  await jest.advanceTimersByTimeAsync(4 * 60_000);
  expect(await answer(standardQuery)).toBe(first);
  expect(served.built).toBe(1);

  await jest.advanceTimersByTimeAsync(5 * 60_000);
  expect(await answer(standardQuery)).toBe(first);
  expect(served.built).toBe(2);
  // Each answer has set one, which the next answer cleared, or which has ended it.
  expect(timers.mock.calls.filter(([, milliseconds]) => milliseconds === 5 * 60_000)).toHaveLength(4);
  // While its timers are there: later it would put them back.
  timers.mockRestore();
  await jest.advanceTimersByTimeAsync(5 * 60_000);
  await answer(standardQuery);
  expect(served.built).toBe(3);
});

test('interfaces name the rows that implement them', async () => {
  const implementing = JSON.parse(await answer('{ __type(name: "Node") { possibleTypes { name } } }')) as unknown;
  const expected = executeSync({
    schema: new GraphQLSchema(schemaOf(board).toConfig()),
    document: parse('{ __type(name: "Node") { possibleTypes { name } } }'),
  });
  expect(implementing).toEqual(JSON.parse(JSON.stringify(expected)));
});
