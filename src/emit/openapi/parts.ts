import type { TableModel } from '../../model/model.js';
import { description } from '../source/escape.js';
import type { Json, JsonObject } from '../source/json.js';
import { nullable, reference, type Schema } from './column-schema.js';

/** What operations have in common. */
export function common(tables: readonly TableModel[], suffix: string): JsonObject {
  const [first] = tables;
  const summary = tables.map((table) => description(table.comment)).find((text) => text !== '');
  return {
    operationId: `${first?.descriptor.field ?? ''}${suffix}`,
    tags: tables.map((table) => table.descriptor.schema),
    ...(summary === undefined ? {} : { summary }),
  };
}

/** A row of any of the tables. */
export function rowOf(tables: readonly TableModel[]): Schema {
  return anyOf(tables.map((table) => reference(table.descriptor.type)));
}

/** References to the parameters that tables share. */
export function references(names: readonly string[]): readonly Json[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The header that chooses the schema, where there are several. */
export function headers(name: 'Accept-Profile' | 'Content-Profile', profiled: boolean): readonly Json[] {
  return profiled ? references([name]) : [];
}

const responses: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  416: 'RangeNotSatisfiable',
  500: 'Failure',
};

/** The answers that are errors, by status. */
export function errors(statuses: readonly string[]): JsonObject {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${responses[status] ?? 'Failure'}` }]),
  );
}

/** The schema itself, or any of several. */
export function anyOf(schemas: readonly Schema[]): Schema {
  const [first = nullable({})] = schemas;
  return schemas.length === 1 ? first : { anyOf: schemas };
}

/** The component of a table's read envelope. GraphQL names have no dots: nothing else is called so. */
export const listSchema = (table: TableModel): string => `${table.descriptor.type}.List`;

/** The component of what may be written to a table. */
export const writeSchema = (table: TableModel): string => `${table.descriptor.type}.Write`;

/** A comment of the database, if there is one. */
export function described(comment: string | null): { readonly description?: string } {
  const text = description(comment);
  return text === '' ? {} : { description: text };
}
