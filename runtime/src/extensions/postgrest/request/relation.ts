import type { RelationDescriptor } from '../../../descriptor/descriptor.js';
import { restNameOf, type Registry, type Table } from '../../../descriptor/registry.js';
import { mostSimilar } from '../../../most-similar.js';
import { ServerError, codes, type ErrorReason } from '../../../errors.js';
import { quoteName } from '../../../request/rest/grammar/malformed.js';
import { ambiguousRelation, type Relation, type SoughtRelation } from '../../../request/rest/read/relation-way.js';

/** The relation that a name embeds in PostgREST's form. Throws ServerError 400. */
export function postgrestRelation({ table, name, hint, all, registry }: SoughtRelation): Relation {
  const [first, ...more] = relationsNamed(table, name, hint, all, registry);
  if (first === undefined) throw noRelation(table, name, hint, all, registry);
  if (more.length > 0) throw ambiguousRelation(table, name, [first, ...more], registry);
  return first;
}

/**
 * The relations that `target` or `target!hint` names in PostgREST's form: those of the schema, by
 * the name of the other table, a constraint, or a column of a foreign key. A function that answers
 * rows of another table replaces the relations to the table of its name.
 * Source: PostgREST, "Resource Embedding", "Computed Relationships".
 */
function relationsNamed(
  table: Table,
  target: string,
  hint: string | undefined,
  all: readonly Relation[],
  registry: Registry,
): readonly Relation[] {
  const near = all.filter((each) => each.table.schema === table.schema);
  const computed = near.filter(({ descriptor }) => descriptor.function?.name === target);
  if (computed.length > 0) return computed;
  return near.filter(({ descriptor, table: other }) => {
    if (descriptor.function !== undefined || !isJoinedByKey(descriptor, registry)) return false;
    const relation = { descriptor, own: table, other };
    if (other === table) return isSelf(relation, target, hint);
    return hint === undefined ? isNamed(relation, target) : other.name === target && isHinted(relation, hint, registry);
  });
}

interface Named {
  readonly descriptor: RelationDescriptor;
  readonly own: Table;
  readonly other: Table;
}

/** PostgREST takes a table for a junction if its primary key has the columns of both keys. */
function isJoinedByKey({ through }: RelationDescriptor, registry: Registry): boolean {
  if (through === undefined) return true;
  const junction = registry.table.get(through.table);
  const key = junction?.primaryKey?.columns ?? junction?.rowKey ?? [];
  return [...through.columns, ...through.references].every((column) => key.includes(column));
}

/**
 * A foreign key from a table to itself: the name of the table means its children, the column of the
 * key the parent, and both together the children along this key.
 */
function isSelf({ descriptor, own }: Named, target: string, hint: string | undefined): boolean {
  const { direction, cardinality, columns, references } = descriptor;
  if (direction === 'forward') return hint === undefined && isColumn(own, columns, target) && target !== own.name;
  if (direction !== 'reverse' || cardinality === 'one' || target !== own.name) return false;
  return hint === undefined || isColumn(own, references, hint);
}

function isNamed({ descriptor, own, other }: Named, target: string): boolean {
  if (other.name === target) return true;
  if (descriptor.direction === 'through' || other.kind !== 'table') return false;
  return descriptor.constraint === target || isColumn(own, descriptor.columns, target);
}

function isHinted({ descriptor, own, other }: Named, hint: string, registry: Registry): boolean {
  const { through, constraint, columns, references } = descriptor;
  if (through !== undefined) return registry.table.get(through.table)?.name === hint;
  return constraint === hint || isColumn(own, columns, hint) || isColumn(other, references, hint);
}

const isColumn = (table: Table, columns: readonly string[], name: string): boolean =>
  columns.length === 1 && restNameOf(table, columns[0] ?? '') === name;

/** PGRST200, with the table that was probably meant. */
function noRelation(
  table: Table,
  target: string,
  hint: string | undefined,
  all: readonly Relation[],
  registry: Registry,
): ServerError {
  const reason: ErrorReason = {
    kind: 'noRelation',
    origin: table.name,
    target,
    schema: table.schema,
    by: hint,
    meant: meantInstead(table, target, all, registry),
  };
  const message = `Table "${table.name}" has no relation to ${quoteName(target)}.`;
  return new ServerError(400, codes.malformedParameter, message, { reason });
}

/** The most similar table that the origin is related to; without any, the most similar origin. */
function meantInstead(
  table: Table,
  target: string,
  all: readonly Relation[],
  registry: Registry,
): { readonly name: string; readonly insteadOf: string } | undefined {
  const near = all.filter((each) => each.table.schema === table.schema);
  const targets = near.map(({ descriptor, table: other }) => descriptor.function?.name ?? other.name);
  const [wanted, names] =
    near.length > 0
      ? [target, targets]
      : [
          table.name,
          registry.tables.flatMap(({ schema, name, relations = [] }) =>
            schema === table.schema && relations.length > 0 ? [name] : [],
          ),
        ];
  const name = mostSimilar(
    wanted,
    names.filter((each) => each !== wanted),
    0.33,
  );
  return name === undefined ? undefined : { name, insteadOf: wanted };
}
