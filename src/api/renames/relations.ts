import type { Model, RelationDescriptor, TableModel } from '@tablewright/runtime/model';
import type { Rename } from './rename.js';

/**
 * Relations that have another name in GraphQL and follow the same foreign key: they are named after
 * columns and tables.
 * @param moved tables and columns that were renamed
 */
export function findRelationRenames(before: Model, after: Model, moved: readonly Rename[]): readonly Rename[] {
  const [old, now] = [objects(before), objects(after)];
  const newTables = new Map(
    moved.filter(({ kind }) => kind === 'table').map(({ from, to }) => [from.object, to.object]),
  );
  const newColumns = new Map(
    moved
      .filter(({ kind }) => kind === 'column')
      .map(({ from, to }) => [`${from.object}.${from.member ?? ''}`, to.member ?? '']),
  );
  const table = (object: string): string => newTables.get(object) ?? object;
  const columns = (object: string, names: readonly string[]): readonly string[] =>
    names.map((name) => newColumns.get(`${object}.${name}`) ?? name);
  const tables = new Map(after.tables.map((each) => [objectOf(each), each]));
  return before.tables.flatMap((each) => {
    const from = objectOf(each);
    const same = tables.get(table(from));
    if (same === undefined) return [];
    const moveOld = (relation: RelationDescriptor): string => identity(relation, from, old, table, columns);
    const keep = (relation: RelationDescriptor): string =>
      identity(
        relation,
        objectOf(same),
        now,
        (object) => object,
        (_object, names) => names,
      );
    const found = new Map(same.relations.map(({ descriptor }) => [keep(descriptor), descriptor]));
    return each.relations.flatMap(({ descriptor }): readonly Rename[] => {
      const other = found.get(moveOld(descriptor));
      if (other === undefined || other.name === descriptor.name) return [];
      const places = {
        from: { object: from, member: descriptor.name },
        to: { object: objectOf(same), member: other.name },
      };
      const certain = other.constraint === descriptor.constraint;
      return [{ kind: 'relation', ...places, certain, evidence: `it follows the foreign key ${other.constraint}` }];
    });
  });
}

const objectOf = ({ descriptor }: Pick<TableModel, 'descriptor'>): string => `${descriptor.schema}.${descriptor.name}`;

/** `schema.name` by the key of a table. */
const objects = ({ tables }: Model): ReadonlyMap<string, string> =>
  new Map(tables.map((table) => [table.descriptor.field, objectOf(table)]));

/**
 * The columns and tables that a relation ties together, by the names they have after the renames.
 */
function identity(
  { direction, table: to, columns, references, through }: RelationDescriptor,
  own: string,
  keys: ReadonlyMap<string, string>,
  table: (object: string) => string,
  renamed: (object: string, names: readonly string[]) => readonly string[],
): string {
  const other = keys.get(to) ?? to;
  const junction = through === undefined ? undefined : (keys.get(through.table) ?? through.table);
  return JSON.stringify([
    direction,
    table(other),
    renamed(own, columns),
    renamed(other, references),
    junction === undefined || through === undefined
      ? null
      : [table(junction), renamed(junction, through.columns), renamed(junction, through.references)],
  ]);
}
