import type { RelationDescriptor } from '../../../descriptor/descriptor.js';
import { compareText } from '../../../compare-text.js';
import { restNameOf, type Registry, type Table } from '../../../descriptor/registry.js';
import { areUnique, sameColumns } from '../../../descriptor/unique-keys.js';
import { ServerError, codes, type RelationWay } from '../../../errors.js';
import { quoteName } from '../grammar/malformed.js';

/** A relation of a table, and the table it leads to. */
export interface Relation {
  readonly descriptor: RelationDescriptor;
  readonly table: Table;
}

/** The name of a relation in a request, and the relations that it may mean. */
export interface SoughtRelation {
  readonly table: Table;
  readonly name: string;
  readonly hint: string | undefined;
  readonly all: readonly Relation[];
  readonly registry: Registry;
}

const cardinalities = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many'] as const;

/** Relations in PostgREST's order: by cardinality, then by name. */
const relationWays = (from: Table, relations: readonly Relation[], registry: Registry): readonly RelationWay[] =>
  relations
    .map((each) => relationWay(from, each, registry))
    .sort(
      (a, b) =>
        cardinalities.indexOf(a.cardinality) - cardinalities.indexOf(b.cardinality) ||
        compareText(a.relationship, b.relationship),
    );

/**
 * A relation in the form in which PostgREST lists the candidates of an ambiguous embedding.
 * Source: PostgREST, "Errors", PGRST201.
 */
function relationWay(from: Table, { descriptor, table: to }: Relation, registry: Registry): RelationWay {
  const { through, constraint, columns, references } = descriptor;
  const junction = through === undefined ? undefined : registry.table.get(through.table);
  if (through === undefined || junction === undefined) {
    const relationship = `${constraint} using ${sideOf(from, columns)} and ${sideOf(to, references)}`;
    return { cardinality: cardinalityOf(from, descriptor, to), table: to.name, relationship, hint: constraint };
  }
  const sides = [through.columns, through.references].map((each) => {
    const key = [...(junction.relations ?? []), ...(junction.embedded ?? [])].find(
      (own) => own.direction === 'forward' && sameColumns(own.columns, each),
    );
    return key === undefined ? sideOf(junction, each) : `${key.constraint}(${namesOf(junction, each)})`;
  });
  const relationship = `${junction.name} using ${sides.join(' and ')}`;
  return { cardinality: 'many-to-many', table: to.name, relationship, hint: junction.name };
}

function cardinalityOf(
  from: Table,
  { direction, cardinality, columns, constraint }: RelationDescriptor,
  { relations = [], embedded = [] }: Table,
): RelationWay['cardinality'] {
  if (direction !== 'forward') return cardinality === 'one' ? 'one-to-one' : 'one-to-many';
  const back = [...relations, ...embedded].find(
    (each) => each.direction === 'reverse' && each.table === from.field && each.constraint === constraint,
  );
  return areUnique(from, columns) && back?.isListInPostgrest !== true ? 'one-to-one' : 'many-to-one';
}

const namesOf = (table: Table, columns: readonly string[]): string =>
  columns.map((column) => restNameOf(table, column)).join(', ');

/** `messages(sender_id)` */
const sideOf = (table: Table, columns: readonly string[]): string => `${table.name}(${namesOf(table, columns)})`;

/** The error for a name that means several relations. */
export function ambiguousRelation(
  table: Table,
  name: string,
  found: readonly Relation[],
  registry: Registry,
): ServerError {
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
