import { compareText } from '../../../compare-text.js';
import type { QualifiedName, ViewSource } from '../../../catalog/catalog.js';

interface Routed extends QualifiedName {
  readonly routingColumns: readonly string[] | null;
}

/**
 * The routing columns of relations: those of a table, and under the names of a view those of the
 * tables that the view reads, because a write of the view writes them.
 */
export function routingColumnsOf<T extends Routed>(
  relations: readonly T[],
  sourcesOf: (relation: T) => readonly ViewSource[],
): (relation: T) => readonly string[] {
  const byName = new Map(relations.map((relation) => [nameOf(relation), relation]));
  if (relations.every(({ routingColumns }) => routingColumns === null)) return () => [];

  function routingOf(relation: T, above: readonly T[]): readonly string[] {
    // Views that were renamed in a circle exist, although no statement can read them.
    if (relation.routingColumns !== null || above.includes(relation)) return relation.routingColumns ?? [];
    const found = sourcesOf(relation).flatMap((source) => {
      const target = byName.get(nameOf(source));
      const routing = target === undefined ? [] : routingOf(target, [...above, relation]);
      return source.columns.filter((_, at) => routing.includes(source.from[at] ?? ''));
    });
    return [...new Set(found)].sort(compareText);
  }

  return (relation) => routingOf(relation, []);
}

const nameOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);
