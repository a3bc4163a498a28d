import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { format, resolveConfig } from 'prettier';
import { createProgram } from '../../../src/cli/program.js';
import type { Session } from '../../../src/cli/session.js';
import { createTerminal } from '../../../src/cli/terminal.js';
import { ownPackage } from '../../../src/package.js';
import { codes } from '../../../runtime/src/errors.js';

const { folder } = ownPackage();
const path = join(folder, 'docs', 'cli.md');

const introduction = `# Commands

<!-- Made from the commands' own help: run \`UPDATE_DOCS=1 npm test\` after changing them. -->

These commands take a project from an empty folder to a server, and check it in a pipeline:

\`\`\`sh
export DATABASE_URL=postgres://me@localhost/shop
npx tablewright generate --out server
npx tablewright dev --out server
npx tablewright check --out server
\`\`\`
`;

const conventions = `
\`check\` fails when a generated file was edited by hand, when it was not generated again, or when the database has changed; \`check --offline\` checks
the first two without a database.

## Output and exit codes

Data goes to standard output; progress, warnings and errors go to standard error, so every command can be piped. Progress is shown when
standard error is a terminal. Colours are for terminals; \`NO_COLOR\` turns them off, \`FORCE_COLOR\` on. With \`--json\` a command prints
exactly one JSON document; an error then is \`{"error": {"code", "message", "hint"}}\`. [errors.md](errors.md) lists the codes.

| exit code | meaning |
| --------- | ------- |
| 0 | done; \`check\` and \`diff\`: nothing differs; \`dev\`, \`demo\` and \`--watch\`: ended by Ctrl-C |
| 1 | an error; nothing was written |
| 2 | \`check\` and \`diff\`: the generated files are out of date; \`doctor\`: there are findings |
| 3 | \`check\` and \`diff\`: they are out of date, and clients of the API may break |
| 130 | interrupted; nothing was written |
`;

const commonOptions = `
## Options of most commands

A section below names those that its command does not take. \`npx tablewright help COMMAND\` prints all of one command.

`;

function program(): Promise<Command> {
  const silent = { write: (): boolean => true };
  const session: Session = {
    folder: '.',
    environment: {},
    terminal: createTerminal(silent, silent, {}),
    signal: new AbortController().signal,
    interactive: false,
    exitCode: 0,
  };
  return createProgram(session, []);
}

/** The help, including the text of `addHelpText`, at a width of 100. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return text.trimEnd();
}

/** The lines below a heading of the help, without their indentation. */
const linesBelow = (help: string, heading: string): readonly string[] =>
  (help.split(`\n${heading}:\n`)[1]?.split('\n\n')[0] ?? '').split('\n').map((line) => line.trim());

interface DocumentedOption {
  readonly term: string;
  readonly row: string;
}

const optionsOf = (command: Command): readonly DocumentedOption[] => {
  const help = command.createHelp();
  return help.visibleOptions(command).map((option) => {
    const cells = [`\`${help.optionTerm(option)}\``, help.optionDescription(option)];
    return { term: help.optionTerm(option), row: `| ${cells.join(' | ').replaceAll('*', '\\*')} |\n` };
  });
};

const optionHead = '| option | effect |\n| --- | --- |\n';

test('docs/cli.md says what the commands say of themselves', async () => {
  const { commands } = await program();
  const counts = new Map<string, number>();
  for (const { row } of commands.flatMap(optionsOf)) counts.set(row, (counts.get(row) ?? 0) + 1);
  // Options of most commands stand once, in a table of their own.
  const isShared = ({ row }: DocumentedOption): boolean => (counts.get(row) ?? 0) > commands.length / 2;
  const shared = new Set(
    commands
      .flatMap(optionsOf)
      .filter(isShared)
      .map(({ row }) => row),
  );
  const everyTerm = new Set(
    commands
      .flatMap(optionsOf)
      .filter(isShared)
      .map(({ term }) => term),
  );
  const sections = commands.map((command) => {
    const options = optionsOf(command);
    const own = options.filter((option) => !isShared(option)).map(({ row }) => row);
    const absent = [...everyTerm].filter((term) => !options.some((option) => option.term === term));
    const text = helpOf(command);
    const exits = linesBelow(text, 'Exit codes').map((line) => line.replace(/^(\d+) +/, '$1 '));
    return [
      `\n## ${command.name()}\n\n\`\`\`sh\n${linesBelow(text, 'Examples').join('\n')}\n\`\`\`\n\n`,
      own.length === 0 ? '' : `${optionHead}${own.join('')}\n`,
      absent.length === 0 ? '' : `Without ${absent.map((term) => `\`${term}\``).join(', ')}. `,
      `Exit codes: ${exits.join(' · ')}.\n`,
    ].join('');
  });
  const options = { ...(await resolveConfig(path)), filepath: path };
  const list = commands.map(
    (command) => `| [\`${command.name()}\`](#${command.name()}) | ${command.description()} |\n`,
  );
  const table = ['\n| command | effect |\n| --- | --- |\n', ...list];
  const text = await format(
    [introduction, ...table, conventions, commonOptions, optionHead, ...shared, ...sections].join(''),
    options,
  );
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, text);
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('the help of every command shows an example and its exit codes', async () => {
  const { commands } = await program();
  for (const command of commands) {
    const help = helpOf(command);
    expect(help).toContain(`\n  tablewright ${command.name()}`);
    expect(help).toContain('Exit codes:\n  0 ');
    expect(help).toContain('--json');
  }
});

test('docs/errors.md knows every code', async () => {
  const source = await readFile(join(folder, 'runtime', 'src', 'tablewright-error.ts'), 'utf8');
  const own = [...source.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map(([, code]) => code ?? '');
  const documented = [...(await readFile(join(folder, 'docs', 'errors.md'), 'utf8')).matchAll(/^\| `([A-Z0-9_]+)`/gm)];
  const graphql = ['BAD_REQUEST', 'UNAUTHENTICATED', 'FORBIDDEN'];
  expect(documented.map(([, code]) => code)).toEqual([...own, ...Object.values(codes), ...graphql]);
});
