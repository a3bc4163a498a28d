import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { buildExample } from './example-program.js';
import { buildGenerated } from './generated-program.js';
import { demoChanges, demoScripts, writePgliteData } from './pglite-data.js';
import { startServerHere } from './server-here.js';

export interface DemoServer {
  /** `http://127.0.0.1:…` */
  readonly base: string;
  /** A token of the demo's user 4. */
  readonly token: string;
  /** The folder of the program, which has `dist/generated/schema.graphql`. */
  readonly folder: string;
  stop(): Promise<void>;
}

export interface DemoOptions {
  /** JavaScript for src/custom/index.js, in place of the example's own. */
  readonly custom?: string;
  /** Environment settings in addition to those of the demo. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * The content of the configuration file. With it, the project is generated instead of taken from
   * the example.
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the console offers, for tokens of the demo's user 4, and of its users 1 and 2. */
  readonly guide?: (token: string, ada: string, bruno: string) => object;
}

/** The demo's database in PGlite, and the committed example that serves it. */
export async function startDemoServer(options: DemoOptions = {}): Promise<DemoServer> {
  const directory = await mkdtemp(join(tmpdir(), 'demo-server-'));
  const reportsChanges = options.environment?.['APP_CHANGES_SOURCE'] === 'notify';
  await writePgliteData(join(directory, 'data'), reportsChanges ? [...demoScripts, demoChanges] : demoScripts);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(directory, 'key.pem');
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const privateKeyFile = join(directory, 'private-key.pem');
  writeFileSync(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const tokenOf = (userId: string): Promise<string> =>
    new SignJWT({ userId }).setProtectedHeader({ alg: 'EdDSA' }).setExpirationTime('1h').sign(privateKey);
  const [token, ada, bruno] = await Promise.all([tokenOf('4'), tokenOf('1'), tokenOf('2')]);
  const guide = join(directory, 'guide.json');
  if (options.guide !== undefined) await writeFile(guide, JSON.stringify(options.guide(token, ada, bruno)));
  const url = `pglite:${join(directory, 'data')}`;
  const program =
    options.config === undefined
      ? await buildExample()
      : await buildGenerated(url, { 'tablewright.config.json': JSON.stringify(options.config) });
  if (options.custom !== undefined) await writeFile(join(program.folder, 'dist/custom/index.js'), options.custom);
  const server = await startServerHere(program.folder, {
    DATABASE_URL: url,
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY_FILE: keyFile,
    APP_CONSOLE_KEY_FILE: privateKeyFile,
    APP_SECURITY_ANONYMOUS_ROLE: 'tablewright_demo',
    APP_SECURITY_DEFAULT_ROLE: 'tablewright_demo',
    ...(options.guide === undefined ? {} : { APP_CONSOLE_GUIDE: guide }),
    ...options.environment,
  });
  return {
    base: server.base,
    token,
    folder: program.folder,
    stop: async () => {
      await server.stop();
      await program.remove();
      await rm(directory, { recursive: true });
    },
  };
}
