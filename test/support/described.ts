import { readFileSync } from 'node:fs';
import { createRegistry, type Descriptors, type Registry } from '../../runtime/src/descriptor/registry.js';
import { descriptorsOf } from '../../runtime/src/model/descriptors.js';
import type { Model } from '../../runtime/src/model/model.js';
import type { FilterModel } from '../../runtime/src/schema/shared-types.js';

/** A database as the generator describes it. */
export interface Described {
  readonly model: Model;
  readonly descriptors: Descriptors;
  /** The registry of a server that is made of the model. */
  readonly registry: Registry;
}

export function describeModel(model: Model): Described {
  const descriptors = descriptorsOf(model);
  return { model, descriptors, registry: createRegistry(descriptors) };
}

/** The text of a file of a directory in test/cases. */
export const caseText = (name: string, file: string): string =>
  readFileSync(new URL(`../cases/${name}/${file}`, import.meta.url), 'utf8');

/** A model as JSON. */
export const printModel = (model: Model): string =>
  JSON.stringify({ ...model, filters: model.filters.map((each) => ({ ...each, operators: [...each.operators] })) });

/** Reads the JSON of `printModel`. */
export function parseModel(text: string): Model {
  const model = JSON.parse(text) as Omit<Model, 'filters'> & { readonly filters: readonly PrintedFilter[] };
  return { ...model, filters: model.filters.map((each) => ({ ...each, operators: new Set(each.operators) })) };
}

type PrintedFilter = Omit<FilterModel, 'operators'> & { readonly operators: readonly string[] };
