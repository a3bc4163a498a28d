import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { runLoad, type LoadOptions } from './load.js';
import { machineProcessorTime, ownProcessorTime, treeMemory, treeProcessorTimes } from './processes.js';

/** The result of one measurement. */
export interface Round {
  /** Number of answered requests. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Latency in milliseconds: median and 99th percentile. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  /**
   * Processor time per request in microseconds: of the server, and of the database with all its
   * processes.
   */
  readonly serverMicroseconds: number;
  readonly databaseMicroseconds: number;
  /** Memory of the server afterwards, in megabytes. */
  readonly megabytes: number;
  /**
   * Share of the machine's processor time that other processes used, from 0 to 1: not the server,
   * the database, the load or this process.
   */
  readonly others: number;
}

/** The processes to measure. */
export interface Measured {
  readonly base: string;
  /** Of the server and of the database. Their child processes count with them. */
  readonly pid: number;
  readonly databasePid: number;
  /** A process between them, whose time counts neither as theirs nor as that of others. */
  readonly networkPid?: number;
}

/**
 * Largest share of other processes in an undisturbed round. Beyond it the figures say too little
 * about the server.
 */
export const MOST_OF_OTHERS = 0.05;

/** Measures for some seconds, after all earlier work has finished. */
export async function measureRound(measured: Measured, options: LoadOptions): Promise<Round> {
  const { base, pid, databasePid } = measured;
  await untilIdle([pid, databasePid]);
  const before = look(measured);
  const outcome = await runLoad(base, options);
  const after = look(measured);
  const server = after.server - before.server;
  const database = after.database - before.database;
  const accounted = server + database + (after.network - before.network) + (after.own - before.own);
  const others = after.machine - before.machine - accounted;
  return {
    requests: outcome.requests,
    requestsPerSecond: outcome.requests / outcome.seconds,
    p50: outcome.p50,
    p99: outcome.p99,
    errors: outcome.errors,
    serverMicroseconds: server / outcome.requests,
    databaseMicroseconds: database / outcome.requests,
    megabytes: treeMemory(pid),
    others: Math.max(0, others) / ((after.time - before.time) * 1000 * cpus().length),
  };
}

type Look = Record<'time' | 'machine' | 'own' | 'server' | 'database' | 'network', number>;

function look({ pid, databasePid, networkPid }: Measured): Look {
  const pids = [pid, databasePid, ...(networkPid === undefined ? [] : [networkPid])];
  const [server = NaN, database = NaN, network = 0] = treeProcessorTimes(pids);
  return {
    time: performance.now(),
    machine: machineProcessorTime(),
    own: ownProcessorTime(),
    server,
    database,
    network,
  };
}

/**
 * A server may still work on requests of closed connections, which would slow down the next
 * measurement. Waits 5 s at most.
 */
async function untilIdle(pids: readonly number[]): Promise<void> {
  const used = (): number => treeProcessorTimes(pids).reduce((sum, time) => sum + time, 0);
  const end = performance.now() + 5000;
  let last = used();
  while (performance.now() < end) {
    await sleep(20);
    const now = used();
    if (now === last) return;
    last = now;
  }
}
