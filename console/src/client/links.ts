/// <reference lib="dom" />
import type { ConsoleModel, ConsoleTable } from '../console-model.js';

/** The table of a GraphQL root field. */
export const tableOf = (model: ConsoleModel, field: string): ConsoleTable | undefined =>
  model.tables.find((table) => table.field === field);

export type TableView = 'structure' | 'rows' | 'requests';

export const tableLink = (field: string, view: TableView = 'structure', query = ''): string =>
  `#/table/${encodeURIComponent(field)}/${view}${query === '' ? '' : `?${query}`}`;

export const functionLink = (field: string): string => `#/function/${encodeURIComponent(field)}`;

export const explorerPath = '/console/explorer';

/** A table or function in the REST explorer. */
export const hashOf = (kind: 'table' | 'function', field: string): string => `#/${kind}/${encodeURIComponent(field)}`;

export const explorerLink = (kind: 'table' | 'function', field: string): string =>
  `${explorerPath}${hashOf(kind, field)}`;

export const diagramLink = (field?: string): string =>
  field === undefined ? '#/diagram' : `#/diagram/${encodeURIComponent(field)}`;

/** A name with its schema where there are several. */
export const titleOf = (
  model: ConsoleModel,
  { schema, name }: { readonly schema: string; readonly name: string },
): string => (model.schemas.length > 1 ? `${schema}.${name}` : name);

const collator = new Intl.Collator('en', { numeric: true });

/** Orders by name as people do: table_2 before table_10. */
export const naturally = (one: { readonly name: string }, other: { readonly name: string }): number =>
  collator.compare(one.name, other.name);

/** A name that may break after its underscores and dots. */
export const broken = (name: string): readonly (string | Node)[] =>
  name.split(/(?<=[_.])/).flatMap((part, at) => (at === 0 ? [part] : [document.createElement('wbr'), part]));

export const kinds = { table: 'Table', view: 'View', materializedView: 'Materialized view' } as const;
