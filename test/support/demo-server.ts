import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { buildExample } from './example-program.js';
import { demoScripts, writePgliteData } from './pglite-data.js';
import { startGeneratedServer } from './running-server.js';

export interface DemoServer {
  /** `http://127.0.0.1:…` */
  readonly base: string;
  /** A token of the demo's user 4. */
  readonly token: string;
  stop(): Promise<void>;
}

export interface DemoOptions {
  /** JavaScript of src/custom/index.js, instead of the example's own. */
  readonly custom?: string;
  /** Settings in the environment, beside those of the demo. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The demo's database in PGlite, served by the committed example of what is generated for it. */
export async function startDemoServer(options: DemoOptions = {}): Promise<DemoServer> {
  const directory = await mkdtemp(join(tmpdir(), 'demo-server-'));
  await writePgliteData(join(directory, 'data'), demoScripts);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(directory, 'key.pem');
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const program = await buildExample();
  if (options.custom !== undefined) await writeFile(join(program.folder, 'dist/custom/index.js'), options.custom);
  const server = await startGeneratedServer(program.folder, {
    NODE_OPTIONS: '',
    DATABASE_URL: `pglite:${join(directory, 'data')}`,
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY_FILE: keyFile,
    APP_SECURITY_ANONYMOUS_ROLE: 'tablewright_demo',
    APP_SECURITY_DEFAULT_ROLE: 'tablewright_demo',
    ...options.environment,
  });
  return {
    base: server.base,
    token: await new SignJWT({ userId: '4' })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setExpirationTime('1h')
      .sign(privateKey),
    stop: async () => {
      await server.stop();
      await program.remove();
      await rm(directory, { recursive: true });
    },
  };
}
