import type { Table } from '../../descriptor/registry.js';
import type { Services } from '../../execute/services.js';
import type { Intent } from '../../plan/intent.js';
import { usedNames } from '../../plan/used-names.js';
import type { WriteIntent } from '../../plan/write/write-intent.js';

/**
 * Adds a kind of request to the usage log, if the log is on. Callers call this when they make a
 * statement, so once for each shape.
 */
export function recordRestUse(
  { usage, registry }: Pick<Services, 'usage' | 'registry'>,
  method: string,
  table: Table,
  intent: Intent | WriteIntent,
): void {
  if (usage === undefined) return;
  const names = [...usedNames(intent, registry)].map(([key, used]) => [key, [...used].sort()] as const);
  const uses = Object.fromEntries(names.sort(([a], [b]) => (a < b ? -1 : 1)));
  usage({ rest: { method, table: `${table.schema}.${table.name}`, uses } });
}
