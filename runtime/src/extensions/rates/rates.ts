import type { ServerResponse } from 'node:http';
import { codes, ServerError } from '../../errors.js';
import type { Admission, Use } from '../../execute/admission.js';
import type { Observer } from '../../observe/observation.js';
import type { Settings } from '../../settings/settings.js';
import { createAddressOf } from '../../http/client-address.js';
import { countsOf, limitField, policiesOf, policyField, type Left, type Policy, type Sender } from './policy.js';
import { createRateStore, type RateStore } from './store.js';

/** The rates of a server: `app.limits.rates`. */
export interface Rates extends Admission {
  readonly close: () => void;
}

const nothing: Use = { operations: new Map(), cost: 0 };

/**
 * Rejects with ServerError `misconfigured` where the rates have no store.
 * @param openStore of a process that counts with others
 */
export async function createRates(
  settings: Settings,
  observe: Observer,
  openStore: typeof createRateStore = createRateStore,
): Promise<Rates> {
  const policies = policiesOf(settings['app.limits.rates']);
  const store = await openStore(policies, settings['app.limits.rate-store'], observe);
  const addressOf = createAddressOf(settings);
  const [early, late] = [policies.filter(({ isEarly }) => isEarly), policies.filter(({ isEarly }) => !isEarly)];
  const take = async (asked: readonly Policy[], sender: Sender, use: Use, response?: ServerResponse): Promise<void> => {
    const { left, exceeded } = await takeFrom(store, asked, sender, use);
    if (response !== undefined) addHeaders(response, left);
    if (exceeded === undefined) return;
    observe({ kind: 'rate-exceeded', rate: exceeded.policy.name });
    throw tooMany(exceeded);
  };
  return {
    addressOf,
    enter: (request, response) => take(early, { address: addressOf(request) }, nothing, response),
    charge: (request, response, identity, use) => take(late, { address: addressOf(request), identity }, use, response),
    chargeMessage: (address, identity, use) => take(policies, { address, identity }, use),
    close: store.close,
  };
}

/** Asks one policy after the other, and none after the first that is exceeded. */
async function takeFrom(
  store: RateStore,
  policies: readonly Policy[],
  sender: Sender,
  use: Use,
): Promise<{ readonly left: readonly Left[]; readonly exceeded?: Exceeded }> {
  const left: Left[] = [];
  for (const policy of policies) {
    for (const [key, points] of countsOf(policy, sender, use)) {
      const { exceeded, remaining, milliseconds } = await store.take(policy, key, points);
      const found = { policy, remaining, seconds: Math.max(1, Math.ceil(milliseconds / 1000)) };
      left.push(found);
      if (exceeded) return { left, exceeded: { ...found, points } };
    }
  }
  return { left };
}

interface Exceeded extends Left {
  readonly points: number;
}

/**
 * Adds to the headers that an earlier call has set: both are lists.
 * Source: draft-ietf-httpapi-ratelimit-headers-10.
 */
function addHeaders(response: ServerResponse, left: readonly Left[]): void {
  if (left.length === 0 || response.headersSent) return;
  const add = (name: string, fields: readonly string[]): void => {
    const before = response.getHeader(name);
    response.setHeader(name, [...(before === undefined ? [] : [String(before)]), ...fields].join(', '));
  };
  add('ratelimit-policy', [...new Set(left.map(({ policy }) => policyField(policy)))]);
  add('ratelimit', left.map(limitField));
}

/** Source: RFC 6585, 4. */
function tooMany({ policy, remaining, seconds, points }: Exceeded): ServerError {
  const { name, quota, unit, rate } = policy;
  const never = points > quota;
  return new ServerError(429, codes.tooManyRequests, `The rate "${name}" is exceeded.`, {
    details: `${String(quota)} ${unit} in ${String(rate.seconds)} s are allowed, ${String(remaining)} are left, and this takes ${String(points)}.`,
    hint: never
      ? 'The request costs more than the whole quota of the rate: request fewer rows.'
      : `Try again in ${String(seconds)} s.`,
    headers: { 'retry-after': String(seconds) },
  });
}
