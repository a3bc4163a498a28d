import type { Descriptors } from '../../../../runtime/src/descriptor/registry.js';
import type { GeneratedServer } from '../../../../runtime/src/descriptor/generated.js';

/** The argument of createServer in generated code, for these tables. */
export function generatedOf(tables: Descriptors): GeneratedServer {
  return {
    descriptors: tables,
    resolvers: [],
    routes: tables.tables.map((table) => ({
      table,
      list: (exchange) => exchange.list(table),
      ...(table.primaryKey?.columns.length === 1 ? { row: (exchange) => exchange.row(table) } : {}),
    })),
    settings: {},
    openapi: new URL('openapi.json', import.meta.url),
    format: 1,
    fingerprint: '',
  };
}
