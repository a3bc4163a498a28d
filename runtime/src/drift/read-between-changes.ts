import type { LiveCatalog } from '../dialect/dialect.js';
import type { Driver } from '../dialect/driver.js';

/** A catalogue, and the identities of the same state. */
export interface Reading {
  readonly text: string;
  /** The probe of the state; undefined: the database kept changing. */
  readonly still: string | undefined;
  readonly identities: string | undefined;
}

interface Wanted {
  readonly schemas: readonly string[] | undefined;
  /** Whether the identities are read. */
  readonly isProtecting: boolean;
}

/** Most readings of the catalogue in one check, while it keeps changing. */
const READINGS = 5;

/**
 * Reads the catalogue until it is the same before and after: while MariaDB alters a table, the
 * catalogue lacks it for a moment. Of a database that keeps changing, the last reading counts,
 * without its probe: a change that is reverted later would match the old probe to it.
 */
export async function readBetweenChanges(
  live: LiveCatalog,
  driver: Driver,
  { schemas, isProtecting }: Wanted,
  probe: string,
  signal?: AbortSignal,
): Promise<Reading> {
  let before = probe;
  for (let left = READINGS - 1; ; left -= 1) {
    const text = await live.read(driver, schemas);
    const identities = isProtecting ? await live.identities?.(driver, schemas) : undefined;
    const after = await live.probe(driver, schemas);
    if (after === before) return { text, still: after, identities };
    if (left === 0 || signal?.aborted === true) return { text, still: undefined, identities };
    before = after;
  }
}
