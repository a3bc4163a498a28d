import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, treeOf } from '../support/folders.js';
import { describeOnTerminal, onTerminal as runOnTerminal, type OnTerminal } from '../support/on-terminal.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterEach(() => remove());

const onTerminal = (
  args: readonly string[],
  answers: readonly (readonly [question: string, typed: string])[],
  env?: Readonly<Record<string, string>>,
): Promise<OnTerminal> => runOnTerminal(folder, args, answers, env);

describeOnTerminal('on a terminal', () => {
  test('init asks for what no flag gave', async () => {
    const { code, output } = await onTerminal(
      ['init'],
      [
        ['Folder of the project (.): ', 'server\n'],
        ['Database schemas, comma-separated (all): ', 'kanban, shop\n'],
        ['or short (issues, storyPoints) (contract): ', 'tall\n'],
        ['or short (issues, storyPoints) (contract): ', 'short\n'],
      ],
    );
    expect(code).toBe(0);
    expect(output).toContain('server written: ');
    const config = await readFile(join(folder, 'server', 'tablewright.config.ts'), 'utf8');
    expect(config).toContain("schemas: ['kanban', 'shop']");
    expect(config).toContain("names: { schemaPrefix: 'several', columns: 'camel', relations: 'simple' }");
  });

  test('an empty answer is the default, a flag is an answer', async () => {
    const { code, output } = await onTerminal(
      ['init', '--out', 'server'],
      [
        ['comma-separated (all): ', '\n'],
        ['(contract): ', '\n'],
      ],
    );
    expect(code).toBe(0);
    expect(output).not.toContain('Folder of the project');
    const config = await readFile(join(folder, 'server', 'tablewright.config.ts'), 'utf8');
    expect(config).not.toContain('schemas');
    expect(config).not.toContain('names');
  });

  test('a flag says how names are made', async () => {
    const flags = ['--names', 'short', '--schemas', 'kanban'];
    const { code, output } = await onTerminal(['init', '--out', 'server', ...flags], []);
    expect(code).toBe(0);
    expect(output).not.toContain('(contract)');
    const config = await readFile(join(folder, 'server', 'tablewright.config.ts'), 'utf8');
    expect(config).toContain("names: { schemaPrefix: 'several', columns: 'camel', relations: 'simple' }");
  });

  test('--yes asks nothing', async () => {
    const { code, output } = await onTerminal(['init', '--yes'], []);
    expect(code).toBe(0);
    expect(output).not.toContain('?');
    expect(output).not.toContain('(all)');
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['the end of input', '\u0004'],
  ])('%s at a question: 130, nothing written', async (_what, typed) => {
    const { code, output } = await onTerminal(['init'], [['Folder of the project (.): ', typed]]);
    expect(code).toBe(130);
    expect(output).toContain('error INTERRUPTED');
    expect(await treeOf(folder)).toEqual({});
  });

  describe('generate', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase('cli_tty');
      await loadSql(database.url, 'create table things (id int primary key)');
    });
    afterAll(() => database.drop());

    test('shows each stage with its time, and colours', async () => {
      const args = ['generate', '--url', database.url, '--out', 'server'];
      const plain = await onTerminal(args, []);
      expect(plain.code).toBe(0);
      expect(plain.output).toMatch(/✔ Read the database \d+\.\d\d s\n/);
      expect(plain.output).toContain('server written: 1 table');
      const colored = await onTerminal(args, [], { NO_COLOR: '' });
      expect(colored.output).toContain('\u001b[32m✔\u001b[39m Read the database');
    });
  });
});
