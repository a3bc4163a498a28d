import type { HistogramConfiguration, MetricObjectWithValues, MetricValueWithName } from 'prom-client';

/** A histogram for what each request observes several times. */
export interface Durations<L extends string> {
  /**
   * Adds a duration to the series of the labels.
   * @param key one text for each set of labels
   */
  readonly add: (key: string, labels: Readonly<Record<L, string | number>>, seconds: number) => void;
}

interface Series {
  readonly labels: Readonly<Record<string, string | number>>;
  /** How many durations are in each bucket, and in none before it. */
  readonly counts: number[];
  sum: number;
  count: number;
}

type Exported = MetricObjectWithValues<MetricValueWithName<string>>;

/**
 * Creates a histogram of prom-client's whose callers name the series by a short key.
 * Histogram.observe makes and checks a text of all labels each time: 3.4 µs for the observations of
 * one request, of the 45 µs that the request takes.
 */
export function createDurations<L extends string>(
  { Histogram }: typeof import('prom-client'),
  configuration: HistogramConfiguration<L> & { readonly buckets: number[] },
): Durations<L> {
  const { name, buckets } = configuration;
  const all = new Map<string, Series>();
  // It has no series: its export is what says name, help and type.
  const head = new Histogram({ ...configuration, registers: [] });
  const exportAll = async (): Promise<Exported> => ({
    ...(await head.get()),
    values: [...all.values()].flatMap((series) => exported(name, buckets, series)),
  });
  class Kept extends Histogram<L> {
    override get(): Promise<Exported> {
      return exportAll();
    }

    /** The registry calls this instead of `get` where a metric has it, and Histogram has it. */
    getForPromString(): Promise<Exported> {
      return exportAll();
    }
  }
  new Kept(configuration);
  return {
    add: (key, labels, seconds) => {
      let series = all.get(key);
      if (series === undefined) {
        series = { labels, counts: buckets.map(() => 0), sum: 0, count: 0 };
        all.set(key, series);
      }
      series.sum += seconds;
      series.count += 1;
      let at = 0;
      while (seconds > (buckets[at] ?? Infinity)) at += 1;
      const count = series.counts[at];
      if (count !== undefined) series.counts[at] = count + 1;
    },
  };
}

/** Buckets are cumulative: https://prometheus.io/docs/concepts/metric_types/#histogram */
function exported(
  name: string,
  buckets: readonly number[],
  { labels, counts, sum, count }: Series,
): Exported['values'] {
  let total = 0;
  const bucket = (le: number | string, value: number): Exported['values'][number] => ({
    metricName: `${name}_bucket`,
    labels: { le, ...labels },
    value,
  });
  return [
    ...buckets.map((bound, at) => bucket(bound, (total += counts[at] ?? 0))),
    bucket('+Inf', count),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
