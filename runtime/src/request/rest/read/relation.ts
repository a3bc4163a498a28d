import { ServerError, codes } from '../../../errors.js';
import { relationIn } from '../../../descriptor/relation-in.js';
import { nearest } from '../../../nearest.js';
import { restNameOf, type Registry, type Table } from '../../../descriptor/registry.js';
import { quoteName } from '../grammar/malformed.js';
import { noPostgrestRelation, postgrestRelations } from './postgrest-relation.js';
import { relationWays, type Relation } from './relation-way.js';
import { intentForms, type RestDialect } from '../grammar/intent-forms.js';

interface Resolving {
  readonly registry: Registry;
  readonly dialect: RestDialect;
}

/**
 * The relation that `name` or `name!hint` embeds. The name is that of the other table, of the
 * relation in GraphQL, of the foreign key, or of the foreign key's column in this table. The hint
 * is the foreign key, one of its columns, or the junction table. Throws ServerError 400 if no
 * relation matches, or several do. Source: decision 006; PostgREST, "Resource embedding".
 */
export function resolveRelation(
  table: Table,
  name: string,
  hint: string | undefined,
  { registry, dialect }: Resolving,
): Relation {
  const relations = relationsOf(table, { registry, dialect });
  if (dialect === 'postgrest') {
    const [first, ...more] = postgrestRelations(table, name, hint, relations, registry);
    if (first === undefined) throw noPostgrestRelation(table, name, hint, relations, registry);
    if (more.length > 0) throw ambiguous(table, name, [first, ...more], registry);
    return first;
  }
  const named = nameMatchers.map((matches) => relations.filter((each) => matches(each, name, table))).find(some) ?? [];
  const hinted = hint === undefined ? named : named.filter((each) => matchesHint(each, hint, table, registry));
  const found = preferred(hinted, table);
  const [first] = found;
  if (first === undefined) throw noRelation(table, name, hint, relations);
  if (found.length > 1) throw ambiguous(table, name, found, registry);
  return first;
}

function relationsOf(table: Table, { registry, dialect }: Resolving): readonly Relation[] {
  return [...(table.relations ?? []), ...(table.embedded ?? [])].flatMap((relation) => {
    const other = registry.table.get(relation.table);
    const isHidden = relation.onlyInPostgrest === true && dialect !== 'postgrest';
    return other === undefined || isHidden
      ? []
      : [{ descriptor: relationIn(relation, intentForms[dialect]), table: other }];
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
        ways: relationWays(table, found, registry),
      },
    },
  );
}
