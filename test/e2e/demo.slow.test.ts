import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runProgram } from '../support/program.js';
import { freePort } from '../support/free-port.js';
import { describeOnTerminal, onTerminal, type OnTerminal } from '../support/on-terminal.js';
import { scratchFolder } from '../support/scratch-folder.js';

const checkout = join(import.meta.dirname, '../..');
const program = join(checkout, 'bin/tablewright.js');

/** The examples that the console offers. */
interface ConsoleGuide {
  readonly users: readonly { readonly name: string; readonly token: string }[];
  readonly tasks: readonly {
    readonly title: string;
    readonly rest?: { readonly path: string; readonly schema?: string };
    readonly graphql?: string;
    readonly users?: readonly (string | null)[];
  }[];
}

/** A demo that runs until the test stops it. */
interface Demo {
  readonly process: ChildProcess;
  readonly printed: () => string;
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
}

describe('tablewright demo', () => {
  let home: string;
  let folder: string;

  beforeAll(async () => {
    home = await scratchFolder('demo');
    folder = join(home, 'demo-server');
  });

  afterAll(async () => {
    await rm(home, { recursive: true, force: true });
  });

  test('the first start does everything, and each printed command answers what it promises', async () => {
    const { code, stdout, stderr } = await demo(['--check', '--port', String(await freePort())]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^curl /gm)).toHaveLength(6);
    expect(stdout).toContain('A new database');
    expect(stdout.match(/As promised/g)).toHaveLength(6);
    expect(existsSync(join(folder, 'src/generated/kanban/issues.table.ts'))).toBe(true);
    expect((await stat(join(folder, 'keys/private-key.pem'))).mode & 0o077).toBe(0);
    expect(await readFile(join(folder, 'keys/.gitignore'), 'utf8')).toBe('*\n');
  });

  describe('a second start, with --open', () => {
    let running: Demo;
    let port: number;
    let base: string;
    let opened: string;

    beforeAll(async () => {
      opened = join(home, 'opened.txt');
      const browser = join(home, 'browser.sh');
      await writeFile(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, { mode: 0o755 });
      port = await freePort();
      base = `http://127.0.0.1:${port}`;
      running = await start(port, ['--open'], { BROWSER: browser });
    });

    test('finds the rows, and keeps the tokens', async () => {
      expect(running.printed()).toContain('The database of an earlier start');
      const token = /Bearer ([^']+)/.exec(running.printed())?.[1] ?? '';
      const answer = await fetch(`${base}/api/v1/notifications`, {
        headers: { 'Accept-Profile': 'kanban', Authorization: `Bearer ${token}` },
      });
      const { data } = (await answer.json()) as { data: readonly { user_id: number }[] };
      expect(new Set(data.map((row) => row.user_id))).toEqual(new Set([4]));
    });

    test('opens the console, whose tasks and users all answer', async () => {
      while (!existsSync(opened) || (await readFile(opened, 'utf8')) === '')
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await readFile(opened, 'utf8')).toBe(`${base}/`);
      const { guide } = (await (await fetch(`${base}/console/model.json`)).json()) as { readonly guide: ConsoleGuide };
      expect(guide.tasks.map(({ title }) => title.split(/[: ]/)[0])).toEqual([
        'Read',
        'Filter',
        'Search',
        'Search',
        'Act',
      ]);
      expect((await stat(join(folder, 'keys/console.json'))).mode & 0o077).toBe(0);
      for (const task of guide.tasks) await expectAnswers(base, guide, task);
    });

    test('a second one at the same time is refused: the database can be open once', async () => {
      const { code, stderr } = await demo(['--port', String(await freePort())]);
      expect(code).toBe(1);
      expect(stderr).toContain('OUTPUT_LOCKED');
    });

    test('Ctrl-C ends it with 0', async () => {
      running.process.kill('SIGINT');
      expect(await running.ended).toEqual([0, null]);
      await expectNobodyOn(port);
    });
  });

  describeOnTerminal('on a terminal', () => {
    test('it asks before it opens the console; Ctrl-C at the question ends it with 0', async () => {
      const opened = join(home, 'asked.txt');
      const browser = join(home, 'asked.sh');
      await writeFile(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, { mode: 0o755 });
      const run = async (answers: readonly (readonly [string, string])[], ...args: string[]): Promise<OnTerminal> =>
        onTerminal(home, ['demo', '--folder', folder, '--port', String(await freePort()), ...args], answers, {
          BROWSER: browser,
        });
      const question = 'Open the console in a browser? (Y/n): ';

      const interrupted = await run([[question, '\u0003']]);
      expect([interrupted.code, interrupted.output.includes('INTERRUPTED')]).toEqual([0, false]);
      const silent = await run([['Ctrl-C ends', '\u0003']], '--no-open');
      expect([silent.code, silent.output.includes(question)]).toEqual([0, false]);
      expect(existsSync(opened)).toBe(false);

      const agreed = await run([
        [question, '\r'],
        ['in a browser.', '\u0003'],
      ]);
      expect(agreed.code).toBe(0);
      expect(await readFile(opened, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    });
  });

  test('the server does not outlive a demo that was killed, and the database is not hurt', async () => {
    const port = await freePort();
    const running = await start(port);
    running.process.kill('SIGKILL');
    await running.ended;
    await expectNobodyOn(port);
    const { code, stderr } = await demo(['--check', '--port', String(port)]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('a port in use is told before anything is done', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stderr } = await demo(['--port', String(port)]);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port}`);
  });

  test('--reset removes a database, and nothing else', async () => {
    const elsewhere = join(home, 'elsewhere');
    await mkdir(join(elsewhere, 'data'), { recursive: true });
    await writeFile(join(elsewhere, 'data/photos.txt'), 'precious');
    const { code, stderr } = await runProgram(
      process.execPath,
      [program, 'demo', '--reset', '--folder', elsewhere, '--port', String(await freePort())],
      { cwd: home },
    );
    expect(code).toBe(1);
    expect(stderr).toContain('OUTPUT_FOREIGN');
    expect(await readFile(join(elsewhere, 'data/photos.txt'), 'utf8')).toBe('precious');
  });

  const demo = (args: readonly string[]): ReturnType<typeof runProgram> =>
    runProgram(process.execPath, [program, 'demo', '--folder', folder, ...args], { cwd: home });

  /** Starts a demo and waits until it has printed its examples. */
  async function start(
    port: number,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Demo> {
    const child = spawn(process.execPath, [program, 'demo', '--folder', folder, '--port', String(port), ...args], {
      cwd: home,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const greeted = new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
          if (printed.includes('Ctrl-C')) resolve();
        });
      }
      child.once('exit', () => {
        reject(new Error(`The demo ended early:\n${printed}`));
      });
    });
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    await greeted;
    return { process: child, printed: () => printed, ended };
  }
});

/** Sends a task's requests as each of its users. */
async function expectAnswers(
  base: string,
  guide: ConsoleGuide,
  { rest, graphql, title, users = [null] }: ConsoleGuide['tasks'][number],
): Promise<void> {
  for (const name of users) {
    const token = guide.users.find((user) => user.name === name)?.token;
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    if (rest !== undefined) {
      const answer = await fetch(base + rest.path, { headers: { ...headers, 'Accept-Profile': rest.schema ?? '' } });
      const { data } = (await answer.json()) as { readonly data: readonly unknown[] };
      // Without a token there are no notifications.
      expect([title, name, data.length > 0]).toEqual([title, name, !title.startsWith('Act') || name !== null]);
    }
    if (graphql === undefined) continue;
    const answer = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: graphql }),
    });
    expect([title, await answer.json()]).toEqual([title, { data: expect.anything() as unknown }]);
  }
}

/** Waits until nothing listens on the port; the test's own time limit applies. */
async function expectNobodyOn(port: number): Promise<void> {
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/health/live`).then(
      () => true,
      () => false,
    );
    if (!answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
