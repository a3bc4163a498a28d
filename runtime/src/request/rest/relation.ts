import { ServerError, codes } from '../../errors.js';
import type { RelationDescriptor } from '../../descriptor/descriptor.js';
import { nearest } from '../../nearest.js';
import { restNameOf, type Registry, type Table } from '../../descriptor/registry.js';
import { quoteName } from './malformed.js';
import { relationWay } from './relation-way.js';

/** A relation of a table, and the table it leads to. */
export interface Relation {
  readonly descriptor: RelationDescriptor;
  readonly table: Table;
}

/**
 * The relation that `name` or `name!hint` embeds. The name is that of the other table, of the
 * relation in GraphQL, of the foreign key, or of the foreign key's column in this table. The hint
 * is the foreign key, one of its columns, or the junction table. Throws ServerError 400 if no
 * relation matches, or several do. Source: decisions 6; PostgREST, "Resource embedding".
 */
export function resolveRelation(table: Table, name: string, hint: string | undefined, registry: Registry): Relation {
  const relations = relationsOf(table, registry);
  const named = nameMatchers.map((matches) => relations.filter((each) => matches(each, name, table))).find(some) ?? [];
  const hinted = hint === undefined ? named : named.filter((each) => matchesHint(each, hint, table, registry));
  const found = preferred(hinted, table);
  const [first] = found;
  if (first === undefined) throw noRelation(table, name, hint, relations);
  if (found.length > 1) throw ambiguous(table, name, found, registry);
  return first;
}

function relationsOf(table: Table, registry: Registry): readonly Relation[] {
  return (table.relations ?? []).flatMap((descriptor) => {
    const other = registry.table.get(descriptor.table);
    return other === undefined ? [] : [{ descriptor, table: other }];
  });
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
 * Prefers a relation within the schema, and a foreign key to a junction table: a path through a
 * junction table is only meant if there is no direct one.
 */
function preferred(relations: readonly Relation[], table: Table): readonly Relation[] {
  const near = relations.filter((each) => each.table.schema === table.schema);
  const inSchema = near.length > 0 ? near : relations;
  const direct = inSchema.filter((each) => each.descriptor.direction !== 'through');
  return direct.length > 0 ? direct : inSchema;
}

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
    reason: { kind: 'noRelation' },
  });
}

const embeddable = (names: readonly string[]): string =>
  names.length === 0 ? 'No foreign key leads from it or to it.' : `It can embed: ${names.join(', ')}.`;

function ambiguous(table: Table, name: string, found: readonly Relation[], registry: Registry): ServerError {
  const ways = found.map(({ descriptor }) => `${name}!${descriptor.constraint}`).sort();
  return new ServerError(
    400,
    codes.malformedParameter,
    `Table "${table.name}" has several relations to ${quoteName(name)}.`,
    {
      hint: `Say which foreign key: ${[...new Set(ways)].join(', ')}.`,
      reason: {
        kind: 'ambiguousRelation',
        table: table.name,
        embedded: name,
        ways: found.map((each) => relationWay(table, each, registry)),
      },
    },
  );
}
