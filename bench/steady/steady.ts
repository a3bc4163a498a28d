import { whileServing } from '../compare/servers.js';
import { withData } from '../data/data.js';
import { smallSizes } from '../data/schema.js';
import { withReference, type Reference } from '../harness/check.js';
import { runLoad } from '../harness/load.js';
import { memory } from '../harness/processes.js';
import { progress, publish, reportOptions } from '../harness/report.js';
import type { RunningServer } from '../harness/server.js';
import { POOL_SIZE, type Data, type HttpRequest } from '../harness/target.js';
import { ours } from '../targets/ours.js';
import { requestsOf, workload, workloadIds } from '../workloads/workloads.js';

interface Checkpoint {
  readonly requests: number;
  readonly megabytes: number;
}

const REQUESTS = 100_000;

/**
 * Measures whether the server's memory stays constant under load: a leak of 100 bytes per request
 * shows as 10 MB.
 */
export async function runSteady(args: readonly string[]): Promise<void> {
  const checkpoints = await withData(smallSizes, (data) =>
    whileServing(ours, data, (servers) =>
      withReference(data, async (reference) => {
        const [server] = [...servers.values()];
        if (server === undefined) throw new Error('No server was started.');
        return await observe(server, mix(data), reference);
      }),
    ),
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

/** Every workload in both protocols, each with its list of requests. */
const mix = (data: Data): readonly (readonly HttpRequest[])[] =>
  workloadIds.flatMap((id) => ours.map((target) => requestsOf(workload(id), target.requests(data), data.sizes)));

/**
 * The first rounds fill caches and let the heap grow to its size, so the first line comes after a
 * quarter of the run.
 */
async function observe(
  server: RunningServer,
  requestLists: readonly (readonly HttpRequest[])[],
  reference: Reference,
): Promise<readonly Checkpoint[]> {
  const checkpoints: Checkpoint[] = [];
  let requests = 0;
  while (requests < REQUESTS * 2) {
    await reference.reset();
    for (const list of requestLists) {
      const outcome = await runLoad(server.base, { requests: list, connections: POOL_SIZE, seconds: 1 });
      if (outcome.errors > 0) throw new Error(`${outcome.errors} answers to ${list[0]?.path ?? ''} were failures.`);
      requests += outcome.requests;
    }
    progress(`${requests} requests`);
    if (requests >= REQUESTS * (0.25 + checkpoints.length * 0.25)) {
      checkpoints.push({ requests, megabytes: memory(server.pid).now });
    }
  }
  return checkpoints;
}
