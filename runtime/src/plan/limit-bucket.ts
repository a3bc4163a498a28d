const least = 16;
const step = 4;

/**
 * The order of magnitude of a count of rows: 16, 64, 256, … It is part of a request's shape, so
 * that the statement states the largest number of rows. Not told, PostgreSQL takes a tenth of the
 * table for the limit that a parameter is; every value that it knows then promises a better plan,
 * so that it plans each request again, which takes longer than most answers. The count itself in
 * the shape would make a statement for every page of every size.
 * Source: https://www.postgresql.org/docs/current/sql-prepare.html#SQL-PREPARE-NOTES
 */
export function extentOf(count: number): number {
  let extent = least;
  while (extent < count) extent *= step;
  return extent;
}
