/** One measured figure, and its limit at 1,000 tables. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: 's' | 'MB' | 'ms' | 'µs' | 'files' | 'requests/s';
  readonly atMost?: number;
}

/** The figures at one number of tables. Figures of all sizes are in the same order. */
export interface Size {
  readonly tables: number;
  readonly figures: readonly Figure[];
}

export function describeFigure({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  return `${rounded(value)} ${unit}`;
}

function rounded(value: number): string {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value < 10 ? 2 : 1);
}

/** A row for each figure and a column for each size. */
export function sizesTable(sizes: readonly Size[]): { readonly head: readonly string[]; readonly rows: string[][] } {
  const head = ['tables of 12 columns', ...sizes.map(({ tables }) => tables.toLocaleString('en-US'))];
  const rows = (sizes[0]?.figures ?? []).map(({ what }, at) => [
    what,
    ...sizes.map(({ figures }) => {
      const figure = figures[at];
      return figure === undefined ? '' : describeFigure(figure);
    }),
  ]);
  return { head, rows };
}

/**
 * Compares the cost of a request at the largest and at the smallest number of tables: the look-up
 * of a table should cost the same at both. The cost is processor time, because the rate also
 * depends on the database, the load and other processes of the machine.
 */
export function compareCosts(what: string, sizes: readonly Size[]): string {
  const [fewest, most] = [sizes[0], sizes.at(-1)];
  const cost = (size: Size | undefined): number => size?.figures.find((figure) => figure.what === what)?.value ?? NaN;
  const percent = Math.round((cost(most) / cost(fewest)) * 100);
  const [from, to] = [fewest, most].map((size) => (size?.tables ?? 0).toLocaleString('en-US'));
  const verdict = percent <= 110 ? 'within the 10 % that measurements differ by' : 'more than the 110 % it may be';
  return `${what}: with ${to ?? ''} tables it is ${percent} % of that with ${from ?? ''}, ${verdict}.`;
}
