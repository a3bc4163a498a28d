import { aggregateField, changeType, operations, type Model, type TableModel } from '@tablewright/runtime/model';
import { objectOf, type Rename } from '../api/index.js';
import { emitGraphqlSchema } from '../emit/index.js';

/** A name in the code or in GraphQL, and its replacement. */
export interface NewName {
  readonly from: string;
  readonly to: string;
}

/**
 * New names of generated modules and of their exports. Paths are below `src/generated`, without
 * their ends.
 */
export interface ModuleNames extends NewName {
  /** Exports begin with these: `KanbanLabels`, `kanbanLabels`. */
  readonly exports: readonly NewName[];
  /** Members of the row class. */
  readonly type: string;
  readonly members: readonly NewName[];
}

export interface EnumNames {
  readonly module: string;
  readonly type: NewName;
  readonly values: readonly NewName[];
}

/** What renames of the database change in the names that people write. */
export interface NewNames {
  readonly modules: readonly ModuleNames[];
  readonly enums: readonly EnumNames[];
  /** Keys of `Database`, and columns of their tables. */
  readonly tables: readonly (NewName & { readonly columns: readonly NewName[] })[];
  readonly graphql: GraphqlRenames;
}

export interface GraphqlRenames {
  readonly types: ReadonlyMap<string, string>;
  /** By `Type.field`, `Input.field` and `Enum.value`. */
  readonly members: ReadonlyMap<string, string>;
}

/** Translates renames of the database into renames of the API and of the generated code. Pure. */
export function newNames(before: Model, after: Model, renames: readonly Rename[]): NewNames {
  const pairs = pairTables(before, after, renames);
  const enums = pairEnums(before, after, renames);
  return {
    modules: pairs.flatMap((pair) => moduleNames(pair)),
    enums,
    tables: pairs.flatMap(({ old, now, columns }) => {
      const [from, to] = [objectOf(old), objectOf(now)];
      return from === to && columns.length === 0 ? [] : [{ from, to, columns }];
    }),
    graphql: graphqlRenames(before, after, pairs, enums),
  };
}

interface Pair {
  readonly old: TableModel;
  readonly now: TableModel;
  /** Database names. */
  readonly columns: readonly NewName[];
  /** GraphQL fields, which are the members of the row class: columns and relations. */
  readonly fields: readonly NewName[];
}

const changed = ({ from, to }: NewName): boolean => from !== to;

function pairTables(before: Model, after: Model, renames: readonly Rename[]): readonly Pair[] {
  const ofKind = (kind: Rename['kind']): readonly Rename[] => renames.filter((rename) => rename.kind === kind);
  const objects = new Map(ofKind('table').map(({ from, to }) => [from.object, to.object]));
  const tables = new Map(after.tables.map((table) => [objectOf(table), table]));
  const members = (kind: Rename['kind'], object: string): readonly NewName[] =>
    ofKind(kind)
      .filter(({ from }) => from.object === object)
      .map(({ from, to }) => ({ from: from.member ?? '', to: to.member ?? '' }));
  return before.tables.flatMap((old): readonly Pair[] => {
    const object = objectOf(old);
    const now = tables.get(objects.get(object) ?? object);
    if (now === undefined) return [];
    const columns = members('column', object);
    const relations = members('relation', object);
    return [{ old, now, columns, fields: [...fieldNames(old, now, columns), ...relations.flatMap(withAggregate)] }];
  });
}

const withAggregate = ({ from, to }: NewName): readonly NewName[] => [
  { from, to },
  { from: aggregateField(from), to: aggregateField(to) },
];

/**
 * The fields of columns that have other names now, because of a rename or because another column
 * took the name.
 */
function fieldNames(old: TableModel, now: TableModel, columns: readonly NewName[]): readonly NewName[] {
  const moved = new Map(columns.map(({ from, to }) => [from, to]));
  const fields = new Map(now.columns.map((column) => [column.descriptor.name, column.field]));
  return old.columns
    .flatMap(({ descriptor: { name }, field }) => {
      const to = fields.get(moved.get(name) ?? name);
      return to === undefined ? [] : [{ from: field, to }];
    })
    .filter(changed);
}

const modulePath = (table: TableModel): string => `${table.folder}/${table.file}.table`;

function moduleNames({ old, now, fields }: Pair): readonly ModuleNames[] {
  const exports = [
    { from: old.descriptor.type, to: now.descriptor.type },
    { from: old.descriptor.field, to: now.descriptor.field },
    ...filterNames(old, now, fields),
  ].filter(changed);
  const names = { from: modulePath(old), to: modulePath(now) };
  if (!changed(names) && exports.length === 0 && fields.length === 0) return [];
  return [{ ...names, exports, type: old.descriptor.type, members: fields }];
}

/** Filter inputs that belong to one column are named after it. */
function filterNames(old: TableModel, now: TableModel, fields: readonly NewName[]): readonly NewName[] {
  const moved = new Map(fields.map(({ from, to }) => [from, to]));
  const filters = new Map(now.columns.map(({ field, filter }) => [field, filter]));
  return old.columns.flatMap(({ field, filter }) => {
    const to = filters.get(moved.get(field) ?? field);
    return to === undefined || to === filter || !filter.startsWith(old.descriptor.type) ? [] : [{ from: filter, to }];
  });
}

function pairEnums(before: Model, after: Model, renames: readonly Rename[]): readonly EnumNames[] {
  const objects = new Map(
    renames.filter(({ kind }) => kind === 'enum').map(({ from, to }) => [from.object, to.object]),
  );
  const enums = new Map(after.enums.map((each) => [objectOf(each), each]));
  return before.enums.flatMap((old): readonly EnumNames[] => {
    const object = objectOf(old);
    const now = enums.get(objects.get(object) ?? object);
    if (now === undefined) return [];
    const labels = new Map(
      renames
        .filter(({ kind, from }) => kind === 'enumValue' && from.object === object)
        .map(({ from, to }) => [from.member ?? '', to.member ?? '']),
    );
    const names = new Map(now.descriptor.values.map(({ label }, at) => [label, now.values[at] ?? label]));
    const values = old.descriptor.values
      .flatMap(({ label }, at) => {
        const to = names.get(labels.get(label) ?? label);
        return to === undefined ? [] : [{ from: old.values[at] ?? label, to }];
      })
      .filter(changed);
    const type = { from: old.descriptor.type, to: now.descriptor.type };
    return changed(type) || values.length > 0 ? [{ module: `${old.folder}/enums`, type, values }] : [];
  });
}

function graphqlRenames(
  before: Model,
  after: Model,
  pairs: readonly Pair[],
  enums: readonly EnumNames[],
): GraphqlRenames {
  const types = new Map(enums.map(({ type }) => [type.from, type.to]));
  const members = new Map(
    enums.flatMap(({ type, values }) => values.map(({ from, to }) => [`${type.from}.${from}`, to] as const)),
  );
  const changes = pairs.filter(
    ({ old, now, fields }) => fields.length > 0 || old.descriptor.type !== now.descriptor.type || rootsDiffer(old, now),
  );
  if (changes.length > 0) {
    const owned = new Map(changes.map((pair) => [pair.old, pair]));
    const now = emitGraphqlSchema(after).owners;
    for (const [name, owner] of emitGraphqlSchema(before).owners) {
      const pair = owned.get(owner);
      if (pair === undefined) continue;
      const to = newTypeName(name, pair);
      if (to !== name && now.has(to)) types.set(name, to);
      for (const field of pair.fields) members.set(`${name}.${field.from}`, field.to);
    }
    for (const { old, now: table } of changes) {
      types.set(changeType(old.descriptor).name, changeType(table.descriptor).name);
      for (const operation of operations) {
        for (const root of ['Query', 'Mutation', 'Subscription']) {
          const [from, to] = [old.fields[operation], table.fields[operation]];
          if (from !== to) members.set(`${root}.${from}`, to);
        }
      }
    }
  }
  return { types: new Map([...types].filter(([from, to]) => from !== to)), members };
}

const rootsDiffer = (old: TableModel, now: TableModel): boolean =>
  operations.some((operation) => old.fields[operation] !== now.fields[operation]);

function newTypeName(name: string, { old, now, fields }: Pair): string {
  const filter = filterNames(old, now, fields).find(({ from }) => from === name);
  return filter?.to ?? now.descriptor.type + name.slice(old.descriptor.type.length);
}
