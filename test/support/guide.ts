import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDemoServer, type DemoOptions, type DemoServer } from './demo-server.js';
import { repository } from './transpile.js';

/**
 * Each command of a guide and the block after it. UPDATE_DOCS=1 rewrites the blocks; read them
 * before you commit them.
 */
const example = /```sh\n(curl [^\n]*)\n```\n\n```(json|text)\n([^]*?)```/g;

/**
 * Runs every command of a guide against the demo's server with these options, and compares the
 * output with the guide.
 */
export function testGuide(name: string, least: number, options: DemoOptions = {}): void {
  const guide = join(repository, name);
  const examples = [...readFileSync(guide, 'utf8').matchAll(example)].map(
    ([, command = '', form = '', answer = '']) => ({ command, form, answer }),
  );

  let server: DemoServer;
  beforeAll(async () => {
    server = await startDemoServer(options);
  });
  afterAll(() => server.stop());

  /** Runs a command of the guide in a shell, as a reader does, against the server of this test. */
  async function run(command: string): Promise<string> {
    const here = command.replaceAll('http://127.0.0.1:4000', server.base);
    const { stdout } = await promisify(execFile)('sh', ['-c', here], { env: { ...process.env, TOKEN: server.token } });
    return stdout;
  }

  if (process.env['UPDATE_DOCS'] === '1') {
    test('the guide is written anew', async () => {
      let text = readFileSync(guide, 'utf8');
      for (const { command, form } of examples) {
        const output = await run(command);
        const shown = form === 'json' ? `${JSON.stringify(JSON.parse(output))}\n` : `${output.trimEnd()}\n`;
        text = text.replace(example, (block, found: string) =>
          found === command ? `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`${form}\n${shown}\`\`\`` : block,
        );
      }
      writeFileSync(guide, text);
    });
  } else {
    test('the guide has examples', () => {
      expect(examples.length).toBeGreaterThan(least);
    });

    test.each(examples)('$command', async ({ command, form, answer }) => {
      const output = await run(command);
      if (form === 'json') expect(JSON.parse(output)).toEqual(JSON.parse(answer));
      else expect(output.trimEnd()).toBe(answer.trimEnd());
    });
  }
}
