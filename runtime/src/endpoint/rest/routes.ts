import { ServerError, codes } from '../../errors.js';
import { mostSimilar } from '../../most-similar.js';
import { nearest } from '../../nearest.js';
import type { RestHandler, TableRoutes } from '../../descriptor/generated.js';

/**
 * The routes of every table, by schema and by name, so that a look-up takes the same time in a
 * schema with many tables.
 */
export type RouteMap = ReadonlyMap<string, ReadonlyMap<string, TableRoutes>>;

/** The generated routes of the served schemas. */
export function indexRoutes(routes: readonly TableRoutes[], served: readonly string[]): RouteMap {
  const schemas = new Map<string, Map<string, TableRoutes>>(served.map((schema) => [schema, new Map()]));
  for (const route of routes) schemas.get(route.table.schema)?.set(route.table.name, route);
  return schemas;
}

/**
 * The routes of a table. Throws ServerError 404 with the name that the client probably meant.
 * Source: decision 006.
 */
export function routesOf(routes: RouteMap, schema: string, table: string): TableRoutes {
  const found = routes.get(schema)?.get(table);
  if (found !== undefined) return found;
  const near = nearest(table, routes.get(schema)?.keys() ?? []);
  throw new ServerError(404, codes.unknownTable, `There is no table "${table.slice(0, 80)}" here.`, {
    hint: near === undefined ? 'GET /api/v1 describes the tables that there are.' : `Did you mean \`${near}\`?`,
    reason: {
      kind: 'unknownTable',
      schema,
      name: table,
      meant: mostSimilar(table, routes.get(schema)?.keys() ?? [], 0.75),
    },
  });
}

/**
 * The methods that the path of a table, or of a row, answers, for `Allow`. Source: RFC 9110,
 * 10.2.1.
 */
export function allowed(routes: TableRoutes | undefined, byKey: boolean): readonly string[] {
  const writes = byKey
    ? []
    : ([
        ['POST', routes?.insert],
        ['PATCH', routes?.update],
        ['PUT', routes?.replace],
        ['DELETE', routes?.remove],
      ] as const);
  const methods = writes.flatMap(([method, handler]) => (handler === undefined ? [] : [method]));
  return ['GET', 'HEAD', ...methods, 'OPTIONS'];
}

export const methodNotAllowed = (method: string, allow: string): ServerError =>
  new ServerError(405, codes.methodNotAllowed, `${method} is not supported here.`, { headers: { allow } });

/** The handler of a method that writes; undefined if the table does not allow the write. */
export function writeRoute(routes: TableRoutes, method: string): RestHandler | undefined {
  switch (method) {
    case 'POST':
      return routes.insert;
    case 'PATCH':
      return routes.update;
    case 'PUT':
      return routes.replace;
    case 'DELETE':
      return routes.remove;
    default:
      return undefined;
  }
}
