import type { Catalog } from '../catalog/catalog.js';
import { fingerprint } from '../catalog/fingerprint.js';
import { portable } from '../catalog/portable.js';
import { namingOptionsOf, type Naming } from '../descriptor/naming.js';
import type { Model } from '../model/model.js';
import type { ModelOptions } from '../model/options.js';
import { emitOpenapi } from '../openapi/openapi.js';
import type { TypeNames } from '../schema/live/declarations.js';
import type { Settings } from '../settings/settings.js';

/** A model, and the openapi.json that follows from it, in bytes. */
export interface DerivedModel {
  readonly model: Model;
  /** Is asked for when a client first wants it. */
  readonly openapi: () => Promise<Buffer>;
  /** The catalogue, where somebody may ask for it. */
  readonly catalog?: () => Catalog;
  /** The names of the model's GraphQL types, where another thread has found them. */
  readonly names?: TypeNames;
}

/**
 * The result of a catalogue: its fingerprint, and its model if it differs from the served model.
 */
export interface Derived {
  readonly fingerprint: string;
  readonly changed: DerivedModel | undefined;
}

/** The other inputs of a model, beside its catalogue. Plain data: it is sent to another thread. */
export interface DeriveOptions {
  readonly model: ModelOptions;
  /** The fingerprint of the served API. */
  readonly served: string;
  /** The schemas that may have tables and routines; undefined: every one. */
  readonly schemas?: readonly string[] | undefined;
}

/**
 * Makes the names and types of a catalogue as the generator does. The result does not depend on the
 * rights of the role, which may differ from the generator's.
 * @throws TablewrightError for names that collide
 */
export function derive(
  read: Catalog,
  { model: options, served, schemas }: DeriveOptions,
  buildModel: (catalog: Catalog, options: ModelOptions) => Model,
): Derived {
  const catalog = within(portable(read), schemas);
  const found = fingerprint(catalog);
  if (found === served) return { fingerprint: found, changed: undefined };
  const model = buildModel(catalog, options);
  let openapi: Buffer | undefined;
  return {
    fingerprint: found,
    changed: { model, openapi: () => Promise.resolve((openapi ??= Buffer.from(emitOpenapi(model)))) },
  };
}

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

/** The options that the generator was given. How numbers are written is a setting of the server. */
export function modelOptions(naming: Naming, settings: Settings): ModelOptions {
  return {
    ...namingOptionsOf(naming),
    bigint: settings['app.types.bigint'],
    numeric: settings['app.types.numeric'],
  };
}
