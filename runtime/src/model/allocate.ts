import { TablewrightError } from '../tablewright-error.js';
import { fingerprintOf } from './names.js';

/** A claimant of names: a table needs several, a column needs one. */
export interface Claim {
  /** The database name. It alone decides the suffix after a collision. */
  readonly id: string;
  /**
   * Of claims on one name, the one of lowest rank keeps it; several of the same lowest rank all
   * give it up.
   */
  readonly rank: number;
  /** Every name that the claim takes with this suffix; `''` gives the preferred ones. */
  readonly names: (suffix: string) => readonly string[];
  /**
   * Suffixes a reader understands, tried before a hash of the id; `secondChoice` among them asks
   * `names` for another form.
   */
  readonly suffixes?: readonly string[];
  /** The configuration asked for exactly these names: the key of the `rename` entry. */
  readonly fixed?: string;
  /** Whether the configuration chose this one of its names, so that no suffix changes the name. */
  readonly keeps?: (name: string) => boolean;
}

export interface Allocation {
  /** The suffix of each claim, by id. */
  readonly suffixes: ReadonlyMap<string, string>;
  /** The ids that did not get their preferred name, sorted as given. */
  readonly moved: readonly string[];
  /** The preferred name of each, and the ids that have it or wanted it too. */
  readonly contested: ReadonlyMap<string, Contested>;
}

/** A name that a claim did not get. */
export interface Contested {
  readonly name: string;
  /** The ids of the other claims on it; empty where the name is reserved. */
  readonly others: readonly string[];
}

/** A column, relation or computed field whose name is taken. */
export interface MovedField {
  /** Its origin. */
  readonly id: string;
  /** The name it has instead. */
  readonly name: string;
  readonly contested: Contested | undefined;
  /**
   * The entry of `rename` that gives it another: undefined for a computed field, which has none.
   */
  readonly entry: { readonly option: 'columns' | 'relations'; readonly key: string } | undefined;
}

/**
 * Not a suffix: names by another rule, such as the database's spelling of a column, or with the
 * schema in front.
 */
export const secondChoice = '\0second choice';

/** Asked for in hexadecimal digits; the last is the whole hash, which no other id has. */
const hashLengths = [6, 12, 64];

/**
 * Gives every claim names of its own. The result depends on the set of claims, never on their
 * order: where names meet, the rank decides, and equals all move away.
 * @throws TablewrightError NAME_COLLISION when a name from the configuration is taken, with the
 * rename to add.
 */
export function allocate(claims: readonly Claim[], reserved: ReadonlySet<string> = new Set()): Allocation {
  const attempts = new Map<string, number>();
  const contested = new Map<string, Contested>();
  for (;;) {
    const displaced = [...ownersByName(claims, attempts)].flatMap(([name, owners]) => {
      const ids = displacedOf(name, owners, reserved.has(name));
      for (const id of ids) {
        const others = owners.flatMap((owner) => (owner.id === id ? [] : [owner.id]));
        if (!contested.has(id)) contested.set(id, { name, others });
      }
      return ids;
    });
    if (displaced.length === 0) break;
    for (const id of new Set(displaced)) attempts.set(id, (attempts.get(id) ?? 0) + 1);
  }
  return {
    suffixes: new Map(claims.map((claim) => [claim.id, suffixOf(claim, attempts)])),
    moved: claims.filter((claim) => attempts.has(claim.id)).map((claim) => claim.id),
    contested,
  };
}

function ownersByName(claims: readonly Claim[], attempts: ReadonlyMap<string, number>): Map<string, Claim[]> {
  const owners = new Map<string, Claim[]>();
  for (const claim of claims) {
    for (const name of new Set(claim.names(suffixOf(claim, attempts)))) {
      const others = owners.get(name);
      if (others === undefined) owners.set(name, [claim]);
      else others.push(claim);
    }
  }
  return owners;
}

/** The ids of the claims that have to take another name. */
function displacedOf(name: string, owners: readonly Claim[], reserved: boolean): readonly string[] {
  if (owners.length === 1 && !reserved) return [];
  const fixed = owners.find((claim) => claim.fixed !== undefined);
  if (fixed !== undefined) throw collision(name, fixed, owners);
  const rank = Math.min(...owners.map((claim) => claim.rank));
  const best = owners.filter((claim) => claim.rank === rank);
  const keeper = best.length === 1 && !reserved ? best[0] : undefined;
  const displaced = owners.filter((claim) => claim !== keeper);
  const [chosen, ...more] = displaced.filter((claim) => claim.keeps?.(name) === true);
  // Without a keeper all others take other names, which leaves the name to the claim that cannot
  // change.
  const isStuck = reserved || keeper !== undefined || more.length > 0;
  if (chosen !== undefined && isStuck) throw collision(name, chosen, owners);
  return displaced.map((claim) => claim.id);
}

function suffixOf(claim: Claim, attempts: ReadonlyMap<string, number>): string {
  if (claim.fixed !== undefined) return '';
  const attempt = attempts.get(claim.id) ?? 0;
  if (attempt === 0) return '';
  const readable = claim.suffixes ?? [];
  return readable[attempt - 1] ?? `_${fingerprintOf(claim.id, hashLengths[attempt - 1 - readable.length] ?? 64)}`;
}

function collision(name: string, fixed: Claim, owners: readonly Claim[]): TablewrightError {
  const shown = name.slice(name.indexOf(':') + 1);
  const others = owners.filter((claim) => claim !== fixed).map((claim) => claim.id);
  const holder = others.length === 0 ? 'GraphQL or tablewright itself' : others.join(' and ');
  return new TablewrightError(
    'NAME_COLLISION',
    `The configuration renames ${fixed.fixed ?? fixed.id} so that it needs the name ${shown}, which ${holder} has.`,
    others.length === 0
      ? `Choose another name in rename['${fixed.fixed ?? fixed.id}'].`
      : `Choose another name there, or rename the other one too: rename: { '${others[0] ?? ''}': { name: '${shown}2' } }.`,
  );
}
