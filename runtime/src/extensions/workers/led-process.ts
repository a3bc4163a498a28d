import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../observe/logger.js';
import type { Metrics } from '../../observe/metrics/metrics.js';
import type { Observation, Observer } from '../../observe/observation.js';
import { type Policy, type RateStore, createRateStore } from '../rates/index.js';
import type { Settings } from '../../settings/settings.js';
import type { LedServer, WorkerProcess } from '../../server/extension.js';
import { describeStartFailure } from '../../server/start-failure.js';
import { Channel } from './channel.js';
import { onlyOnce } from './count.js';
import { shareOf, type LoadWith, type WorkerExtension, type WorkerTask } from './task.js';
import { machineTime, TAKE_TIMEOUT_MS, type GivenNumber } from './protocol.js';
import { remoteDialect, type RemoteDialect } from './remote-dialect.js';

let taken = false;

/** @throws ServerError `misconfigured` for a second server: connections are of one address */
export function joinAsWorker(task: WorkerTask, loadWith: LoadWith): WorkerProcess {
  if (taken) throw onlyOnce();
  taken = true;
  return new LedProcess(task, loadWith);
}

/** A worker process: it follows the messages of its parent, and leaves shared work to it. */
class LedProcess implements WorkerProcess {
  readonly #channel: Channel;
  #remote: RemoteDialect | undefined;
  #metrics: Metrics | undefined;
  #rates: Settings['app.limits.rates'] = [];
  #server: LedServer | undefined;
  #closed: number[] = [];

  readonly load: WorkerProcess['load'];

  constructor(
    private readonly task: WorkerTask,
    loadWith: LoadWith,
  ) {
    this.load = loadWith(this.#extension);
    this.#channel = new Channel(process, {
      text: (text) => this.#remote?.receive(text),
      tell: {
        connection: (given, socket) => {
          this.#take(given, socket);
        },
        look: (trigger) => void this.#server?.look(trigger),
        drain: () => this.#server?.drain(),
        retire: (milliseconds) => void this.#retire(milliseconds),
        stop: () => void this.#stop(),
      },
      ask: {
        ping: () => Promise.resolve(null),
        metrics: async () => (await this.#metrics?.exported()) ?? [],
      },
    });
    // A terminal and a supervisor signal the whole group of processes: the parent says what to do.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
    process.on('disconnect', () => void this.#stop(1));
    if (!process.connected) process.exit(1);
  }

  /** Rates in memory are counted by the parent: a client's connections are at several workers. */
  readonly #openRateStore = async (policies: readonly Policy[], url: string, observe: Observer): Promise<RateStore> => {
    const own = await createRateStore(policies, url, observe);
    if (url !== 'memory') return own;
    const rates = this.#rates;
    return {
      take: (policy, key, points) =>
        this.#channel.ask('take', { rates, policy: policies.indexOf(policy), key, points }).catch((error: unknown) => {
          observe({ kind: 'failure', error });
          return own.take(policy, key, points);
        }),
      close: own.close,
    };
  };

  readonly #extension: WorkerExtension = {
    name: 'workers',
    settings: (given) => this.#settings(given),
    logger: (settings) => this.#logger(settings),
    publish: (metrics) => {
      this.#metrics = metrics;
    },
    openRateStore: this.#openRateStore,
    open: () => ({
      dialect: (next) => {
        this.#remote = remoteDialect(next, this.#channel);
        return this.#remote.dialect;
      },
    }),
  };

  #settings(given: Settings): Settings {
    const { worker, workers } = this.task;
    this.#rates = given['app.limits.rates'];
    return {
      ...given,
      ...shareOf(given, workers),
      // The parent counts connections, checks the database, and shares the feed with other servers.
      'app.server.max-connections': 0,
      'app.server.max-connections-per-address': 0,
      'app.cache.schema-ttl-minutes': 0,
      'app.drift.probe-ms': 0,
      'app.changes.hub': 'none',
      ...(worker === 1 ? {} : { 'app.drift.write': false }),
    };
  }

  #logger(settings: Settings): Observer {
    const { worker } = this.task;
    const log = createLogger(settings, undefined, { worker });
    return (observation) => {
      if (isOwn(observation, worker === 1)) log(observation);
    };
  }

  /** Takes connections from now on. */
  async serve(server: LedServer): Promise<void> {
    this.#server = server;
    // Node.js begins to watch for slow clients when a server listens.
    server.http.emit('listening');
    if (this.task.looks) await server.look('start');
    this.#channel.tell('ready', null);
  }

  /** Ends the process. The parent says why, or starts it again. */
  fail(error: unknown): never {
    this.#channel.tell('failed', describeStartFailure(error));
    process.exit(1);
  }

  exit(): void {
    this.#channel.tell('exit', null);
  }

  #take({ number, at }: GivenNumber, socket: Socket | undefined): void {
    // This process stood still, and the parent is about to give the connection to another one.
    if (machineTime() - at > TAKE_TIMEOUT_MS) {
      socket?.destroy();
      this.#leave(number);
      return;
    }
    // Before anything of it is read: if this process ends then, no other one may have it.
    this.#channel.tell('taken', number);
    if (socket === undefined || this.#server === undefined) {
      socket?.destroy();
      this.#leave(number);
      return;
    }
    // As http.Server has it: a client may end its side before the answer.
    socket.allowHalfOpen = true;
    socket.once('close', () => {
      this.#leave(number);
    });
    this.#server.http.emit('connection', socket);
  }

  #leave(number: number): void {
    this.#closed.push(number);
    if (this.#closed.length > 1) return;
    setImmediate(() => {
      this.#channel.tell('closed', this.#closed);
      this.#closed = [];
    });
  }

  /** Another worker takes its place: every answer ends its connection, and idle ones may stay. */
  async #retire(milliseconds: number): Promise<void> {
    const { connections } = this.#server ?? {};
    connections?.drain();
    await Promise.race([connections?.empty(), sleep(milliseconds)]);
    await this.#stop();
  }

  async #stop(code = 0): Promise<void> {
    const finished = await this.#server?.stop().catch(() => false);
    process.exit(finished === false ? 1 : code);
  }
}

/** What all workers would say is said by the first one, and by their parent. */
function isOwn(observation: Observation, isFirst: boolean): boolean {
  switch (observation.kind) {
    case 'listening':
      return false;
    case 'shutdown':
      return observation.phase === 'forced';
    case 'warning':
    case 'feed':
    case 'database':
      return isFirst;
    case 'schema':
      return isFirst || observation.state === 'stale';
    default:
      return true;
  }
}
