import { memory } from '../harness/figures.js';
import { load } from '../harness/load.js';
import { progress, publish, reportOptions } from '../harness/report.js';
import { whileRunning, type RunningServer } from '../harness/server.js';
import { startOurs, withData } from '../limit/servers.js';
import { workloads, type Workload } from '../limit/workloads.js';

interface Checkpoint {
  readonly requests: number;
  readonly megabytes: number;
}

const REQUESTS = 100_000;

/** Whether the server's memory stays what it is while it answers: a leak of 100 bytes a request would show as 10 MB. */
export async function runSteady(args: readonly string[]): Promise<void> {
  const checkpoints = await withData((data) =>
    whileRunning(startOurs(data), (ours) => observe(ours, workloads(data.token))),
  );
  publish(
    {
      name: 'steady',
      head: ['after requests', 'memory, MB'],
      rows: checkpoints.map(({ requests, megabytes }) => [requests.toLocaleString('en-US'), megabytes.toFixed(0)]),
      figures: checkpoints,
    },
    reportOptions(args),
  );
}

/** The first rounds fill caches and let the heap find its size; so the first line is taken after a quarter. */
async function observe(server: RunningServer, mix: readonly Workload[]): Promise<readonly Checkpoint[]> {
  const checkpoints: Checkpoint[] = [];
  let requests = 0;
  while (requests < REQUESTS * 2) {
    for (const { request } of mix) {
      const { requestsPerSecond } = await load(server.base, server.pid, request, 1);
      requests += Math.round(requestsPerSecond);
    }
    progress(`${requests} requests`);
    if (requests >= REQUESTS * (0.25 + checkpoints.length * 0.25)) {
      checkpoints.push({ requests, megabytes: memory(server.pid).now });
    }
  }
  return checkpoints;
}
