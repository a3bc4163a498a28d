import { dialects } from '../../dialects/index.js';
import type { Catalog, EnumType } from '@tablewright/runtime/model';
import { gapsBetween } from './gaps.js';
import { placeText, type Rename } from './rename.js';

/**
 * Renamed enums and labels. PostgreSQL cannot remove a label, so a missing label has a new name in
 * the same position.
 * @param moved tables and columns that were renamed
 */
export function findEnumRenames(before: Catalog, after: Catalog, moved: readonly Rename[]): readonly Rename[] {
  const now = new Map(after.enums.map((each) => [keyOf(each), each]));
  const types = renamedTypes(before, after, moved);
  const labels = before.enums.flatMap((old) => {
    const type = types.find(({ from }) => from.object === keyOf(old));
    const same = now.get(type?.to.object ?? keyOf(old));
    return same === undefined ? [] : renamedLabels(old, same, dialects[before.dialect].keepsPlaces);
  });
  return [...types, ...labels];
}

const keyOf = ({ schema, name }: EnumType): string => `${schema}.${name}`;

/**
 * An enum that is gone and a new one are the same when a column that stays has changed from one to
 * the other.
 */
function renamedTypes(before: Catalog, after: Catalog, moved: readonly Rename[]): readonly Rename[] {
  const [old, now] = [new Set(before.enums.map(keyOf)), new Set(after.enums.map(keyOf))];
  const newPlaces = new Map(moved.map(({ from, to }) => [placeText(from), placeText(to)]));
  const columns = columnTypes(after);
  const found = new Map<string, Rename>();
  for (const [place, from] of columnTypes(before)) {
    const to = columns.get(newPlaces.get(place) ?? movedColumn(place, newPlaces));
    if (to === undefined || !old.has(from) || !now.has(to) || now.has(from) || old.has(to)) continue;
    const evidence = `the column ${place} has it now`;
    found.set(from, { kind: 'enum', from: { object: from }, to: { object: to }, certain: true, evidence });
  }
  return [...found.values()];
}

/** A column of a renamed table. */
function movedColumn(place: string, newPlaces: ReadonlyMap<string, string>): string {
  const dot = place.lastIndexOf('.');
  const table = newPlaces.get(place.slice(0, dot));
  return table === undefined ? place : table + place.slice(dot);
}

const columnTypes = ({ tables }: Catalog): ReadonlyMap<string, string> =>
  new Map(
    tables.flatMap((table) =>
      table.columns.map(({ name, type }) => [`${table.schema}.${table.name}.${name}`, `${type.schema}.${type.name}`]),
    ),
  );

function renamedLabels(old: EnumType, now: EnumType, certain: boolean): readonly Rename[] {
  return gapsBetween(old.labels, now.labels).flatMap(({ gone, added }) =>
    gone.length !== added.length
      ? []
      : gone.flatMap((from, at): readonly Rename[] => {
          const to = added[at];
          if (to === undefined) return [];
          const places = {
            from: { object: keyOf(old), member: from },
            to: { object: keyOf(now), member: to },
          };
          return [{ kind: 'enumValue', ...places, certain, evidence: "it has the old label's place" }];
        }),
  );
}
