import { columnList } from './columns.js';
import { constraintList } from './constraints.js';
import { indexList } from './indexes.js';
import { mediaHandlerList, mediaHandlers } from './media-handlers.js';
import { policyList } from './policies.js';
import { extensions, routines, routineScope } from './routines.js';
import { routingColumns } from './routing-columns.js';
import { schemas, scope } from './scope.js';
import { baseTables, tables } from './tables.js';
import { typeReference } from './type-reference.js';
import { composites, domains, enums, ranges, usedTypes } from './types.js';
import { equality, viewRules } from './view-rules.js';
import type { ServerVersion } from './version.js';
import { writeEffects } from './write-effects.js';

/**
 * The one query that reads the catalogue: `$1` is the schemas (text[]) or null; its one row has one
 * column, `catalog`, the JSON text of a RawCatalog. Sets are joined, never looked up row by row: a
 * thousand tables take a fraction of a second.
 */
export function catalogQuery(version: ServerVersion): string {
  const sets = [
    scope,
    typeReference,
    routineScope,
    usedTypes(version),
    columnList,
    constraintList(version),
    indexList,
    policyList,
    viewRules,
    writeEffects,
    routingColumns,
    mediaHandlerList,
  ];
  const members = {
    schemas,
    tables,
    baseTables,
    enums,
    domains,
    composites,
    ranges: ranges(version),
    routines,
    extensions,
    mediaHandlers,
    equality,
  };
  const result = Object.entries(members).map(([name, select]) => `  '${name}', (${select})`);
  return `with recursive ${sets.join(',')}\nselect json_build_object(\n  'dialect', 'postgres',\n${result.join(',\n')}\n)::text as catalog`;
}
