import type { IncomingHttpHeaders } from 'node:http';
import { ServerError, codes } from '../../../errors.js';
import { BoundedCache } from '../../../bounded-cache.js';
import type { Preferences } from '../../../response/preferences.js';

/** Preferences with a fixed set of values. */
const choices = new Map<string, readonly string[]>([
  ['count', ['exact', 'planned', 'estimated']],
  ['handling', ['strict', 'lenient']],
  ['return', ['representation', 'minimal', 'headers-only']],
  ['resolution', ['merge-duplicates', 'ignore-duplicates']],
  ['missing', ['default', 'null']],
  ['tx', ['commit', 'rollback']],
]);

const none: Preferences = Object.freeze({ count: 'none' });

/** Which preferences a form of REST understands. */
export interface PreferenceRules {
  /** Of preferences: in any case, or as they are written. */
  readonly names: 'anyCase' | 'exact';
  /** With strict: one without `handling=strict`, or that is no number, is ignored. */
  readonly maxAffected: 'always' | 'withStrict';
  readonly timeZones: 'known' | 'unknown';
}

/**
 * Reads the preferences of requests to a form of REST. Clients repeat the same few headers. A
 * header longer than `maxSeenLength` is unlikely to come again. Throws ServerError 400.
 */
export function preferenceReader(rules: PreferenceRules): (headers: IncomingHttpHeaders) => Preferences {
  const seen = new BoundedCache<Preferences>({ max: 256 });
  return ({ prefer }) => {
    const header = typeof prefer === 'string' ? prefer : prefer?.join(', ');
    if (header === undefined || header === '') return none;
    const known = seen.get(header);
    if (known !== undefined) return known;
    const preferences = parsePrefer(header, rules);
    if (header.length <= maxSeenLength) seen.set(header, preferences);
    return preferences;
  };
}

const maxSeenLength = 200;

/** Those of `/api/v1`. Source: decision 006. */
export const ownRules: PreferenceRules = { names: 'anyCase', maxAffected: 'always', timeZones: 'unknown' };

/**
 * Reads the `Prefer` header. Unknown preferences are ignored; with `handling=strict` they are an
 * error. If a preference occurs twice, the first counts. Throws ServerError 400. Source: RFC 7240,
 * 2; decision 006.
 *
 * @accepts `count=exact` `count=planned, tx=commit` `return=minimal;foo=bar` `COUNT="exact"`
 * @accepts `respond-async` `nope=1` `` `count=exact,handling=strict`
 * @accepts `max-affected=10` `handling=lenient,nope` `a="b,c",count=exact`
 * @accepts `return="headers-only"; x` `,count=exact`
 * @rejects `handling=strict,nope=1` `handling=strict,count=all` `handling=strict,max-affected=x`
 * @rejects `nope,handling=strict` `handling=strict,Count=EXACT`
 */
export function parsePrefer(header: string, rules: PreferenceRules = ownRules): Preferences {
  const chosen = new Map<string, string>();
  const ignored: string[] = [];
  // Runs of spaces become one space: the pattern below would take quadratic time over a long run.
  for (const { name: written, value } of preferencesIn(header.replace(/\s+/g, ' '))) {
    const name = rules.names === 'exact' ? written : written.toLowerCase();
    if (chosen.has(name) || (rules.maxAffected === 'withStrict' && isUnreadable(name, value))) continue;
    if (understood(name, value, rules)) chosen.set(name, value);
    else ignored.push(value === '' ? name : `${name}=${value}`);
  }
  if (chosen.get('handling') === 'strict' && ignored.length > 0) throw notUnderstood(ignored);
  const maxAffected = chosen.get('max-affected');
  chosen.delete('max-affected');
  // `understood` has checked each value against its list.
  const preferences = { count: 'none', ...Object.fromEntries(chosen) } as Preferences;
  const isCounted = rules.maxAffected === 'always' || preferences.handling === 'strict';
  return maxAffected === undefined || !isCounted ? preferences : { ...preferences, maxAffected: Number(maxAffected) };
}

/** Such a limit is ignored, also with `handling=strict`. */
const isUnreadable = (name: string, value: string): boolean => name === 'max-affected' && !/^\d{1,15}$/.test(value);

function understood(name: string, value: string, { timeZones }: PreferenceRules): boolean {
  if (name === 'timezone') return timeZones === 'known' && value !== '';
  return name === 'max-affected' ? /^\d{1,15}$/.test(value) : (choices.get(name)?.includes(value) ?? false);
}

/**
 * `name`, `name=token` or `name="quoted"`, then parameters after `;`, which none of these
 * preferences uses.
 */
const preference =
  /([^\s,;="]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?\s*(?:;(?:[^,"]|"(?:[^"\\]|\\.)*")*)?(?:,|$)/y;

function* preferencesIn(header: string): Generator<{ readonly name: string; readonly value: string }> {
  let at = 0;
  while (at < header.length) {
    if (header.charAt(at) === ' ' || header.charAt(at) === ',') {
      at += 1;
      continue;
    }
    preference.lastIndex = at;
    const found = preference.exec(header);
    if (found === null) {
      yield { name: header.slice(at), value: '' };
      return;
    }
    yield { name: found[1] ?? '', value: found[2]?.replace(/\\(.)/g, '$1') ?? found[3] ?? '' };
    at = preference.lastIndex;
  }
}

const notUnderstood = (ignored: readonly string[]): ServerError =>
  new ServerError(400, codes.malformedParameter, `Preferences not understood: ${ignored.join(', ')}.`, {
    hint: 'Leave them out, or prefer handling=lenient.',
    reason: { kind: 'preferences', ignored },
  });
