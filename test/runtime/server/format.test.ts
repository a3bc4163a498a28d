import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatOf, generatedFormat, ruledFormat } from '../../../runtime/src/descriptor/generated.js';
import { createServer, ServerError, type GeneratedServer } from '../../../runtime/src/index.js';
import { runProgram } from '../../support/program.js';

const checkout = join(import.meta.dirname, '../../..');
const manifest = readFileSync(join(checkout, 'runtime/package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { readonly version: string };

const generated: GeneratedServer = {
  format: generatedFormat,
  descriptors: { tables: [] },
  resolvers: [],
  routes: [],
  settings: {},
  openapi: new URL('file:///unused'),
  fingerprint: '',
};

/** Code generated in another format; `undefined` means code from before formats existed. */
const ofFormat = (format: unknown): GeneratedServer => Object.assign({}, generated, { format });

test('code with rules has a format that a runtime of before rules refuses', async () => {
  expect([formatOf({}), formatOf({ rules: {} })]).toEqual([generatedFormat, ruledFormat]);
  const served = createServer({ generated: ofFormat(ruledFormat), environment: {} }).listen({ ownsProcess: false });
  // It fails later: there is no database.
  await expect(served).rejects.toMatchObject({ message: expect.not.stringContaining('format') as string });
});

describe('code that was generated for another runtime', () => {
  test.each([
    [1, `The code in src/generated has format 1; @tablewright/runtime ${version} serves the formats 2 and 3.`],
    [4, `The code in src/generated has format 4; @tablewright/runtime ${version} serves the formats 2 and 3.`],
    [
      undefined,
      `has no format, like code older than format 1; @tablewright/runtime ${version} serves the formats 2 and 3.`,
    ],
    ['1', 'has no format'],
  ])('of format %j is refused before anything is served, with what to do', async (format, message) => {
    const starting = createServer({ generated: ofFormat(format), environment: {} }).listen({ ownsProcess: false });
    await expect(starting).rejects.toMatchObject({
      name: ServerError.name,
      status: 500,
      code: 'TW018',
      message: expect.stringContaining(message) as string,
      hint: expect.stringContaining('npx tablewright generate') as string,
    });
  });

  test('ends the process that it was to serve in, with a sentence and no stack', async () => {
    const program = `import { createServer } from '@tablewright/runtime';
      await createServer({ generated: { settings: {}, descriptors: { tables: [] }, resolvers: [], routes: [] } }).listen();`;
    const { code, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', program], {
      cwd: checkout,
      env: { NODE_OPTIONS: '' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The server cannot start: The code in src\/generated has no format, .* \(TW018\)\n {2}Generate/,
    );
    expect(stderr).not.toContain('    at ');
  });

  test('with the decorators of format 1 loads, so that the server can say so', async () => {
    const { code, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', decorated], {
      cwd: checkout,
      env: { NODE_OPTIONS: '' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The server cannot start: The code in src\/generated has format 1; .* \(TW018\)\n {2}Generate/,
    );
    expect(stderr).not.toContain('    at ');
  });
});

/** As the compiler writes a table of format 1. */
const decorated = `
  import '@tablewright/runtime/setup';
  import { createServer } from '@tablewright/runtime';
  import * as tw from '@tablewright/runtime/schema';
  import { Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
  const table = {
    field: 'notes', type: 'Notes', schema: 'public', name: 'notes', kind: 'table',
    columns: [{ name: 'id', type: tw.int4 }],
  };
  const IntFilterInput = tw.filterInput('IntFilterInput', tw.int4);
  class Notes {}
  Field(() => Int)(Notes.prototype, 'id');
  tw.Rows(() => Notes)(Notes.prototype, 'notes');
  tw.AggregateOf(() => Notes)(Notes.prototype, 'notesAggregate');
  ObjectType({ simpleResolvers: true })(tw.ComputedArguments(table)(Notes) ?? Notes);
  const { Connection } = tw.tableTypes(table, {});
  class NotesResolver { notesConnection() {} }
  Query(() => Connection)(NotesResolver.prototype, 'notesConnection', {});
  Resolver(() => Notes)(tw.RootArguments(table, {})(NotesResolver) ?? NotesResolver);
  tw.FunctionArguments([])(NotesResolver);
  const descriptors = { tables: [table] };
  await createServer({ generated: { format: 1, settings: {}, descriptors, resolvers: [NotesResolver], routes: [] } }).listen();
`;
