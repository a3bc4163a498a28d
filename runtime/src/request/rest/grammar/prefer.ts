import type { IncomingHttpHeaders } from 'node:http';
import { ServerError, codes } from '../../../errors.js';
import { BoundedCache } from '../../../bounded-cache.js';
import type { Preferences } from '../../../response/preferences.js';
import type { RestDialect } from './intent-forms.js';

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

/**
 * The preferences of a request as a form of REST takes them. PostgREST takes `max-affected` only
 * with `handling=strict`. Throws ServerError 400. Source: PostgREST, "Prefer Header".
 */
export function preferencesOf({ prefer }: IncomingHttpHeaders, dialect: RestDialect): Preferences {
  const preferences = parsePrefer(typeof prefer === 'string' ? prefer : prefer?.join(', '), dialect);
  if (dialect === 'rest' || preferences.maxAffected === undefined || preferences.handling === 'strict')
    return preferences;
  return { ...preferences, maxAffected: undefined };
}

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
export function parsePrefer(header: string | undefined, dialect: RestDialect = 'rest'): Preferences {
  if (header === undefined || header === '') return none;
  const known = seen[dialect].get(header);
  if (known !== undefined) return known;
  const preferences = readPreferences(header, dialect);
  if (header.length <= longestSeen) seen[dialect].set(header, preferences);
  return preferences;
}

/**
 * Clients repeat the same few headers. A header longer than `longestSeen` is unlikely to come
 * again.
 */
const seen: Readonly<Record<RestDialect, BoundedCache<Preferences>>> = {
  rest: new BoundedCache<Preferences>({ max: 256 }),
  postgrest: new BoundedCache<Preferences>({ max: 256 }),
};
const longestSeen = 200;

function readPreferences(header: string, dialect: RestDialect): Preferences {
  const chosen = new Map<string, string>();
  const ignored: string[] = [];
  // Runs of spaces become one space: the pattern below would take quadratic time over a long run.
  for (const { name: written, value } of preferencesIn(header.replace(/\s+/g, ' '))) {
    // PostgREST takes the names as it writes them.
    const name = dialect === 'postgrest' ? written : written.toLowerCase();
    if (chosen.has(name) || (dialect === 'postgrest' && isUnreadable(name, value))) continue;
    if (understood(name, value, dialect)) chosen.set(name, value);
    else ignored.push(value === '' ? name : `${name}=${value}`);
  }
  if (chosen.get('handling') === 'strict' && ignored.length > 0) throw notUnderstood(ignored);
  const maxAffected = chosen.get('max-affected');
  chosen.delete('max-affected');
  // `understood` has checked each value against its list.
  const preferences = { count: 'none', ...Object.fromEntries(chosen) } as Preferences;
  return maxAffected === undefined ? preferences : { ...preferences, maxAffected: Number(maxAffected) };
}

/** PostgREST ignores such a limit, also with `handling=strict`. */
const isUnreadable = (name: string, value: string): boolean => name === 'max-affected' && !/^\d{1,15}$/.test(value);

function understood(name: string, value: string, dialect: RestDialect): boolean {
  if (name === 'timezone') return dialect === 'postgrest' && value !== '';
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
