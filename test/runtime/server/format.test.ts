import { join } from 'node:path';
import { createServer, ServerError, type GeneratedServer } from '../../../runtime/src/index.js';
import { runProgram } from '../../support/program.js';

const checkout = join(import.meta.dirname, '../../..');

const generated: GeneratedServer = {
  format: 1,
  descriptors: { tables: [] },
  resolvers: [],
  routes: [],
  settings: {},
  openapi: new URL('file:///unused'),
  fingerprint: '',
};

/** Code generated in another format; `undefined` means code from before formats existed. */
const ofFormat = (format: unknown): GeneratedServer => Object.assign({}, generated, { format });

describe('code that was generated for another runtime', () => {
  test.each([
    [2, 'The code in src/generated has format 2; @tablewright/runtime 0.1.0 serves format 1.'],
    [undefined, 'has no format, as code of before format 1; @tablewright/runtime 0.1.0 serves format 1.'],
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
});
