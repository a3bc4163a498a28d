import { parseArgs } from 'node:util';
import { workloadIds } from '../workloads/workloads.js';
import type { MeasureOptions } from './cells.js';
import { conditions } from './conditions.js';

/**
 * The options of benchmarks that measure workloads. Throws for a value that is not a number, and
 * for an unknown workload.
 */
export function measureOptions(args: readonly string[], defaults: MeasureOptions): MeasureOptions {
  const text = { type: 'string' } as const;
  const options = { only: text, conditions: text, connections: text, rounds: text, seconds: text };
  const { values } = parseArgs({ args: [...args], options, strict: false });
  return {
    ...defaults,
    only: list(values.only)?.map((each) => oneOf('workload', workloadIds, each)) ?? defaults.only,
    conditions: list(values.conditions)?.map((each) => oneOf('condition', conditions, each)) ?? defaults.conditions,
    connections: list(values.connections)?.map((each) => positive('connections', each)) ?? defaults.connections,
    rounds: typeof values.rounds === 'string' ? positive('rounds', values.rounds) : defaults.rounds,
    seconds: typeof values.seconds === 'string' ? positive('seconds', values.seconds) : defaults.seconds,
  };
}

/** The list that `--name a,b` gives, or undefined when the option is absent. */
export const list = (value: unknown): readonly string[] | undefined =>
  typeof value === 'string' ? value.split(',') : undefined;

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} takes whole numbers from 1 on, not ${text}.`);
  return value;
}

function oneOf<T extends string>(what: string, all: readonly T[], name: string): T {
  const found = all.find((each) => each === name);
  if (found !== undefined) return found;
  throw new Error(`There is no ${what} ${name}; there are ${all.join(', ')}.`);
}
