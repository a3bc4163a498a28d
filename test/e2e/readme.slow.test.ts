import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort } from '../support/free-port.js';
import { succeed } from '../support/program.js';
import { markdownBlocks } from '../support/readme.js';
import { scratchFolder } from '../support/scratch-folder.js';

const checkout = join(import.meta.dirname, '../..');
const blocks = markdownBlocks('README.md');

describe('the README', () => {
  test('its first two commands are what CI runs', () => {
    const [demo, test] = markdownBlocks('README.md', 'See it').map((block) => block.text);
    expect([demo, test]).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
    const ci = readFileSync(join(checkout, '.ci/run'), 'utf8');
    for (const command of ['npm ci', 'npm run demo', 'npm test']) expect(ci).toContain(command);
  });

  test.each([
    ['sql', 'demo/schema.sql'],
    ['ts', 'generated-example/src/generated/kanban/labels.table.ts'],
  ])('the %s it shows is in %s', (language, path) => {
    const text = readFileSync(join(checkout, path), 'utf8');
    const shown = blocks.filter((block) => block.language === language);
    expect(shown.map((block) => text.includes(block.text))).toEqual([true]);
  });

  test('the pages it names are there', () => {
    const links = readFileSync(join(checkout, 'README.md'), 'utf8').matchAll(/\]\(([^)#:]+)\)/g);
    const paths = [...links].map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(checkout, path)))).toEqual([]);
  });

  test('each request it shows is answered as shown, by the demo', async () => {
    const folder = await scratchFolder('readme');
    const port = String(await freePort());
    const program = ['bin/tablewright.js', 'demo', '--json', '--folder', join(folder, 'demo'), '--port', port];
    const demo = spawn(process.execPath, program, { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await started(demo);
      const shown = blocks.flatMap(({ language, text }, at) => {
        const answer = blocks[at + 1];
        return language === 'sh' && answer?.language === 'json' ? [{ command: text, answer: answer.text }] : [];
      });
      expect(shown).toHaveLength(5);
      for (const { command, answer } of shown) {
        const printed = await succeed('sh', ['-c', command.replaceAll(':4000/', `:${port}/`)]);
        expect({ command, answer: JSON.parse(printed) as unknown }).toEqual({
          command,
          answer: JSON.parse(answer) as unknown,
        });
      }
    } finally {
      demo.kill('SIGINT');
      await once(demo, 'exit');
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Waits for the text with the demo's address. */
function started(demo: ChildProcessByStdio<null, Readable, null>): Promise<void> {
  let printed = '';
  return new Promise((resolve, reject) => {
    demo.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.trimEnd().endsWith('}')) resolve();
    });
    demo.once('exit', () => {
      reject(new Error(`The demo ended early: ${printed}`));
    });
  });
}
