import type { Catalog, Column, Table } from '../../../runtime/src/catalog/catalog.js';
import type { ModelOptions } from '../../../runtime/src/generator.js';
import type { Random } from '../../oracle/random.js';

/** Names that are words of TypeScript, of GraphQL or of objects, and names that are not ASCII. */
const names = ['Class', 'Default', 'Type1', 'Constructor', 'Delete', 'Await', 'Über', 'ToString', 'Then', 'Node1'];

const idOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;

const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** What makes a random value of each option for a catalogue; undefined where nothing in it fits. */
type Makers = { readonly [Name in keyof ModelOptions]-?: (random: Random, catalog: Catalog) => ModelOptions[Name] };

/**
 * Random values of every option of the configuration. A new option without a maker is an error of
 * the compiler.
 */
const makers: Makers = {
  rename: (random, { tables, enums }) => {
    const table = random.pick(tables);
    const given = enums[0];
    const label = given?.labels[0];
    return {
      [idOf(table)]: {
        name: random.pick(names),
        ...(random.chance(50) && { field: `${camel(random.pick(names))}Rows` }),
        columns: Object.fromEntries(some(random, table.columns).map((each, at) => [each.name, nameAt(random, at)])),
      },
      ...(given !== undefined && label !== undefined
        ? { [idOf(given)]: { values: { [label]: `${random.pick(names).toUpperCase()}_1` } } }
        : {}),
    };
  },
  exclude: (random, { tables }) => {
    const table = random.pick(tables);
    const { name } = random.pick(table.columns.filter((each) => isPlain(table, each)).concat(table.columns));
    return [random.pick([idOf(table), `${idOf(table)}.${name}`])];
  },
  functions: (random, { routines }) =>
    routines.length === 0 ? undefined : [random.pick([idOf(random.pick(routines)), `${routines[0]?.schema ?? ''}.*`])],
  computed: (random, { routines, tables }) => {
    const routine = routines.find(({ kind }) => kind === 'function');
    const table = tables.find(({ columns }) => columns.length > 0);
    if (routine === undefined || table === undefined) return undefined;
    return {
      [idOf(table)]: {
        made: { function: idOf(routine), columns: some(random, table.columns).map(({ name }) => name) },
      },
    };
  },
  procedures: (random, { routines, tables }) => {
    const routine = routines.find(({ kind }) => kind === 'procedure');
    return (
      routine && { [idOf(routine)]: { returns: random.pick([idOf(random.pick(tables)), { n: 'int', t: 'text' }]) } }
    );
  },
  types: (random, { dialect, tables }) => {
    if (dialect === 'postgres') return undefined;
    const table = random.pick(tables);
    const given = random.pick(['boolean', 'json', 'database'] as const);
    return { [random.pick([`${idOf(table)}.${random.pick(table.columns).name}`, '*.*.*', 'tinyint(1)'])]: given };
  },
  notNull: (random, { tables }) => {
    const view = tables.find(({ kind }) => kind === 'view');
    return view && [`${idOf(view)}.${random.pick(view.columns).name}`];
  },
  optional: (random, { tables }) => {
    const table = random.pick(tables);
    return [`${idOf(table)}.${random.pick([...table.columns.map(({ name }) => name), '*'])}`];
  },
  keys: (random, { tables }) => {
    const view = tables.find(({ kind, primaryKey }) => kind === 'view' || primaryKey === null);
    return view && { [idOf(view)]: [random.pick(view.columns).name] };
  },
  relations: (random, { tables }) => {
    const [from, to] = [random.pick(tables), random.pick(tables)];
    const [column, other] = [random.pick(from.columns), random.pick(to.columns)];
    if (column.type.name !== other.type.name || column.type.array || other.type.array) return undefined;
    return { [idOf(from)]: [{ columns: [column.name], table: idOf(to), references: [other.name] }] };
  },
  names: (random) => ({
    schemaPrefix: random.pick(['always', 'several', 'never'] as const),
    columns: random.pick(['database', 'camel'] as const),
    relations: random.pick(['contract', 'simple'] as const),
  }),
  relay: (random) => random.pick([{}, { nodeId: 'globalId' }]),
  enumOutput: (random) => random.pick(['label', 'upper'] as const),
  rules: (random, { tables }) => {
    const table = random.pick(tables);
    const where = { [random.pick(table.columns).name]: random.pick([{ isNull: true }, { eq: { claim: 'userId' } }]) };
    const hide = table.columns.filter((each) => isPlain(table, each)).slice(0, 1);
    return {
      [idOf(table)]: {
        read: random.pick([true, where, { or: [where, where] }]),
        ...(random.chance(50) && { write: random.pick([false, where]) }),
        ...(random.chance(50) && { roles: { 'a "role"': { read: false, hide: hide.map(({ name }) => name) } } }),
      },
    };
  },
  clients: () => ['supabase'],
  apiDocuments: () => false,
  agentsFile: () => true,
  bigint: (random) => random.pick(['auto', 'string', 'number'] as const),
  numeric: (random) => random.pick(['number', 'string'] as const),
  restProcedures: (random) => random.chance(50),
};

/** A few of the options, with random values. */
export function randomOptions(random: Random, catalog: Catalog): ModelOptions {
  const chosen = Object.entries(makers).filter(() => random.chance(40));
  // A table may have no columns: then there is nothing to name.
  const named = { ...catalog, tables: catalog.tables.filter(({ columns }) => columns.length > 0) };
  return Object.fromEntries(
    chosen.map(([name, make]) => [name, make(random, named)] as const).filter(([, value]) => value !== undefined),
  );
}

const nameAt = (random: Random, at: number): string => `${camel(random.pick(names))}${String(at)}`;

const some = (random: Random, columns: readonly Column[]): readonly Column[] =>
  columns.filter(() => random.chance(30)).slice(0, 3);

/** Whether no key needs the column. */
const isPlain = (table: Table, { name, nullable }: Column): boolean =>
  nullable &&
  table.primaryKey?.columns.includes(name) !== true &&
  !table.foreignKeys.some(({ columns }) => columns.includes(name));
