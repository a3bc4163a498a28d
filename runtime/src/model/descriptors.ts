import { restNamesBy } from '../descriptor/naming.js';
import type { Descriptors } from '../descriptor/registry.js';
import type { Model } from './model.js';

/** The descriptors of a model, as generated code has them. */
export const descriptorsOf = (
  model: Model,
): Required<Omit<Descriptors, 'callable' | 'mediaHandlers' | 'rules'>> & Descriptors => ({
  tables: model.tables.map(({ descriptor }) => descriptor),
  enums: model.enums.map(({ descriptor }) => descriptor),
  composites: model.composites.map(({ descriptor }) => descriptor),
  procedures: model.procedures.map(({ descriptor }) => descriptor),
  functions: model.functions.map(({ descriptor }) => descriptor),
  ...(model.callable === undefined ? {} : { callable: model.callable }),
  ...(model.mediaHandlers === undefined ? {} : { mediaHandlers: model.mediaHandlers }),
  restNames: restNamesBy(model.options),
});
