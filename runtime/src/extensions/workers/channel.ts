import type { Socket } from 'node:net';
import { TablewrightError } from '../../tablewright-error.js';
import type { Asks, Tells } from './protocol.js';

type Message =
  | { readonly kind: 'tell'; readonly what: keyof Tells; readonly value: unknown }
  | { readonly kind: 'ask'; readonly what: keyof Asks; readonly id: number; readonly value: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: Failure };

/** An error that has crossed to another process. */
export interface Failure {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The reason of an outage of the database. */
  readonly outage?: string | undefined;
  /** The database lacks a capability. */
  readonly lacks?: boolean | undefined;
}

/** The failure of a question in the process that was asked. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';

  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** The other process: a child, or this process, which stands for its parent. */
interface Peer {
  readonly connected: boolean;
  send?(message: unknown, handle: Socket | undefined, options: object, sent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

export interface Handlers {
  readonly tell: { readonly [K in keyof Tells]?: (value: Tells[K], socket: Socket | undefined) => void };
  readonly ask: { readonly [K in keyof Asks]?: (value: Asks[K][0]) => Promise<Asks[K][1]> };
  /** Receives the texts of `post`. */
  readonly text?: (text: string) => void;
  readonly failureOf?: (error: unknown) => Failure;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds that an answer may take: reading a large catalogue takes seconds. */
const TIMEOUT_MS = 60_000;

/** Messages between two processes, over the channel of Node.js. */
export class Channel {
  /** Characters of posted texts that the other process has not taken. */
  unsent = 0;
  /** When the other process last sent something, as `performance.now()`. */
  heardAt = performance.now();
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;

  constructor(
    private readonly peer: Peer,
    private readonly handlers: Handlers,
  ) {
    peer.on('message', (message, handle) => {
      this.heardAt = performance.now();
      if (typeof message === 'string') handlers.text?.(message);
      // Both processes run the same version of this file.
      else this.#receive(message as Message, handle as Socket | undefined);
    });
    peer.on('disconnect', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The other process has ended.'));
      this.#waiting.clear();
    });
  }

  /** A process that has ended receives nothing. */
  tell<K extends keyof Tells>(what: K, value: Tells[K], socket?: Socket): void {
    this.#send({ kind: 'tell', what, value }, socket);
  }

  /** Rejects when the other process fails, ends, or does not answer in time. */
  ask<K extends keyof Asks>(what: K, value: Asks[K][0], milliseconds = TIMEOUT_MS): Promise<Asks[K][1]> {
    const id = (this.#number += 1);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.get(id)?.reject(new Error('The other process does not answer.'));
      }, milliseconds).unref();
      const settle = (): void => {
        clearTimeout(late);
        this.#waiting.delete(id);
      };
      this.#waiting.set(id, {
        resolve: (answer) => {
          settle();
          resolve(answer as Asks[K][1]);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#send({ kind: 'ask', what, id, value });
    });
  }

  /** @param sent called when the text has left, or never will */
  post(text: string, sent: () => void): void {
    this.unsent += text.length;
    this.#send(text, undefined, () => {
      this.unsent -= text.length;
      sent();
    });
  }

  #send(message: unknown, socket?: Socket, sent: () => void = () => undefined): void {
    if (!this.peer.connected) {
      sent();
      return;
    }
    // The sender keeps its copy of a socket until the other process says that it has its own.
    this.peer.send?.(message, socket, socket === undefined ? {} : { keepOpen: true }, sent);
  }

  #receive(message: Message, socket: Socket | undefined): void {
    switch (message.kind) {
      case 'tell':
        (this.handlers.tell[message.what] as ((value: unknown, socket?: Socket) => void) | undefined)?.(
          message.value,
          socket,
        );
        break;
      case 'ask':
        void this.#answer(message.id, message.what, message.value);
        break;
      case 'answer':
        this.#waiting.get(message.id)?.resolve(message.value);
        break;
      case 'failure':
        this.#waiting.get(message.id)?.reject(errorOf(message.failure));
        break;
    }
  }

  async #answer(id: number, what: keyof Asks, question: unknown): Promise<void> {
    const handle = this.handlers.ask[what] as ((question: unknown) => Promise<unknown>) | undefined;
    try {
      this.#send({ kind: 'answer', id, value: (await handle?.(question)) ?? null });
    } catch (error) {
      const { failureOf = messageOf } = this.handlers;
      this.#send({ kind: 'failure', id, failure: failureOf(error) });
    }
  }
}

const messageOf = (error: unknown): Failure => ({ message: error instanceof Error ? error.message : String(error) });

const errorOf = (failure: Failure): Error =>
  failure.hint === undefined
    ? new RemoteFailure(failure)
    : new TablewrightError('DATABASE_QUERY', failure.message, failure.hint);
