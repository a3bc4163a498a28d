import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Client, type Reply } from '../runtime/rest/support/client.js';
import { clients } from './client-packages.js';
import { freePort } from './free-port.js';
import { repository } from './transpile.js';

/** The violations of the document by a request or its answer. */
export interface Violation {
  /** The path of the violation in the message, such as `response`, `body`, `data`, `0`, `title`. */
  readonly location: readonly string[];
  readonly code: string | number;
  readonly message: string;
}

export interface Validated extends Reply {
  readonly violations: readonly Violation[];
}

/** Prism between a client and a server: it forwards each message, and reports its violations. */
export interface ValidatingProxy {
  readonly send: (...request: Parameters<Client['send']>) => Promise<Validated>;
  readonly stop: () => Promise<void>;
}

/** @param upstream the base URL of the document's paths */
export async function startValidatingProxy(document: string, upstream: string): Promise<ValidatingProxy> {
  const folder = await mkdtemp(join(repository, '.tmp', 'prism-'));
  await writeFile(join(folder, 'openapi.json'), document);
  const port = await freePort();
  const args = ['proxy', join(folder, 'openapi.json'), upstream, '--port', String(port), '--verboseLevel', 'silent'];
  const child = spawn(process.execPath, [join(clients, 'node_modules/@stoplight/prism-cli/dist/index.js'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'exit');
  const client = createClient(`http://127.0.0.1:${port}`);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The proxy did not start:\n${log}`);
    const isThere = await client.get('/').then(
      () => true,
      () => false,
    );
    if (isThere) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    send: async (...request) => {
      const reply = await client.send(...request);
      const header = reply.headers['sl-violations'];
      return { ...reply, violations: typeof header === 'string' ? violationsIn(header) : [] };
    },
    stop: async () => {
      child.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Parses a list of objects, which Prism cuts off when it is long. */
const violationsIn = (header: string): readonly Violation[] =>
  [...header.matchAll(/\{"location":(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/g)].map(([each]) => JSON.parse(each) as Violation);
