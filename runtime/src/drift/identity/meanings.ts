import { LRUCache } from 'lru-cache';
import type { Catalog } from '../../catalog/catalog.js';
import type { ModelOptions } from '../../descriptor/options.js';
import type { Exchange } from './exchange.js';
import { exchangesOf } from './exchanges.js';
import { Protection } from './protection.js';
import { keyOf, shapeOf, withIdentities, type Identities, type Shape } from './shape.js';

/** Characters of identities that are kept for all databases, about a byte each. */
const MAX_KEPT_CHARACTERS = 50_000_000;

/** Different catalogues that databases of one API have at a time: during a migration, two. */
const MAX_FORMS = 4;

/** What the names of a database mean. Both are JSON: of a Shape without ids, and of Identities. */
export interface Meaning {
  readonly form: string;
  readonly identities: string | undefined;
}

/**
 * Remembers what protected names mean in each of many databases with the same schema. Those that
 * were used least recently are forgotten when memory is short.
 */
export class Meanings {
  readonly #protection: Protection;
  readonly #forms = new LRUCache<string, string>({ max: MAX_FORMS });
  readonly #known = new LRUCache<string, Meaning>({
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: ({ identities = '' }, key) => key.length + identities.length + 1,
  });

  constructor(options: ModelOptions) {
    this.#protection = new Protection(options);
  }

  /** @param identities as `LiveCatalog.identities` writes them, of the same state */
  meaningOf(catalog: Catalog, identities: string | undefined): Meaning {
    const text = JSON.stringify(shapeOf(catalog));
    const form = this.#forms.get(text) ?? text;
    this.#forms.set(form, form);
    return { form, identities };
  }

  /**
   * The names that have changed their meaning since the server last accepted the database. Without
   * such names, and at its first look, the server accepts the database in this state.
   */
  accept(database: string, found: Meaning): readonly Exchange[] {
    const known = this.#known.get(database);
    const exchanges = known === undefined ? [] : exchangesOf(whole(known), whole(found), this.#protection);
    if (exchanges.length === 0) this.#known.set(database, this.#ofProtected(found));
    return exchanges;
  }

  /** Ids of other tables are not looked for, and may be many. */
  #ofProtected({ form, identities }: Meaning): Meaning {
    if (identities === undefined) return { form, identities };
    const { database, tables } = JSON.parse(identities) as Identities;
    const protects = (JSON.parse(form) as Shape).tables.filter((table) => this.#protection.concerns(table));
    const names = new Set(protects.map(keyOf));
    const kept = tables.filter(([schema, name]) => names.has(keyOf({ schema, name })));
    return { form, identities: JSON.stringify({ database, tables: kept }) };
  }
}

function whole({ form, identities }: Meaning): Shape {
  return withIdentities(
    JSON.parse(form) as Shape,
    identities === undefined ? undefined : (JSON.parse(identities) as Identities),
  );
}
