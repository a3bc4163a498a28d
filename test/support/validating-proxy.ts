import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Client, type Reply } from '../runtime/rest/support/client.js';
import { clients } from './client-packages.js';
import { freePort } from './free-port.js';
import { takePlace } from './places/place.js';
import { scratchFolder } from './scratch-folder.js';

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

/** Starts a proxy, or stops the one at the port. */
interface Message {
  readonly port: number;
  readonly document?: string;
  readonly upstream?: string;
}

/** A process for any number of proxies. */
export interface Prism {
  /** @param upstream the base URL of the document's paths */
  readonly proxy: (document: string, upstream: string) => Promise<ValidatingProxy>;
  readonly stop: () => Promise<void>;
}

export async function startPrism(): Promise<Prism> {
  await takePlace();
  const folder = await scratchFolder('prism');
  const child = spawn(process.execPath, [join(clients, 'openapi/proxy.mjs')], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'exit');
  /** Sends a message and waits until the process has acted on it. */
  const tell = async (message: Message): Promise<void> => {
    const done = new Promise<void>((resolve) => {
      const listen = (port: number): void => {
        if (port !== message.port) return;
        child.off('message', listen);
        resolve();
      };
      child.on('message', listen);
    });
    child.send(message);
    await Promise.race([
      done,
      ended.then(() => {
        throw new Error(`Prism has ended:\n${log}`);
      }),
    ]);
  };
  return {
    proxy: async (document, upstream) => {
      const port = await freePort();
      const file = join(folder, `${port}.json`);
      await writeFile(file, document);
      await tell({ document: file, upstream, port });
      const client = createClient(`http://127.0.0.1:${port}`);
      return {
        send: async (...request) => {
          const reply = await client.send(...request);
          const header = reply.headers['sl-violations'];
          return { ...reply, violations: typeof header === 'string' ? violationsIn(header) : [] };
        },
        stop: () => tell({ port }),
      };
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
