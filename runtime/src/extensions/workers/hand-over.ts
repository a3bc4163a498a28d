import type { Socket } from 'node:net';
import { codes, ServerError } from '../../errors.js';
import { refuseConnection, type ConnectionLimit } from '../../http/connection-limit.js';
import type { Given, Member } from './member.js';
import { machineTime, WITHDRAWN_AFTER } from './protocol.js';

/** Milliseconds that a new connection waits for a worker: starting one takes one or two seconds. */
const TIMEOUT_MS = 10_000;

/** Milliseconds between two looks at what workers have not taken. */
const LOOK_INTERVAL_MS = 1_000;

/**
 * Gives each new connection to the worker with the fewest open ones. The parent keeps its copy
 * until the worker has taken the connection, and gives it again where the worker ends before.
 */
export class HandOver {
  readonly #waiting = new Map<Given, NodeJS.Timeout>();
  readonly #looking: NodeJS.Timeout;
  #number = 0;

  constructor(
    private readonly members: () => readonly Member[],
    private readonly limit: ConnectionLimit | undefined,
  ) {
    this.#looking = setInterval(() => {
      this.#withdraw();
      if (this.#choose() !== undefined) this.giveWaiting();
    }, LOOK_INTERVAL_MS).unref();
  }

  readonly accept = (socket: Socket): void => {
    const given: Given = {
      address: socket.remoteAddress ?? '',
      socket,
      number: 0,
      acceptedAt: performance.now(),
      since: 0,
    };
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
    // It answers again.
    if (this.#waiting.size > 0) this.giveWaiting();
  }

  closed(member: Member, numbers: readonly number[]): void {
    for (const number of numbers) {
      const given = member.given.get(number);
      if (given === undefined) continue;
      member.given.delete(number);
      member.untaken.delete(given);
      if (given.socket === undefined) this.limit?.leave(given.address);
      else this.#give(given);
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
    clearInterval(this.#looking);
    for (const [given, timer] of this.#waiting) {
      clearTimeout(timer);
      this.#refuse(given, noWorker());
    }
    this.#waiting.clear();
  }

  /** Gives to another worker what one has not taken in time: it stands still. */
  #withdraw(): void {
    for (const member of this.members())
      for (const given of [...member.untaken]) {
        if (performance.now() - given.since < WITHDRAWN_AFTER) break;
        member.given.delete(given.number);
        member.untaken.delete(given);
        this.#give(given);
      }
  }

  #give(given: Given): void {
    const { socket } = given;
    const member = this.#choose();
    if (socket === undefined) return;
    if (member === undefined) {
      const timer = setTimeout(
        () => {
          this.#waiting.delete(given);
          this.#refuse(given, noWorker());
        },
        given.acceptedAt + TIMEOUT_MS - performance.now(),
      );
      this.#waiting.set(given, timer);
      return;
    }
    const number = (this.#number += 1);
    given.number = number;
    given.since = performance.now();
    member.given.set(number, given);
    member.untaken.add(given);
    member.channel.tell('connection', { number, at: machineTime() }, socket);
  }

  /** Undefined where no worker answers: a connection waits here, and is refused in time. */
  #choose(): Member | undefined {
    const [first, ...others] = this.members().filter(({ state, isSlow }) => state === 'ready' && !isSlow);
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
