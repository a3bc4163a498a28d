import { LRUCache } from 'lru-cache';
import { ServerError, codes } from '../../errors.js';

/** What a request prefers, of what this server knows: contract 4.4; decisions 6. */
export interface Preferences {
  readonly count: 'none' | 'exact' | 'planned' | 'estimated';
  readonly handling?: 'strict' | 'lenient';
  readonly return?: 'representation' | 'minimal' | 'headers-only';
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates';
  readonly missing?: 'default' | 'null';
  readonly tx?: 'commit' | 'rollback';
  readonly maxAffected?: number;
  /** `return` is not the client's word but what its form of REST does without one. */
  readonly isReturnImplied?: true;
}

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
 * The `Prefer` header. What is not understood is ignored, and with `handling=strict` an error; of a preference given twice the first
 * counts. Throws ServerError 400. Source: RFC 7240, 2; contract 4.4; decisions 6.
 *
 * @accepts `count=exact` `count=planned, tx=commit` `return=minimal;foo=bar` `COUNT="exact"` `respond-async` `nope=1` `` `count=exact,handling=strict`
 * @accepts `max-affected=10` `handling=lenient,nope` `a="b,c",count=exact` `return="headers-only"; x` `,count=exact`
 * @rejects `handling=strict,nope=1` `handling=strict,count=all` `handling=strict,max-affected=x` `nope,handling=strict` `handling=strict,Count=EXACT`
 */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined || header === '') return none;
  const known = seen.get(header);
  if (known !== undefined) return known;
  const preferences = readPreferences(header);
  if (header.length <= longestSeen) seen.set(header, preferences);
  return preferences;
}

/** Clients send the same few headers again and again; one that is long is nobody's habit. */
const seen = new LRUCache<string, Preferences>({ max: 256 });
const longestSeen = 200;

function readPreferences(header: string): Preferences {
  const chosen = new Map<string, string>();
  const ignored: string[] = [];
  // One space for many: the pattern below would look at a long run of them again and again.
  for (const { name, value } of preferencesIn(header.replace(/\s+/g, ' '))) {
    if (chosen.has(name)) continue;
    if (understood(name, value)) chosen.set(name, value);
    else ignored.push(value === '' ? name : `${name}=${value}`);
  }
  if (chosen.get('handling') === 'strict' && ignored.length > 0) throw notUnderstood(ignored);
  const maxAffected = chosen.get('max-affected');
  chosen.delete('max-affected');
  // Each value was looked up in its list.
  const preferences = { count: 'none', ...Object.fromEntries(chosen) } as Preferences;
  return maxAffected === undefined ? preferences : { ...preferences, maxAffected: Number(maxAffected) };
}

function understood(name: string, value: string): boolean {
  return name === 'max-affected' ? /^\d{1,15}$/.test(value) : (choices.get(name)?.includes(value) ?? false);
}

/** `name`, `name=token` or `name="quoted"`, then parameters after `;`, which none of the preferences here has. */
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
    yield { name: (found[1] ?? '').toLowerCase(), value: found[2]?.replace(/\\(.)/g, '$1') ?? found[3] ?? '' };
    at = preference.lastIndex;
  }
}

const notUnderstood = (ignored: readonly string[]): ServerError =>
  new ServerError(400, codes.malformedParameter, `Preferences not understood: ${ignored.join(', ')}.`, {
    hint: 'Leave them out, or prefer handling=lenient.',
    reason: { kind: 'preferences' },
  });
