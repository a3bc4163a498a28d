import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { SignJWT } from 'jose';
import { buildExample } from '../../support/example-program.js';
import { startGeneratedServer, type RunningServer } from '../../support/running-server.js';
import type { Transpiled } from '../../support/transpile.js';

const root = new URL('../../../', import.meta.url);
const guide = new URL('docs/writes.md', root);

/** Each command of the guide and the block after it. Written anew with UPDATE_DOCS=1, to be read before it is committed. */
const example = /```sh\n(curl [^\n]*)\n```\n\n```(json|text)\n([^]*?)```/g;

const examples = [...readFileSync(guide, 'utf8').matchAll(example)].map(([, command = '', form = '', answer = '']) => ({
  command,
  form,
  answer,
}));

let program: Transpiled;
let server: RunningServer;
let directory: string;
let token: string;

/** The demo's database, served by the committed example of what is generated for it. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'writes-guide-'));
  const database = await PGlite.create(join(directory, 'data'), { extensions: { vector } });
  for (const script of ['schema.sql', 'vector.sql', 'seed.sql']) {
    await database.exec(readFileSync(new URL(`demo/${script}`, root), 'utf8'));
  }
  await database.close();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  token = await new SignJWT({ userId: '4' })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setExpirationTime('1h')
    .sign(privateKey);
  const keyFile = join(directory, 'key.pem');
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  program = await buildExample();
  server = await startGeneratedServer(program.folder, {
    NODE_OPTIONS: '',
    DATABASE_URL: `pglite:${join(directory, 'data')}`,
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY_FILE: keyFile,
    APP_SECURITY_ANONYMOUS_ROLE: 'tablewright_demo',
    APP_SECURITY_DEFAULT_ROLE: 'tablewright_demo',
  });
});
afterAll(async () => {
  await server.stop();
  await program.remove();
  await rm(directory, { recursive: true });
});

/** Runs a command of the guide in a shell, as its reader would, against the server of this test. */
async function run(command: string): Promise<string> {
  const here = command.replaceAll('http://127.0.0.1:4000', server.base);
  const { stdout } = await promisify(execFile)('sh', ['-c', here], { env: { ...process.env, TOKEN: token } });
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
    expect(examples.length).toBeGreaterThan(15);
  });

  test.each(examples)('$command', async ({ command, form, answer }) => {
    const output = await run(command);
    if (form === 'json') expect(JSON.parse(output)).toEqual(JSON.parse(answer));
    else expect(output.trimEnd()).toBe(answer.trimEnd());
  });
}
