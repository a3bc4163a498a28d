import { startServer, type RunningServer } from '../harness/server.js';
import { progress } from '../harness/report.js';
import type { Data, Start, Target } from '../harness/target.js';

/** A generated and compiled target serves all conditions of a run. */
const prepared = new WeakSet<Start>();

/**
 * Starts the server of each target, once where several targets share it, and stops all servers
 * after the work.
 */
export async function whileServing<T>(
  targets: readonly Target[],
  data: Data,
  work: (servers: ReadonlyMap<Start, RunningServer>) => Promise<T>,
): Promise<T> {
  const servers = new Map<Start, RunningServer>();
  try {
    for (const { name, start } of targets) {
      if (servers.has(start)) continue;
      progress(`Preparing and starting ${name}`);
      if (!prepared.has(start)) await start.prepare?.(data);
      prepared.add(start);
      const environment = { ...start.env(data), NODE_ENV: 'production' };
      servers.set(start, await startServer(start.args, start.cwd, environment, start.readyPath));
    }
    return await work(servers);
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}
