import type { ColumnShape, TableShape } from './shape.js';

/** A place in a table of PostgreSQL: a column, or a dropped one, whose name and type are lost. */
interface Place {
  readonly number: number;
  readonly column: ColumnShape | undefined;
}

type IsSame = (earlier: ColumnShape, now: ColumnShape) => boolean;

/**
 * Whether all columns can be what their names say: each earlier one is there with its name and
 * type, or was dropped.
 */
export const isAsNamed = (before: TableShape, now: TableShape): boolean =>
  new Explanations(before, now, (one, other) => one.name === other.name && one.type === other.type).exist;

/** @returns whether a column of `now` may be one of `before`. Names do not count. */
export function possibleNames(
  before: TableShape,
  now: TableShape,
): (now: ColumnShape, earlier: ColumnShape) => boolean {
  const explanations = new Explanations(before, now, (one, other) => one.type === other.type);
  return (is, was) => explanations.allow(was, is);
}

/**
 * How a table of PostgreSQL can have become another one. Numbers of columns only grow: the earlier
 * columns have their order, each is there or was dropped, and new ones stand behind all of them.
 */
class Explanations {
  readonly #earlier: readonly ColumnShape[];
  readonly #places: readonly Place[];
  /** By column and place: whether all before them can be explained, and all from them on. */
  readonly #begins: readonly (readonly boolean[])[];
  readonly #ends: readonly (readonly boolean[])[];

  constructor(
    { columns }: TableShape,
    now: TableShape,
    private readonly isSame: IsSame,
  ) {
    this.#earlier = columns;
    this.#places = placesOf(now);
    const [rows, width] = [columns.length + 1, this.#places.length + 1];
    const begins = Array.from({ length: rows }, () => new Array<boolean>(width).fill(false));
    const ends = Array.from({ length: rows }, (_, row) => new Array<boolean>(width).fill(row === columns.length));
    for (let row = 0; row < rows; row += 1)
      for (let place = 0; place < width; place += 1)
        set(begins, row, place, (row === 0 && place === 0) || this.#isReached(begins, row, place));
    for (let row = columns.length - 1; row >= 0; row -= 1)
      for (let place = width - 2; place >= 0; place -= 1) set(ends, row, place, this.#leads(ends, row, place));
    this.#begins = begins;
    this.#ends = ends;
  }

  get exist(): boolean {
    return this.#ends[0]?.[0] === true;
  }

  /** Whether the earlier column can be this one now. */
  allow(was: ColumnShape, is: ColumnShape): boolean {
    const row = this.#earlier.indexOf(was);
    const place = this.#places.findIndex(({ column }) => column === is);
    return this.isSame(was, is) && this.#begins[row]?.[place] === true && this.#ends[row + 1]?.[place + 1] === true;
  }

  #fits(row: number, place: number): boolean {
    const [earlier, is] = [this.#earlier[row], this.#places[place]];
    if (earlier === undefined || is === undefined) return false;
    return is.column === undefined || this.isSame(earlier, is.column);
  }

  #isReached(begins: readonly (readonly boolean[])[], row: number, place: number): boolean {
    const wasDropped = place > 0 && this.#places[place - 1]?.column === undefined;
    return (
      (wasDropped && begins[row]?.[place - 1] === true) ||
      (this.#fits(row - 1, place - 1) && begins[row - 1]?.[place - 1] === true)
    );
  }

  #leads(ends: readonly (readonly boolean[])[], row: number, place: number): boolean {
    const isDropped = this.#places[place]?.column === undefined;
    return (
      (isDropped && ends[row]?.[place + 1] === true) || (this.#fits(row, place) && ends[row + 1]?.[place + 1] === true)
    );
  }
}

function set(table: readonly boolean[][], row: number, place: number, value: boolean): void {
  const line = table[row];
  if (line !== undefined) line[place] = value;
}

function placesOf({ columns, dropped }: TableShape): readonly Place[] {
  const places = [
    ...columns.map((column, at) => ({ number: column.number ?? at, column })),
    ...dropped.map((number) => ({ number, column: undefined })),
  ];
  return places.sort((one, other) => one.number - other.number);
}
