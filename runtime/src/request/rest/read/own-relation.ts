import { ServerError, codes } from '../../../errors.js';
import { nearest } from '../../../nearest.js';
import { restNameOf, type Registry, type Table } from '../../../descriptor/registry.js';
import { quoteName } from '../grammar/malformed.js';
import { ambiguousRelation, type Relation, type SoughtRelation } from './relation-way.js';

/**
 * The relation that `name` or `name!hint` embeds. The name is that of the other table, of the
 * relation in GraphQL, of the foreign key, or of the foreign key's column in this table. The hint
 * is the foreign key, one of its columns, or the junction table. Throws ServerError 400 if no
 * relation matches, or several do. Source: decision 006; PostgREST, "Resource embedding".
 */
export function ownRelation({ table, name, hint, all, registry }: SoughtRelation): Relation {
  const named = nameMatchers.map((matches) => all.filter((each) => matches(each, name, table))).find(some) ?? [];
  const hinted = hint === undefined ? named : named.filter((each) => matchesHint(each, hint, table, registry));
  const found = preferred(hinted, table);
  const [first] = found;
  if (first === undefined) throw noRelation(table, name, hint, all);
  if (found.length > 1) throw ambiguousRelation(table, name, found, registry);
  return first;
}

const some = (relations: readonly Relation[]): boolean => relations.length > 0;

/** The meanings of a name, most common first. */
const nameMatchers: readonly ((relation: Relation, name: string, own: Table) => boolean)[] = [
  // Relations by functions have their own names, so that they do not make the name of the table
  // ambiguous.
  ({ table, descriptor }, name) => table.name === name && descriptor.function === undefined,
  ({ descriptor }, name) => descriptor.name === name,
  ({ descriptor }, name) => descriptor.constraint === name,
  ({ descriptor }, name, own) =>
    descriptor.direction === 'forward' && descriptor.columns.map((column) => restNameOf(own, column)).join() === name,
];

function matchesHint({ descriptor, table }: Relation, hint: string, own: Table, registry: Registry): boolean {
  const junction = descriptor.through === undefined ? undefined : registry.table.get(descriptor.through.table);
  return (
    descriptor.constraint === hint ||
    descriptor.name === hint ||
    junction?.name === hint ||
    (descriptor.direction === 'forward'
      ? descriptor.columns.some((column) => restNameOf(own, column) === hint)
      : descriptor.references.some((column) => restNameOf(table, column) === hint))
  );
}

/**
 * Prefers relations that GraphQL has, too, a relation within the schema, and a foreign key to a
 * junction table: a path through a junction table is only meant if there is no direct one. A table
 * in itself means the rows that refer to a row: the column of the key names the other one.
 */
function preferred(relations: readonly Relation[], table: Table): readonly Relation[] {
  return preferences.reduce((left, isPreferred) => {
    const found = left.filter((each) => isPreferred(each, table));
    return found.length > 0 ? found : left;
  }, relations);
}

const preferences: readonly ((relation: Relation, own: Table) => boolean)[] = [
  ({ descriptor }, own) => own.relations?.includes(descriptor) === true,
  (each, own) => each.table.schema === own.schema,
  ({ descriptor }) => descriptor.direction !== 'through',
  (each, own) => each.table === own && each.descriptor.direction === 'reverse',
];

function noRelation(table: Table, name: string, hint: string | undefined, all: readonly Relation[]): ServerError {
  const names = [
    ...new Set(
      all.map(({ table: other, descriptor }) => (descriptor.function === undefined ? other.name : descriptor.name)),
    ),
  ].sort();
  const near = nearest(name, names);
  const wanted = hint === undefined ? quoteName(name) : `${quoteName(name)} by ${quoteName(hint)}`;
  return new ServerError(400, codes.malformedParameter, `Table "${table.name}" has no relation to ${wanted}.`, {
    hint: near === undefined || near === name ? embeddable(names) : `Did you mean \`${near}\`?`,
  });
}

const embeddable = (names: readonly string[]): string =>
  names.length === 0 ? 'No foreign key leads from it or to it.' : `It can embed: ${names.join(', ')}.`;
