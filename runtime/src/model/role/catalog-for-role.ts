import type { Catalog, Table } from '../../catalog/catalog.js';
import type { Descriptors } from '../../descriptor/registry.js';
import type { TableDescriptor } from '../../descriptor/descriptor.js';

/**
 * The catalogue with what a role may use. Texts that name other columns are left out: policies, and
 * checks and indexes with expressions.
 * @param descriptors what the role may use
 */
export function catalogForRole(catalog: Catalog, descriptors: Descriptors): Catalog {
  const byName = new Map(descriptors.tables.map((table) => [`${table.schema}.${table.name}`, table]));
  const tables = catalog.tables.flatMap((table) => {
    const shown = byName.get(`${table.schema}.${table.name}`);
    return shown === undefined ? [] : [tableFor(table, shown, byName)];
  });
  const { procedures = [], functions = [], callable = [] } = descriptors;
  const called = new Set(
    [
      ...[...procedures, ...functions, ...callable],
      ...descriptors.tables.flatMap(({ computed = [], relations = [] }) =>
        [...computed, ...relations].flatMap((each) => each.function ?? []),
      ),
    ].map(({ schema, name }) => `${schema}.${name}`),
  );
  const types = new Set([...(descriptors.enums ?? []), ...(descriptors.composites ?? [])].map(nameOf));
  const schemas = new Set([...descriptors.tables, ...procedures, ...functions].map(({ schema }) => schema));
  return {
    ...catalog,
    schemas: catalog.schemas.filter(({ name }) => schemas.has(name)),
    tables,
    baseTables: undefined,
    enums: catalog.enums.filter((each) => types.has(nameOf(each))),
    domains: catalog.domains.filter((each) =>
      tables.some(({ columns }) => columns.some(({ type }) => nameOf(type) === nameOf(each))),
    ),
    composites: catalog.composites.filter((each) => types.has(nameOf(each))),
    routines: catalog.routines.filter((each) => called.has(nameOf(each))),
    mediaHandlers: descriptors.mediaHandlers,
  };
}

const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;

function tableFor(table: Table, shown: TableDescriptor, byName: ReadonlyMap<string, TableDescriptor>): Table {
  const read = new Set(shown.columns.map(({ name }) => name));
  const written = new Set(shown.writeOnly?.map(({ name }) => name));
  const has = (names: readonly string[]): boolean => names.every((name) => read.has(name));
  const isWhole = table.columns.length === read.size;
  return {
    ...table,
    columns: table.columns.filter(({ name }) => read.has(name) || written.has(name)),
    primaryKey: table.primaryKey !== null && has(table.primaryKey.columns) ? table.primaryKey : null,
    uniques: table.uniques.filter(({ columns }) => has(columns)),
    foreignKeys: table.foreignKeys.filter(({ columns, references }) => {
      const other = new Set(byName.get(nameOf(references))?.columns.map(({ name }) => name));
      return has(columns) && references.columns.every((name) => other.has(name));
    }),
    checks: isWhole ? table.checks : [],
    exclusions: isWhole ? table.exclusions : [],
    constraintComments: isWhole ? table.constraintComments : [],
    indexes: isWhole ? table.indexes : [],
    rowSecurity: { ...table.rowSecurity, policies: [] },
    sources: undefined,
    mediaHandlers: shown.mediaHandlers,
    privileges: {
      select: read.size > 0,
      insert: shown.insertable === true,
      update: shown.updatable === true,
      delete: shown.deletable === true,
    },
  };
}
