import type { Catalog } from '../../catalog/catalog.js';
import { ruleFor } from '../../descriptor/row-rules.js';
import type { Registry } from '../../descriptor/registry.js';
import { codes, ServerError } from '../../errors.js';
import { describeTable, findTable, operatorsOf, tableName } from './tables.js';
import type { Call } from './tool.js';

/** The addresses of resources. `{table}` is `schema.table`. */
const scheme = 'tablewright://';
const mimeType = 'application/json';

/** Shows policies and rules only where the console shows them to everyone, too. */
export interface ResourceOptions {
  readonly showsPolicies: boolean;
  /** Undefined where it cannot be read. */
  readonly catalog: () => Promise<Catalog | undefined>;
}

export const resources = [
  { uri: `${scheme}schema`, name: 'schema', title: 'Tables', description: 'All tables, with comments.', mimeType },
];

const templates = [
  { kind: 'tables', title: 'A table', description: 'Its columns, types, keys and relations.' },
  { kind: 'policies', title: 'Policies of a table', description: 'Its row level security policies.' },
  { kind: 'rules', title: 'Rules of a table', description: 'Its rules for the role of the caller.' },
] as const;

export const resourceTemplates = ({ showsPolicies }: ResourceOptions) =>
  templates
    .filter(({ kind }) => showsPolicies || kind === 'tables')
    .map(({ kind, ...rest }) => ({ uriTemplate: `${scheme}${kind}/{table}`, name: kind, ...rest, mimeType }));

/** Reads a resource. Rejects with ServerError 404 for an address that is none. */
export async function readResource(uri: string, call: Call, options: ResourceOptions): Promise<string> {
  const { registry, dialect } = call.source.services;
  if (uri === `${scheme}schema`) return schemaText(registry);
  const [, kind, name] = /^tablewright:\/\/(\w+)\/([^/]+)$/.exec(uri) ?? [];
  const template = templates.find((each) => each.kind === kind);
  if (name === undefined || template === undefined || (kind !== 'tables' && !options.showsPolicies))
    throw new ServerError(404, codes.notFound, 'There is no resource at this address.', {
      hint: 'resources/list and resources/templates/list name them.',
    });
  const table = findTable(decodeURIComponent(name), registry);
  switch (template.kind) {
    case 'tables':
      return JSON.stringify({ ...describeTable(table, call), operators: operatorsOf([table], dialect.operators) });
    case 'policies': {
      const found = (await options.catalog())?.tables.find(
        (each) => each.schema === table.schema && each.name === table.name,
      );
      return JSON.stringify(found?.rowSecurity ?? null);
    }
    case 'rules': {
      const rule = registry.rules?.[tableName(table)];
      return JSON.stringify(rule === undefined ? null : ruleFor(rule, call.sender.identity.role));
    }
  }
}

const schemaText = ({ tables }: Registry): string =>
  tables.map(({ description, ...table }) => JSON.stringify({ table: tableName(table), description })).join('\n');
