import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnectionLimit } from '../../http/connection-limit.js';
import { listenOn } from '../../http/listener.js';
import { DRAINING_MS } from '../../http/shutdown.js';
import { guardedObserver } from '../../observe/guarded-observer.js';
import { createLogger } from '../../observe/logger.js';
import { openMetricsServer } from '../../observe/metrics/metrics-server.js';
import type { Observer } from '../../observe/observation.js';
import type { Settings } from '../../settings/settings.js';
import { dialectOf } from '../../server/dialects.js';
import type { ParentProcess, WorkerGroup } from '../../server/extension.js';
import { servedSchemas } from '../../server/search-path.js';
import type { ServerOptions } from '../../server/server-options.js';
import { DescribedFailure } from '../../server/start-failure.js';
import { onlyOnce, workerCount } from './count.js';
import type { GroupMetrics } from './group-metrics.js';
import { HandOver } from './hand-over.js';
import { shareOf, type LoadWith, type WorkerExtension } from './task.js';
import { openSharedWork } from './shared-work.js';
import { Supervisor } from './supervisor.js';

/**
 * The process that starts the workers; undefined where one process serves alone.
 * @throws ServerError `misconfigured` where several processes cannot serve the address
 */
export function joinAsParent(
  options: ServerOptions,
  settings: Settings,
  loadWith: LoadWith,
): ParentProcess | undefined {
  const workers = workerCount(settings, options.driver !== undefined);
  if (workers === 1) return undefined;
  return { load: loadWith(parentExtension(workers)), start: (exit) => startGroup(options, settings, workers, exit) };
}

/** The parent's own connections, for code that runs once (`server.as`): the share of a worker. */
const parentExtension = (workers: number): WorkerExtension => ({
  name: 'workers',
  settings: (given) => ({ ...given, ...shareOf(given, workers), 'app.changes.source': 'off' }),
  publish: () => undefined,
});

let isStarted = false;

/**
 * Starts the workers, and listens for them once they are ready. Rejects with DescribedFailure where
 * they do not start, and with ServerError for a setting that concerns this process.
 * @param exit called when the process has to end with a failure: no worker starts any more, or
 * `app.drift.on-change` is `exit`
 */
async function startGroup(
  options: ServerOptions,
  settings: Settings,
  workers: number,
  exit: (reason?: string) => void,
): Promise<WorkerGroup> {
  if (isStarted) throw onlyOnce();
  isStarted = true;
  const log = createLogger(settings);
  const observer = options.observe === undefined ? log : guardedObserver(options.observe, log);
  const opened: { metrics?: GroupMetrics; listener?: Server } = {};
  const observe: Observer = (observation) => {
    opened.metrics?.observe(observation);
    observer(observation);
  };
  const dialect = await dialectOf(settings, servedSchemas(settings, options.generated.descriptors));
  const shared = await openSharedWork(settings, dialect, observe, (trigger) => {
    for (const { channel } of supervisor.members) channel.tell('look', trigger);
  });
  const handOver = new HandOver(() => supervisor.members, createConnectionLimit(settings));
  let fail: (reason: string) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = (reason) => {
      reject(new DescribedFailure(reason));
    };
  });
  failed.catch(() => undefined);
  const supervisor = new Supervisor({
    workers,
    grace: settings['app.server.shutdown-grace-ms'],
    observe,
    handlers: (member) => {
      const { tell, ...others } = shared.handlers(member);
      return {
        ...others,
        tell: {
          ...tell,
          taken: (number) => {
            handOver.taken(member(), number);
          },
          closed: (numbers) => {
            handOver.closed(member(), numbers);
          },
          exit: () => {
            exit();
          },
        },
      };
    },
    ready: () => {
      handOver.giveWaiting();
    },
    ended: (member) => {
      opened.metrics?.ended(member);
      shared.ended(member);
      handOver.ended(member);
    },
    failed: (reason = 'The workers end before they are ready.') => {
      fail(reason);
      if (opened.listener !== undefined) exit(reason);
    },
  });
  const port = settings['app.metrics.port'];
  if (port !== undefined)
    opened.metrics = (await import('./group-metrics.js')).createGroupMetrics(workers, () => supervisor.members);
  const served =
    opened.metrics === undefined || port === undefined
      ? undefined
      : await openMetricsServer(opened.metrics, port, settings['app.metrics.host']);
  let stopping: Promise<boolean> | undefined;
  const stop = async (): Promise<boolean> => {
    if (opened.listener !== undefined) observe({ kind: 'shutdown', phase: 'draining' });
    supervisor.drain();
    if (opened.listener !== undefined) await sleep(DRAINING_MS);
    opened.listener?.close();
    handOver.close();
    const finished = await supervisor.stop();
    await Promise.all([shared.close(), served?.close()]);
    if (finished && opened.listener !== undefined) observe({ kind: 'shutdown', phase: 'closed' });
    return finished;
  };
  try {
    await Promise.race([supervisor.start(), failed]);
    const listener = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, handOver.accept);
    const address = await listenOn(listener, settings['app.server.port'], settings['app.server.host']);
    opened.listener = listener;
    if (served !== undefined) observe({ kind: 'listening', address: served.address, of: 'metrics' });
    observe({ kind: 'listening', address, workers });
    shared.start();
    return {
      address,
      reload: () => supervisor.reload(),
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
