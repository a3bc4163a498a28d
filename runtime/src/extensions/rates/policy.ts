import { createHash } from 'node:crypto';
import type { Identity } from '../../dialect/driver.js';
import type { Use } from '../../execute/admission.js';
import { rateSubjects, type Rate } from '../../settings/rates.js';

/** What a rate counts: one of the numbers of a `Rate`. */
export interface Policy {
  /** In headers, logs and metrics: `user`, `user cost`, `address login`. */
  readonly name: string;
  readonly rate: Rate;
  readonly unit: 'requests' | 'cost';
  readonly quota: number;
  /** Known before the request is read: its address is all that it counts. */
  readonly isEarly: boolean;
}

/** Who sends a request. The identity is not known before it is verified. */
export interface Sender {
  readonly address: string;
  readonly identity?: Identity;
}

/**
 * The policies of rates, those of single clients first: a request that exceeds the rate of its
 * client is then not counted by the rates that clients share.
 */
export function policiesOf(rates: readonly Rate[]): readonly Policy[] {
  const names = new Map<string, number>();
  const policies = rates.flatMap((rate) =>
    (['requests', 'cost'] as const).flatMap((unit) => {
      const quota = rate[unit];
      if (quota === undefined) return [];
      const words = [rate.per, rate.role, rate.operation, unit === 'cost' ? unit : undefined];
      const plain = words.filter((word) => word !== undefined).join(' ');
      const count = (names.get(plain) ?? 0) + 1;
      names.set(plain, count);
      const isEarly =
        rate.per === 'address' && unit === 'requests' && rate.role === undefined && rate.operation === undefined;
      return [{ name: count === 1 ? plain : `${plain} ${String(count)}`, rate, unit, quota, isEarly }];
    }),
  );
  const place = ({ rate }: Policy): number => rateSubjects.indexOf(rate.per);
  return policies.sort((a, b) => place(a) - place(b));
}

/** Longer keys are hashed: an identity may be as long as a header. */
const MAX_KEY_LENGTH = 100;

/** What a policy counts of a request, by key. Nothing where the request is not one of its. */
export function countsOf(
  policy: Policy,
  sender: Sender,
  use: Use,
): readonly (readonly [key: string, points: number])[] {
  const { rate, unit } = policy;
  if (rate.role !== undefined && rate.role !== sender.identity?.role) return [];
  const named = rate.operation === undefined ? 1 : use.operations.get(rate.operation);
  if (named === undefined) return [];
  const points = unit === 'cost' ? use.cost : named;
  if (rate.per === 'operation') {
    const names = rate.operation === undefined ? [...use.operations] : [[rate.operation, named] as const];
    return names.map(([name, times]) => [keyAt(sender, name), unit === 'cost' ? use.cost : times] as const);
  }
  const key = keyOf(rate.per, sender);
  return key === undefined ? [] : [[policy.isEarly ? short(key) : keyAt(sender, key), points]];
}

/** Tenants are counted apart: their users and roles may have the same names. */
const keyAt = ({ identity }: Sender, key: string): string =>
  short(identity?.tenant === undefined ? key : JSON.stringify([identity.tenant, key]));

function keyOf(per: Exclude<Rate['per'], 'operation'>, { address, identity }: Sender): string | undefined {
  if (per === 'address') return address;
  if (per === 'tenant') return identity?.tenant;
  return per === 'user' ? identity?.userId : identity?.role;
}

const short = (key: string): string =>
  key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64url');

/** What is left of a policy for a key. */
export interface Left {
  readonly policy: Policy;
  readonly remaining: number;
  /** Until the window ends. */
  readonly seconds: number;
}

/**
 * `"user";q=100;w=60`. The unit of quotas is requests unless a parameter names another one.
 * Source: draft-ietf-httpapi-ratelimit-headers-10, 3.
 */
export const policyField = ({ name, quota, rate, unit }: Policy): string =>
  `${quoted(name)};q=${String(quota)}${unit === 'cost' ? ';qu="cost"' : ''};w=${String(rate.seconds)}`;

/** `"user";r=99;t=60`. Source: draft-ietf-httpapi-ratelimit-headers-10, 4. */
export const limitField = ({ policy, remaining, seconds }: Left): string =>
  `${quoted(policy.name)};r=${String(remaining)};t=${String(seconds)}`;

/** A string of structured fields has printable ASCII alone. Source: RFC 9651, 3.3.3. */
const quoted = (name: string): string => `"${name.replace(/[^\x20-\x7e]/gu, '?').replace(/["\\]/g, '\\$&')}"`;
