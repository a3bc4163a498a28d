import { CommanderError } from 'commander';
import { reportFailure } from '../../../src/cli/failure.js';
import { createProgress } from '../../../src/cli/progress.js';
import { printable, renderTable } from '../../../src/cli/table.js';
import { createTerminal, type Terminal } from '../../../src/cli/terminal.js';
import { TablewrightError } from '../../../runtime/src/tablewright-error.js';

interface Captured {
  readonly terminal: Terminal;
  readonly out: () => string;
  readonly err: () => string;
}

function capture(isTTY: boolean, environment: Record<string, string> = {}): Captured {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err'): { isTTY: boolean; write: (text: string) => void } => ({
    isTTY,
    write: (text) => {
      written[name] += text;
    },
  });
  const terminal = createTerminal(stream('out'), stream('err'), environment);
  return { terminal, out: () => written.out, err: () => written.err };
}

const escape = '\u001b';

describe('colours', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('terminal %s, environment %j: %s', (isTTY, environment, colored) => {
    const { terminal } = capture(isTTY, environment);
    expect(terminal.colors.out.red('x') !== 'x').toBe(colored);
    expect(terminal.colors.err.red('x') !== 'x').toBe(colored);
  });
});

describe('progress', () => {
  test('shows each stage with its time on a terminal', async () => {
    const { terminal, out, err } = capture(true, { NO_COLOR: '1' });
    expect(await createProgress(terminal).stage('Read the database', () => Promise.resolve(7))).toBe(7);
    expect(err()).toMatch(/^ {2}Read the database …\r.*✔ Read the database \d+\.\d\d s\n$/);
    expect(out()).toBe('');
  });

  test('says nothing where nobody watches, unless asked to', async () => {
    const quiet = capture(false);
    await createProgress(quiet.terminal).stage('Read', () => 1);
    expect(quiet.err()).toBe('');
    const verbose = capture(false);
    await createProgress(verbose.terminal, true).stage('Read', () => 1);
    expect(verbose.err()).toMatch(/^✔ Read \d/);
  });

  test('warnings are shown always', () => {
    const { terminal, err } = capture(false);
    createProgress(terminal).warn('The name is taken.', 'Rename it.');
    expect(err()).toBe('warning The name is taken.\n        Rename it.\n');
  });

  test('an error ends the line that waits', async () => {
    const { terminal, err } = capture(true, { NO_COLOR: '1' });
    const progress = createProgress(terminal);
    await expect(progress.stage('Read', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    terminal.note('error');
    expect(err()).toBe(`  Read …\r${escape}[2Kerror\n`);
  });
});

describe('reportFailure', () => {
  const failure = new TablewrightError('OUTPUT_EDITED', 'A file was edited.', 'Use --force.', {
    cause: new Error('the reason'),
  });

  test('code, message and hint, no stack', () => {
    const { terminal, out, err } = capture(false);
    expect(reportFailure(failure, terminal, { json: false, verbose: false })).toBe(1);
    expect(err()).toBe('error OUTPUT_EDITED A file was edited.\n      Use --force.\n');
    expect(out()).toBe('');
  });

  test('as JSON on standard output', () => {
    const { terminal, out, err } = capture(false);
    reportFailure(failure, terminal, { json: true, verbose: false });
    expect(JSON.parse(out())).toEqual({
      error: { code: 'OUTPUT_EDITED', message: 'A file was edited.', hint: 'Use --force.' },
    });
    expect(err()).toBe('');
  });

  test('the stack and the cause when asked for', () => {
    const { terminal, err } = capture(false);
    reportFailure(failure, terminal, { json: false, verbose: true });
    expect(err()).toContain('terminal.test');
    expect(err()).toContain('the reason');
  });

  test('an interruption has an exit code of its own', () => {
    const { terminal } = capture(false);
    const interrupted = new TablewrightError('INTERRUPTED', 'Interrupted.', '');
    expect(reportFailure(interrupted, terminal, { json: false, verbose: false })).toBe(130);
  });

  test('what the command line gets wrong, with commander’s suggestion', () => {
    const { terminal, err } = capture(false);
    const error = new CommanderError(
      1,
      'commander.unknownOption',
      "error: unknown option '--schema'\n(Did you mean --schemas?)",
    );
    expect(reportFailure(error, terminal, { json: false, verbose: false })).toBe(1);
    expect(err()).toBe("error USAGE Unknown option '--schema'.\n      Did you mean --schemas?\n");
  });

  test('what nobody foresaw', () => {
    const { terminal, err } = capture(false);
    expect(reportFailure(new TypeError('x is undefined\nsecond line'), terminal, { json: false, verbose: false })).toBe(
      1,
    );
    expect(err()).toContain('error INTERNAL Something unexpected happened: x is undefined\n');
    expect(err()).not.toContain('    at ');
  });

  test('a name from the database cannot command the terminal', () => {
    const { terminal, err } = capture(false);
    const error = new TablewrightError('NAME_COLLISION', `The table "a${escape}[2J\u202e"`, 'first\nsecond');
    reportFailure(error, terminal, { json: false, verbose: false });
    expect(err()).toBe('error NAME_COLLISION The table "a\\u{001b}[2J\\u{202e}"\n      first\n      second\n');
  });
});

test('renderTable aligns what a person sees', () => {
  expect(
    renderTable([
      ['a', 'long head'],
      ['🙂🙂', 'x'],
      ['é\n', ''],
    ]),
  ).toEqual(['a          long head', '🙂🙂         x', 'é\\u{000a}']);
});

test('printable keeps ordinary text of any language', () => {
  for (const text of ['café', 'جدول', '表', '🙂', 'a b']) expect(printable(text)).toBe(text);
});
