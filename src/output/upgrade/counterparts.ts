/**
 * Where the runtime was before it was a package of its own: its sources were copied into every
 * project.
 */
export const copiedFolder = 'src/generated/runtime/';

const main = '@tablewright/runtime';
const schema = `${main}/schema`;

/** A module that was imported for its side effects, together with `reflect-metadata`. */
export const setupModule = `${main}/setup`;
export const formerSetup = { module: 'server/load-env', companion: 'reflect-metadata' };

/**
 * The copied modules that an owner's code had reason to import, and where their names are today.
 * The rest was never meant to be imported.
 */
const counterparts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  descriptor: {
    [`${main}/descriptor`]: [
      'ColumnDescriptor',
      'ColumnType',
      'CompositeDescriptor',
      'ComputedDescriptor',
      'EnumDescriptor',
      'Kind',
      'ProcedureDescriptor',
      'RelationDescriptor',
      'SqlType',
      'TableDescriptor',
      'UniqueDescriptor',
    ],
  },
  errors: { [main]: ['ServerError', 'ServerErrorOptions', 'codes'] },
  graphql: { [main]: ['Connection', 'Context', 'FieldInfo'], [schema]: ['OrderDirection'] },
  'observe/logger': { [main]: ['createLogger'] },
  'observe/observation': { [main]: ['Observation', 'Observer'] },
  registry: { [`${main}/descriptor`]: ['Descriptors', 'Registry', 'Table', 'createRegistry'] },
  scalars: {
    [schema]: [
      'GraphQLBigInt',
      'GraphQLBytes',
      'GraphQLDate',
      'GraphQLDateTime',
      'GraphQLInterval',
      'GraphQLJSON',
      'GraphQLNumeric',
      'GraphQLTextSearch',
      'GraphQLTime',
      'GraphQLTsvector',
      'GraphQLUUID',
      'GraphQLVector',
    ],
  },
  'server/assemble': { [main]: ['ServerOptions'] },
  'server/create-server': { [main]: ['ListenOptions', 'ServerOptions', 'TablewrightServer', 'createServer'] },
  'server/custom': { [main]: ['CustomServer'] },
  'server/generated': { [main]: ['GeneratedServer', 'ResolverClass'] },
  'server/graphql-schema': { [`${main}/testing`]: ['buildGraphqlSchema'] },
  'server/write-hooks': {
    [main]: ['AnyDatabase', 'CommitEvent', 'Hooks', 'InsertEvent', 'TableHooks', 'UpdateEvent', 'WriteEvent', 'refuse'],
  },
  'session/driver': { [main]: ['CancelSignal', 'Driver', 'Identity', 'RunOptions'] },
  'session/statement': { [main]: ['BoundStatement', 'RawRow'] },
  settings: { [main]: ['Settings'] },
};

/** The entry that has all of the names of a copied module; undefined where none has. */
export function entryOf(module: string, names: readonly string[]): string | undefined {
  const entries = Object.entries(counterparts[module] ?? {});
  return entries.find(([, has]) => names.every((name) => has.includes(name)))?.[0];
}

/** Every entry with the names that are found in it. */
export const promises = (): readonly (readonly [entry: string, names: readonly string[]])[] =>
  Object.values(counterparts).flatMap((entries) => Object.entries(entries));
