import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import type { Change } from './changes.js';
import { fitLine, type Line } from './fit.js';
import { kinds, type Costs, type Measurement } from './measure.js';

/** The measurements of one lane and one kind of cost, with the line through them. */
export interface Curve {
  readonly lane: string;
  readonly kind: keyof Costs;
  readonly line: Line;
}

/**
 * The curve of each lane and each kind of cost; lanes are in the order in which they were measured.
 */
export function curves(measurements: readonly Measurement[]): readonly Curve[] {
  const lanes = [...new Set(measurements.map(({ lane }) => lane))];
  return lanes.flatMap((lane) =>
    kinds.map((kind) => {
      const points = measurements.filter((each) => each.lane === lane).map(({ x, costs }) => ({ x, y: costs[kind] }));
      return { lane, kind, line: fitLine(points) };
    }),
  );
}

const titles: Readonly<Record<keyof Costs, string>> = {
  server: "server's CPU, µs per request",
  database: "database's CPU, µs per request",
  latency: 'median latency, ms',
};

/** This colour is readable on white and on black, because the page's background is unknown here. */
const ink = '#7d858f';
const grid = '#7d858f40';
const colours = ['#2f81f7', '#a371f7', '#e0823d'];

/**
 * Plots the three costs side by side: points are measured, lines are fitted. The same figures give
 * the same SVG.
 */
export async function plot(change: Change, measurements: readonly Measurement[]): Promise<string> {
  const fitted = curves(measurements);
  const lanes = [...new Set(measurements.map(({ lane }) => lane))];
  const panels = kinds.map((kind) => panel(change, kind, measurements, fitted, lanes));
  const view = new View(parse(compile({ ...style, hconcat: panels, spacing: 28 }).spec), { renderer: 'none' });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

const style = {
  background: null,
  padding: 8,
  config: {
    aria: false,
    font: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
    view: { stroke: null },
    axis: {
      labelColor: ink,
      titleColor: ink,
      gridColor: grid,
      domainColor: ink,
      tickColor: ink,
      labelFontSize: 11,
      titleFontSize: 12,
      titleFontWeight: 'normal',
      titlePadding: 8,
    },
    legend: {
      labelColor: ink,
      labelFontSize: 12,
      labelLimit: 0,
      symbolSize: 80,
      orient: 'top',
      title: null,
      offset: 0,
    },
  },
};

function panel(
  { scale, axis, steps }: Change,
  kind: keyof Costs,
  measurements: readonly Measurement[],
  fitted: readonly Curve[],
  lanes: readonly string[],
): object {
  const shown = (microseconds: number): number => rounded(kind === 'latency' ? microseconds / 1000 : microseconds);
  const measured = measurements.map(({ lane, x, costs }) => ({ lane, x, y: shown(costs[kind]) }));
  const ys = measured.map(({ y }) => y);
  const yScale = Math.max(...ys) / Math.min(...ys) > 30 ? 'log' : 'linear';
  const xs = steps.map(({ x }) => x);
  const lines = fitted
    .filter((each) => each.kind === kind)
    .flatMap(({ lane, line }) =>
      between(xs, scale).map((x) => ({ lane, x: rounded(x), y: shown(line.base + line.slope * x) })),
    )
    .filter(({ y }) => yScale === 'linear' || y > 0);
  const encoding = {
    x: {
      field: 'x',
      type: 'quantitative',
      title: axis,
      scale: { type: scale, nice: false, padding: 6 },
      axis: { grid: false, tickMinStep: 1, ...(scale === 'log' ? { values: xs, format: '~s' } : {}) },
    },
    y: {
      field: 'y',
      type: 'quantitative',
      title: titles[kind],
      scale: yScale === 'log' ? { type: yScale } : { type: yScale, zero: true },
      axis: { grid: true, tickCount: 5, ...(yScale === 'log' ? { values: powersOfTen(ys), format: ',' } : {}) },
    },
    color: {
      field: 'lane',
      type: 'nominal',
      scale: { domain: lanes, range: colours },
      legend: { columns: lanes.length },
    },
  };
  return {
    width: 250,
    height: 220,
    layer: [
      { data: { values: lines }, mark: { type: 'line', strokeWidth: 1.5 }, encoding },
      { data: { values: measured }, mark: { type: 'point', filled: true, size: 45, opacity: 1 }, encoding },
    ],
  };
}

/** The powers of ten around the values: the ticks of a logarithmic axis. */
function powersOfTen(values: readonly number[]): readonly number[] {
  const [first, last] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  return Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
}

/**
 * Positions from the first to the last x at which a fitted line is drawn: on logarithmic axes the
 * line is a curve.
 */
function between(xs: readonly number[], scale: Change['scale'], count = 40): readonly number[] {
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  if (scale === 'linear') return [first, last];
  return Array.from({ length: count + 1 }, (_, at) => first * (last / first) ** (at / count));
}

const rounded = (value: number): number => Number(value.toPrecision(4));
