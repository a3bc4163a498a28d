export interface Point {
  readonly x: number;
  readonly y: number;
}

/** y = base + slope × x */
export interface Line {
  readonly base: number;
  readonly slope: number;
}

/**
 * The straight line through measurements whose error is proportional to the measured value, as it
 * is for times: least squares of the relative deviations, so that a request of one row counts as
 * much as a request of 10,000 rows.
 * @param points at least two, of different x and with y above 0; throws otherwise
 */
export function fitLine(points: readonly Point[]): Line {
  if (points.some(({ y }) => !(y > 0))) throw new Error('A line is fitted to values above 0 only.');
  const weigh = (value: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + value(point) / point.y ** 2, 0);
  const weight = weigh(() => 1);
  const [meanX, meanY] = [weigh(({ x }) => x) / weight, weigh(({ y }) => y) / weight];
  const spreadX = weigh(({ x }) => (x - meanX) ** 2);
  if (!(spreadX > 0)) throw new Error('A line needs measurements at two places at least.');
  const slope = weigh(({ x, y }) => (x - meanX) * (y - meanY)) / spreadX;
  return { base: meanY - slope * meanX, slope };
}

/**
 * The text on the page: the fixed cost of a request, and the cost of each additional unit. Three
 * digits at most.
 */
export function describeLine({ base, slope }: Line, unit: string): string {
  return `${digits(base)} ${slope < 0 ? '−' : '+'} ${digits(Math.abs(slope))} per ${unit}`;
}

/** Three significant digits, whole numbers in full. */
export function digits(value: number): string {
  const size = Math.abs(value);
  const text =
    size >= 100 ? Math.round(size).toLocaleString('en-US') : String(Number(size.toPrecision(size < 0.1 ? 1 : 3)));
  return value < 0 ? `−${text}` : text;
}
