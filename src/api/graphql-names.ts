import {
  aggregateField,
  functionRoots,
  type ApiSubject,
  type Model,
  type Settings,
  type TableModel,
} from '@tablewright/runtime/model';
import { emitGraphqlSchema } from '../emit/index.js';

/** What GraphQL's names stand for in the database. */
export interface GraphqlNames {
  /** The schema's text. */
  readonly text: string;
  /**
   * The object behind `Type` or `Type.member`; undefined for types that belong to no one object, as
   * `StringFilterInput`.
   */
  readonly subjectOf: (type: string, member: string | undefined) => ApiSubject | undefined;
}

/** Reads the names of a model backwards. */
export function graphqlNames(model: Model, settings: Partial<Settings> | undefined): GraphqlNames {
  const { text, owners } = emitGraphqlSchema(model, settings);
  const roots = rootSubjects(model);
  const types = typeSubjects(model);
  const members = new Map<TableModel, ReadonlyMap<string, ApiSubject>>();
  const membersOf = (table: TableModel): ReadonlyMap<string, ApiSubject> => {
    const known = members.get(table) ?? memberSubjects(table);
    members.set(table, known);
    return known;
  };
  return {
    text,
    subjectOf: (type, member) => {
      if (type === 'Query' || type === 'Mutation' || type === 'Subscription') return roots.get(member ?? '');
      const owner = owners.get(type);
      if (owner === undefined) return types.get(`${type}.${member ?? ''}`) ?? types.get(type);
      return membersOf(owner).get(member ?? '') ?? types.get(type) ?? tableSubject(owner);
    },
  };
}

/** `schema.name` of what a descriptor describes. */
export const objectOf = ({
  descriptor,
}: {
  readonly descriptor: { readonly schema: string; readonly name: string };
}): string => `${descriptor.schema}.${descriptor.name}`;

const tableSubject = (table: TableModel): ApiSubject => ({ kind: 'table', object: objectOf(table) });

function rootSubjects(model: Model): ReadonlyMap<string, ApiSubject> {
  const tables = model.tables.flatMap((table) =>
    Object.values(table.fields).map((field) => [field, tableSubject(table)] as const),
  );
  const procedures = [
    ...model.procedures.map(({ descriptor: { field } }) => [field, field] as const),
    ...model.functions.flatMap(({ descriptor }) =>
      functionRoots(descriptor).map((name) => [name, descriptor.field] as const),
    ),
  ].map(([name, object]) => [name, { kind: 'procedure', object }] as const);
  return new Map<string, ApiSubject>([...tables, ...procedures]);
}

/** Types that are made for one column, enum or composite, and the members of the latter two. */
function typeSubjects(model: Model): ReadonlyMap<string, ApiSubject> {
  const filters = model.tables.flatMap((table) =>
    table.columns.map((column) => [column.filter, columnSubject(table, column.descriptor.name)] as const),
  );
  const own = new Set(model.filters.flatMap(({ name, table }) => (table === null ? [] : [name])));
  const enums = model.enums.flatMap((each) => {
    const object = objectOf(each);
    const values = each.values.map(
      (value) => [`${each.descriptor.type}.${value}`, { kind: 'enum', object, member: value }] as const,
    );
    return [[each.descriptor.type, { kind: 'enum', object }] as const, ...values];
  });
  const composites = model.composites.flatMap((each) => {
    const object = objectOf(each);
    const { type } = each.descriptor;
    return [type, `${type}Input`].flatMap((name) => [
      [name, { kind: 'composite', object }] as const,
      ...each.attributes.map(
        ({ field }) => [`${name}.${field}`, { kind: 'composite', object, member: field }] as const,
      ),
    ]);
  });
  return new Map<string, ApiSubject>([...filters.filter(([name]) => own.has(name)), ...enums, ...composites]);
}

const columnSubject = (table: TableModel, column: string): ApiSubject => ({
  kind: 'column',
  object: objectOf(table),
  member: column,
});

function memberSubjects(table: TableModel): ReadonlyMap<string, ApiSubject> {
  const object = objectOf(table);
  const { primaryKey, uniques = [] } = table.descriptor;
  const keys = [...(primaryKey === undefined ? [] : [primaryKey]), ...uniques];
  return new Map<string, ApiSubject>([
    ...keys.map(({ name, field }) => [field ?? name, { kind: 'constraint', object, member: field ?? name }] as const),
    ...table.relations.flatMap(({ descriptor: { name } }) => {
      const subject: ApiSubject = { kind: 'relation', object, member: name };
      return [[name, subject] as const, [aggregateField(name), subject] as const];
    }),
    ...table.computed.map(({ field }) => [field, { kind: 'computed', object, member: field }] as const),
    ...table.columns.map(({ field, descriptor }) => [field, columnSubject(table, descriptor.name)] as const),
  ]);
}
