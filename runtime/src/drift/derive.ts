import type { Catalog } from '../catalog/catalog.js';
import { fingerprint } from '../catalog/fingerprint.js';
import { portable } from '../catalog/portable.js';
import type { Model } from '../model/model.js';
import type { ModelOptions } from '../descriptor/options.js';
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

/**
 * The result of a catalogue: its fingerprint, and its model if it differs from the served model.
 */
export interface Derived {
  readonly fingerprint: string;
  /** The fingerprint of the served API, where it was known. */
  readonly served: string | undefined;
  readonly changed: DerivedModel | undefined;
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
}

/**
 * Makes the names and types of a catalogue as the generator does. The result does not depend on the
 * rights of the role, which may differ from the generator's.
 * @throws TablewrightError for names that collide
 */
export function derive(
  read: Catalog,
  { model: options, served, schemas, routines }: DeriveOptions,
  buildModel: (catalog: Catalog, options: ModelOptions) => Model,
): Derived {
  const catalog = within(portable(read), schemas);
  const found = fingerprint(catalog);
  if (found === served) return { fingerprint: found, served, changed: undefined };
  const waiting = newDefiners(catalog, routines);
  const built = buildModel(
    { ...catalog, routines: catalog.routines.filter((each) => !waiting.includes(each)) },
    options,
  );
  const model = { ...built, warnings: [...built.warnings, ...waitingFor(waiting, options)] };
  let openapi: Promise<Buffer> | undefined;
  return {
    fingerprint: found,
    served,
    changed: { model, openapi: () => (openapi ??= describe(model)) },
  };
}

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
