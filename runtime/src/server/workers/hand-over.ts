import type { Socket } from 'node:net';
import { codes, ServerError } from '../../errors.js';
import { refuseConnection, type ConnectionLimit } from '../../http/connection-limit.js';
import type { Given, Member } from './member.js';

/** Milliseconds that a new connection waits for a worker: starting one takes one or two seconds. */
const PATIENCE = 10_000;

/**
 * Gives each new connection to the worker with the fewest open ones. The parent keeps its copy
 * until the worker has taken the connection, and gives it again where the worker ends before.
 */
export class HandOver {
  readonly #waiting = new Map<Given, NodeJS.Timeout>();
  #number = 0;

  constructor(
    private readonly members: () => readonly Member[],
    private readonly limit: ConnectionLimit | undefined,
  ) {}

  readonly accept = (socket: Socket): void => {
    const given: Given = { address: socket.remoteAddress ?? '', socket, since: 0 };
    const problem = this.limit?.enter(given.address);
    socket.on('error', () => undefined);
    // Otherwise Node.js asks the workers for the connections of the listener, and waits for them.
    Reflect.set(socket, 'server', undefined);
    if (problem !== undefined) this.#refuse(given, problem);
    else this.#give(given);
  };

  /** A worker has its own copy of the socket. */
  taken(member: Member, number: number): void {
    const given = member.given.get(number);
    if (given === undefined) return;
    given.socket?.destroy();
    given.socket = undefined;
    member.untaken.delete(given);
  }

  closed(member: Member, numbers: readonly number[]): void {
    for (const number of numbers) {
      const given = member.given.get(number);
      if (given === undefined) continue;
      member.given.delete(number);
      member.untaken.delete(given);
      this.limit?.leave(given.address);
    }
  }

  /** A worker has ended: another one gets the connections that it had not taken. */
  ended(member: Member): void {
    const all = [...member.given.values()];
    member.given.clear();
    for (const given of all) {
      if (given.socket === undefined) this.limit?.leave(given.address);
      else this.#give(given);
    }
  }

  /** A worker is ready: it gets what waits. */
  giveWaiting(): void {
    for (const [given, timer] of [...this.#waiting]) {
      clearTimeout(timer);
      this.#waiting.delete(given);
      this.#give(given);
    }
  }

  /** Refuses what waits. */
  close(): void {
    for (const [given, timer] of this.#waiting) {
      clearTimeout(timer);
      this.#refuse(given, noWorker());
    }
    this.#waiting.clear();
  }

  #give(given: Given): void {
    const { socket } = given;
    const member = this.#choose();
    if (socket === undefined) return;
    if (member === undefined) {
      const timer = setTimeout(() => {
        this.#waiting.delete(given);
        this.#refuse(given, noWorker());
      }, PATIENCE);
      this.#waiting.set(given, timer);
      return;
    }
    const number = (this.#number += 1);
    given.since = performance.now();
    member.given.set(number, given);
    member.untaken.add(given);
    member.channel.tell('connection', number, socket);
  }

  #choose(): Member | undefined {
    const ready = this.members().filter(({ state }) => state === 'ready');
    const quick = ready.filter(({ isSlow }) => !isSlow);
    const [first, ...others] = quick.length > 0 ? quick : ready;
    return others.reduce((best, each) => ((best?.given.size ?? 0) <= each.given.size ? best : each), first);
  }

  #refuse({ address, socket }: Given, error: ServerError): void {
    this.limit?.leave(address);
    if (socket === undefined) return;
    // It was paused for the worker.
    socket.resume();
    refuseConnection(socket, error);
  }
}

const noWorker = (): ServerError =>
  new ServerError(503, codes.unavailable, 'No process of this server is ready.', {
    hint: 'Send the request again.',
    headers: { 'retry-after': '1' },
  });
