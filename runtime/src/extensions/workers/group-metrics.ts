import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { ExportedMetric, Metrics } from '../../observe/metrics/metrics.js';
import type { Observation } from '../../observe/observation.js';
import type { Member } from './member.js';

/** Milliseconds that a worker has to answer: those who read metrics wait for the slowest. */
const TIMEOUT_MS = 700;

export interface GroupMetrics extends Pick<Metrics, 'text' | 'contentType'> {
  readonly observe: (observation: Observation) => void;
  readonly ended: (member: Member) => void;
}

/**
 * The metrics of all workers as one page. A worker that does not answer is shown as such, and
 * counters never decrease: what a worker has last counted stays when it hangs or ends.
 * @param members the processes at the moment
 */
export function createGroupMetrics(workers: number, members: () => readonly Member[]): GroupMetrics {
  const registry = new Registry();
  const registers = [registry];
  const up = new Gauge({
    name: 'tablewright_worker_up',
    help: '1 for each worker that answers.',
    labelNames: ['worker'] as const,
    registers,
  });
  const ends = new Counter({
    name: 'tablewright_workers_ended_total',
    help: 'Workers that ended by themselves and were replaced.',
    registers,
  });
  const last = new Map<Member, readonly ExportedMetric[]>();
  let retired = Promise.resolve<readonly ExportedMetric[]>([]);
  const ask = async (member: Member): Promise<readonly ExportedMetric[]> => {
    try {
      const metrics = await member.channel.ask('metrics', null, TIMEOUT_MS);
      if (member.state === 'ready') up.set({ worker: member.task.worker }, 1);
      if (member.state !== 'ended') last.set(member, metrics.filter(isCount));
      return metrics;
    } catch {
      return last.get(member) ?? [];
    }
  };
  return {
    contentType: registry.contentType,
    observe: (observation) => {
      if (observation.kind === 'worker' && observation.state === 'ended') ends.inc();
    },
    ended: (member) => {
      const counted = last.get(member);
      last.delete(member);
      if (counted !== undefined) retired = retired.then((before) => aggregate([before, counted]).getMetricsAsJSON());
    },
    text: async () => {
      for (let worker = 1; worker <= workers; worker += 1) up.set({ worker }, 0);
      const serving = members().filter(({ state }) => state !== 'starting');
      const answers = await Promise.all(serving.map(ask));
      const all = aggregate([...answers, await retired]);
      return [await all.metrics(), await registry.metrics()].filter((text) => text.trim() !== '').join('\n');
    },
  };
}

const aggregate = (metrics: readonly (readonly ExportedMetric[])[]): Registry =>
  AggregatorRegistry.aggregate([...metrics]);

/** What only grows, and is a sum over processes. */
const isCount = ({ type, aggregator }: ExportedMetric): boolean =>
  ['counter', 'histogram'].includes(String(type)) && aggregator === 'sum';
