import type { TableModel } from '../model/model.js';
import { description } from '../model/description.js';
import type { Json, JsonObject } from './json.js';
import type { Schema } from './column-schema.js';

/** What operations have in common. Without a summary of its own, an operation has the table's comment. */
export function common(tables: readonly TableModel[], suffix: string, summary?: string): JsonObject {
  const [first] = tables;
  const text = summary ?? tables.map((table) => description(table.comment)).find((comment) => comment !== '');
  return {
    operationId: `${first?.descriptor.field ?? ''}${suffix}`,
    tags: tables.map((table) => table.descriptor.schema),
    ...(text === undefined ? {} : { summary: text }),
  };
}

/** References to the parameters that tables share. */
export function references(names: readonly string[]): readonly Json[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The header that chooses the schema, where there are several. */
export function headers(name: 'Accept-Profile' | 'Content-Profile', profiled: boolean): readonly Json[] {
  return profiled ? references([name]) : [];
}

/** The schema itself, or any of several. */
export function anyOf(schemas: readonly Schema[]): Schema {
  const [first = {}] = schemas;
  return schemas.length === 1 ? first : { anyOf: schemas };
}

/** A comment of the database, if there is one. */
export function described(comment: string | null): { readonly description?: string } {
  const text = description(comment);
  return text === '' ? {} : { description: text };
}
