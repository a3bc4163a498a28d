import { isRecord } from '../is-record.js';

/** What a rate counts apart: each of these has a window of its own. */
export const rateSubjects = ['address', 'user', 'role', 'tenant', 'operation'] as const;

/**
 * A limit on requests, on their cost, or on both, in a window of time. `app.limits.rates` is a list
 * of these.
 */
export interface Rate {
  readonly per: (typeof rateSubjects)[number];
  readonly requests?: number;
  /** In units of cost: the rows that a request may ask for, were every list full. */
  readonly cost?: number;
  /** The length of the window. */
  readonly seconds: number;
  /** Counts the requests in this role alone. */
  readonly role?: string;
  /** Counts the requests of this operation alone. */
  readonly operation?: string;
}

/** A day: timers of Node.js take 24 days at most, and a process seldom lives so long. */
const MAX_WINDOW_SECONDS = 86_400;

const members: readonly string[] = ['per', 'requests', 'cost', 'seconds', 'role', 'operation'];

/** What is wrong with a value of `app.limits.rates`, in words; undefined for a valid one. */
export function problemOfRates(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'it has to be a list';
  for (const [at, rate] of (value as readonly unknown[]).entries()) {
    const problem = problemOfRate(rate);
    if (problem !== undefined) return `rate ${String(at + 1)}: ${problem}`;
  }
  return undefined;
}

function problemOfRate(rate: unknown): string | undefined {
  if (!isRecord(rate)) return 'it has to be an object';
  const unknown = Object.keys(rate).find((name) => !members.includes(name));
  if (unknown !== undefined) return `\`${unknown}\` is unknown: there are ${members.join(', ')}`;
  const { per, requests, cost, seconds, role, operation } = rate;
  if (!rateSubjects.some((each) => each === per)) return `\`per\` has to be one of ${rateSubjects.join(', ')}`;
  if (!isCount(seconds) || seconds > MAX_WINDOW_SECONDS)
    return `\`seconds\` has to be a whole number from 1 to ${String(MAX_WINDOW_SECONDS)}`;
  if (requests === undefined && cost === undefined) return 'it needs `requests` or `cost`';
  for (const [name, count] of Object.entries({ requests, cost }))
    if (count !== undefined && !isCount(count)) return `\`${name}\` has to be a whole number, 1 or more`;
  for (const [name, text] of Object.entries({ role, operation }))
    if (text !== undefined && (typeof text !== 'string' || text === '')) return `\`${name}\` has to be a text`;
  return undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;

/** The rates in a text of JSON, or what is wrong with it. */
export function parseRates(text: string): readonly Rate[] | string {
  try {
    const value: unknown = JSON.parse(text);
    return problemOfRates(value) ?? (value as readonly Rate[]);
  } catch {
    return 'it is not JSON';
  }
}
