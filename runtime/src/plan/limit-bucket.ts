const least = 16;
const step = 4;

/**
 * The order of magnitude of a count of rows: 16, 64, 256, … It is part of a request's shape, so
 * that the statement states the largest number of rows. For a limit that is a parameter, PostgreSQL
 * assumes a tenth of the table. A plan for the actual values then always looks better, so
 * PostgreSQL plans each request again, which takes longer than most answers. With the count itself
 * in the shape, every page size would have its own statement.
 * Source: https://www.postgresql.org/docs/current/sql-prepare.html#SQL-PREPARE-NOTES
 */
export function limitBucket(count: number): number {
  let bucket = least;
  while (bucket < count) bucket *= step;
  return bucket;
}
