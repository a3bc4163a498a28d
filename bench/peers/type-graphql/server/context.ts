import type pg from 'pg';

/** The context of each request that resolvers get. */
export interface Context extends Record<PropertyKey, unknown> {
  readonly pool: pg.Pool;
  /** The user of the verified token. */
  readonly user?: string;
}

/**
 * The only row of a statement as pg returns it (numeric as text, timestamptz as Date), or
 * undefined.
 */
export async function one<T extends pg.QueryResultRow>(
  { pool }: Context,
  sql: string,
  values: readonly unknown[],
): Promise<T | undefined> {
  return (await many<T>({ pool }, sql, values))[0];
}

/** All rows of a statement. */
export async function many<T extends pg.QueryResultRow>(
  { pool }: Context,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  return (await pool.query<T>(sql, [...values])).rows;
}
