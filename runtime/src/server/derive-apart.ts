import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import type { Derived, DeriveOptions } from '../drift/derive.js';
import { joinParts, type Part } from '../drift/parts.js';
import { inSlices } from '../slices.js';
import type { LoadedCatalog } from './catalog-file.js';

/** The inputs of the thread. */
export interface DerivingTask {
  readonly text: string;
  readonly options: DeriveOptions;
  readonly loaded: LoadedCatalog;
  /** The name of the dialect: a dialect itself is not data. */
  readonly dialect: string;
  /** Receives the parts of the derived API. */
  readonly parts: MessagePort;
}

/**
 * The messages of the thread, in this order: all parts are sent; openapi.json, in bytes: a thousand
 * tables have fifteen megabytes of it.
 */
export type DerivingMessage = { readonly kind: 'derived' } | { readonly kind: 'openapi'; readonly bytes: Uint8Array };

/** Missing where the server is one bundled file. */
const program = new URL('./derive-worker.js', import.meta.url);

/** Whether a thread can be started here. */
export const canDeriveApart = existsSync(fileURLToPath(program));

/**
 * Derives in a thread of its own, which ends with it: the model of a thousand tables takes half a
 * second. This thread takes the parts in slices, and requests are answered in between.
 */
export async function deriveApart(
  dialect: string,
  text: string,
  options: DeriveOptions,
  loaded: LoadedCatalog,
  signal: AbortSignal,
): Promise<Derived> {
  // The text has just been received, in one piece.
  await nextTurn();
  const { port1: received, port2: parts } = new MessageChannel();
  const task: DerivingTask = { text, options, loaded, dialect, parts };
  const worker = new Worker(program, { workerData: task, transferList: [parts] });
  // It does not keep a process alive that has nothing else to do.
  worker.unref();
  const { derived, openapi: described } = said(worker);
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  described.then(end, end).finally(() => {
    signal.removeEventListener('abort', end);
  });
  try {
    await derived;
    const next = (): Part | undefined => (receiveMessageOnPort(received) as { message: Part } | undefined)?.message;
    const { changed, ...rest } = await inSlices(joinParts(next), signal);
    return {
      ...rest,
      changed: changed === undefined ? undefined : { ...changed, openapi: () => described },
    };
  } finally {
    received.close();
  }
}

/** The messages of a thread, as they arrive. Both reject when the thread fails or ends before. */
function said(worker: Worker): { readonly derived: Promise<void>; readonly openapi: Promise<Buffer> } {
  const ended = new Promise<never>((_resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new Error('The thread that derives the model has ended early.'));
    });
  });
  const heard = <T>(take: (message: DerivingMessage) => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      worker.on('message', (message: DerivingMessage) => {
        const found = take(message);
        if (found !== undefined) resolve(found);
      });
    });
  const derived = heard(({ kind }) => (kind === 'derived' ? true : undefined));
  const openapi = heard((message) => (message.kind === 'openapi' ? bufferOf(message.bytes) : undefined));
  const settled = {
    derived: Promise.race([derived, ended]).then(() => undefined),
    openapi: Promise.race([openapi, ended]),
  };
  // It may never be requested.
  settled.openapi.catch(() => undefined);
  return settled;
}

/** Bytes come from another thread without their class. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
