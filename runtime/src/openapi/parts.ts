import type { TableModel } from '../model/model.js';
import { description } from '../model/description.js';
import type { Json, JsonObject } from './json.js';
import type { Schema } from './column-schema.js';
import { profileKey, type ProfileHeader } from './parameters.js';
import type { OperationIds } from './operation-ids.js';

/** The inputs of the operations of a path. */
export interface PathContext {
  readonly ids: OperationIds;
  /** Whether a header chooses the schema. */
  readonly profiled: boolean;
}

/** What an operation says of itself. */
export interface Spoken {
  readonly summary: string;
  readonly description: string;
}

/** What operations on tables have in common. */
export function common(
  tables: readonly TableModel[],
  suffix: string,
  { ids }: PathContext,
  { summary, description: text }: Spoken,
): JsonObject {
  return {
    operationId: ids.of(tables[0]?.descriptor.field ?? '', suffix),
    tags: tables.map((table) => table.descriptor.schema),
    summary,
    description: text,
  };
}

/** The tables as SQL names them. */
export const namesOf = (tables: readonly TableModel[]): string =>
  tables.map(({ descriptor: { schema, name } }) => `${schema}.${name}`).join(', ');

/** References to the parameters that operations share. */
export function references(names: readonly string[]): readonly Json[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The header that chooses the schema, where there are several. */
export function profiles(name: ProfileHeader, schemas: readonly string[], { profiled }: PathContext): readonly Json[] {
  const [schema = '', ...others] = schemas;
  if (!profiled) return [];
  return references([others.length === 0 ? profileKey(name, schema) : name]);
}

export const schemasOf = (tables: readonly TableModel[]): readonly string[] =>
  tables.map(({ descriptor }) => descriptor.schema);

/** The schema itself, or any of several, each once. */
export function anyOf(schemas: readonly Schema[]): Schema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = {}] = different;
  return different.length === 1 ? first : { anyOf: different };
}

/** A comment of the database, if there is one. */
export function described(comment: string | null): { readonly description?: string } {
  const text = markdown(comment);
  return text === '' ? {} : { description: text };
}

/** A comment where CommonMark is read: pages that show it must not find a script in it. */
export const markdown = (comment: string | null): string => description(comment).replaceAll(/<(?=\/?script)/gi, '&lt;');
