import type { Catalog } from '../catalog/catalog.js';
import { fingerprint } from '../catalog/fingerprint.js';
import { portable } from '../catalog/portable.js';
import type { Model } from '../model/model.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { Exchange } from './identity/exchange.js';
import { exchangesOf } from './identity/exchanges.js';
import { isRestricting, Protection } from './identity/protection.js';
import { shapeOf, type Identities, type Shape } from './identity/shape.js';
import { waitingIn, waits, type ServedTables } from './identity/waiting.js';
import { newDefiners, waitingFor } from './new-definers.js';
import type { TypeNames } from '../schema/declare.js';

/** A model, and the openapi.json that follows from it, in bytes. */
export interface DerivedModel {
  readonly model: Model;
  /** Made when a client first asks for it. */
  readonly openapi: () => Promise<Buffer>;
  /** The catalogue, if the console is on. */
  readonly catalog?: () => Catalog;
  /** The names of the model's GraphQL types, where another thread has found them. */
  readonly names?: TypeNames;
}

/** The database, compared with the served state for what the configuration protects. */
export interface Guarded {
  /** A Shape, in JSON: the next check receives it as `known` once it is served. */
  readonly shape: string;
  readonly exchanges: readonly Exchange[];
}

/**
 * The result of a catalogue: its fingerprint, and its model if it differs from the served model.
 */
export interface Derived {
  readonly fingerprint: string;
  /** The fingerprint of the served API, where it was known. */
  readonly served: string | undefined;
  readonly changed: DerivedModel | undefined;
  /** Absent: the configuration protects nothing. */
  readonly guarded?: Guarded | undefined;
}

/** The other inputs of a model, beside its catalogue. Plain data: it is sent to another thread. */
export interface DeriveOptions {
  readonly model: ModelOptions;
  /** The fingerprint of the served API. If it is undefined, the API counts as changed. */
  readonly served: string | undefined;
  /** The schemas that may have tables and routines; undefined: every one. */
  readonly schemas?: readonly string[] | undefined;
  /** The routines that the generated code serves, as `servedRoutines` writes them. */
  readonly routines: readonly string[];
  /** The tables that the generated code serves. */
  readonly tables: ServedTables;
  /** The Identities of the tables, in JSON, where the database has them. */
  readonly identities?: string | undefined;
  /** The Shape of the served state, in JSON, after the first check. */
  readonly known?: string | undefined;
}

/** The facts about the served API that a database is compared with. */
export interface GeneratedFacts {
  /**
   * The fingerprint of the served API. Undefined if it is not known: the server then takes the API
   * for changed, and derives it from the database at once.
   */
  readonly served: string | undefined;
  /** The catalogue that the code was generated from, where something is protected. */
  readonly generated?: Catalog | undefined;
}

/** What only a changed database needs: it is loaded after the comparison. */
export interface DeriveSources {
  /** @param found the fingerprint of the catalogue */
  readonly facts: (catalog: Catalog, found: string) => Promise<GeneratedFacts>;
  readonly modelBuilder: () => Promise<(catalog: Catalog, options: ModelOptions) => Model>;
}

/**
 * Makes the names and types of a catalogue as the generator does. The result does not depend on the
 * rights of the role, which may differ from the generator's. Rejects with TablewrightError for
 * names that collide.
 */
export async function derive(
  read: Catalog,
  { model: options, schemas, routines, ...seen }: DeriveOptions,
  { facts, modelBuilder }: DeriveSources,
): Promise<Derived> {
  const catalog = within(portable(read), schemas);
  const found = fingerprint(catalog);
  const { served, generated } = await facts(catalog, found);
  const before = generated && within(portable(generated), schemas);
  const { guarded, unserved } = guard(catalog, options, seen, found === served ? catalog : before);
  if (found === served) return { fingerprint: found, served, changed: undefined, guarded };
  const buildModel = await modelBuilder();
  const waiting = newDefiners(catalog, routines);
  const built = buildModel(
    { ...catalog, routines: catalog.routines.filter((each) => !waiting.includes(each)) },
    { ...options, exclude: [...(options.exclude ?? []), ...unserved] },
  );
  const model = {
    ...built,
    // What waits is served by the next generate: nothing new has to be it.
    excluded: built.excluded.filter((name) => !unserved.includes(name)),
    warnings: [...built.warnings, ...waitingFor(waiting, options), ...unserved.map(waits)],
  };
  let openapi: Promise<Buffer> | undefined;
  return {
    fingerprint: found,
    served,
    changed: { model, openapi: () => (openapi ??= describe(model)) },
    guarded,
  };
}

/** Finds exchanged names, and new objects that wait for the next `generate`. */
function guard(
  catalog: Catalog,
  options: ModelOptions,
  { identities, known, tables }: Pick<DeriveOptions, 'identities' | 'known' | 'tables'>,
  before: Catalog | undefined,
): { readonly guarded?: Guarded; readonly unserved: readonly string[] } {
  if (!isRestricting(options)) return { unserved: [] };
  const found = shapeOf(catalog, identities === undefined ? undefined : (JSON.parse(identities) as Identities));
  const was = known === undefined ? before && shapeOf(before) : (JSON.parse(known) as Shape);
  const protection = new Protection(options);
  return {
    guarded: {
      shape: JSON.stringify(found),
      exchanges: was === undefined ? [unknown] : exchangesOf(was, found, protection),
    },
    unserved: waitingIn(found, was, tables, protection),
  };
}

const unknown: Exchange = {
  message: 'The database has changed, and catalog.json beside the generated code is missing or was edited.',
  withheld: [],
};

/** The fingerprint that `derive` finds for a catalogue, without making a model. */
export const fingerprintOf = (read: Catalog, schemas: readonly string[] | undefined): string =>
  fingerprint(within(portable(read), schemas));

/**
 * The catalogue without the tables and routines of other schemas. Their types stay: columns may
 * have them.
 */
function within(catalog: Catalog, schemas: readonly string[] | undefined): Catalog {
  if (schemas === undefined) return catalog;
  const isIn = ({ schema }: { readonly schema: string }): boolean => schemas.includes(schema);
  const others = new Set(catalog.tables.filter((table) => !isIn(table)).map(({ schema }) => schema));
  if (others.size === 0) return catalog;
  return {
    ...catalog,
    schemas: catalog.schemas.filter(({ name }) => !others.has(name)),
    tables: catalog.tables.filter(isIn),
    routines: catalog.routines.filter(isIn),
  };
}

/** Few clients ask for openapi.json, so its emitter is loaded with the first request. */
async function describe(model: Model): Promise<Buffer> {
  const { emitOpenapi } = await import('../openapi/openapi.js');
  return Buffer.from(emitOpenapi(model));
}
