import { spread, type Spread } from '../harness/figures.js';
import { MOST_OF_OTHERS, type Round } from '../harness/round.js';
import type { Cell } from './cells.js';

/** A cell with its rounds brought down to their middle. */
export interface Line extends Omit<Cell, 'rounds'> {
  readonly requestsPerSecond: Spread;
  /** Its rate by that of the limit in the same cell; undefined when the limit was not measured. */
  readonly ratio: number | undefined;
  readonly p50: number;
  readonly p99: number;
  /** Of all rounds together. */
  readonly errors: number;
  readonly serverMicroseconds: number;
  readonly databaseMicroseconds: number;
  readonly megabytes: number;
  /** Rounds in which other processes had much of the machine, though they were repeated. */
  readonly disturbed: number;
}

/** The name under which the limit is in the table. */
export const LIMIT = 'limit';

/** What the rounds say: the middle of each figure, and how each target's rate compares with the limit's. */
export function summarize(cells: readonly Cell[]): readonly Line[] {
  const rate = new Map(cells.filter(({ target }) => target === LIMIT).map((cell) => [placeOf(cell), rateOf(cell)]));
  return cells.map(({ rounds, ...cell }) => {
    const middle = (figure: (round: Round) => number): number => spread(rounds.map(figure)).median;
    const requestsPerSecond = spread(rounds.map((round) => round.requestsPerSecond));
    const limit = rate.get(placeOf(cell));
    return {
      ...cell,
      requestsPerSecond,
      ratio: limit === undefined ? undefined : requestsPerSecond.median / limit,
      p50: middle((round) => round.p50),
      p99: middle((round) => round.p99),
      errors: rounds.reduce((sum, round) => sum + round.errors, 0),
      serverMicroseconds: middle((round) => round.serverMicroseconds),
      databaseMicroseconds: middle((round) => round.databaseMicroseconds),
      megabytes: middle((round) => round.megabytes),
      disturbed: rounds.filter((round) => round.others > MOST_OF_OTHERS).length,
    };
  });
}

type Place = Pick<Cell, 'workload' | 'protocol' | 'connections'>;

/** A target with a protocol of its own is compared with the limit in GraphQL, which does the same work for every workload. */
const placeOf = ({ workload, protocol, connections }: Place): string =>
  [workload, protocol === 'RPC' ? 'GraphQL' : protocol, connections].join(' ');

const rateOf = ({ rounds }: Cell): number => spread(rounds.map((round) => round.requestsPerSecond)).median;

export const head = [
  'workload',
  'target',
  'connections',
  'requests/s',
  'least–most',
  'of limit',
  'p50, ms',
  'p99, ms',
  'errors',
  'server CPU, µs',
  'database CPU, µs',
  'memory, MB',
] as const;

/** One line of the table. */
export function row(line: Line): readonly string[] {
  const { least, most } = line.requestsPerSecond;
  return [
    `${line.workload} ${line.what}`,
    `${line.target} ${line.protocol}`,
    String(line.connections),
    rateText(line),
    `${whole(least)}–${whole(most)}`,
    line.ratio === undefined ? '' : line.ratio.toFixed(2),
    milliseconds(line.p50),
    milliseconds(line.p99),
    whole(line.errors),
    whole(line.serverMicroseconds),
    whole(line.databaseMicroseconds),
    whole(line.megabytes),
  ];
}

/** The rates alone, a line for each workload and a column for each target: what most readers want to know. */
export function overview(lines: readonly Line[], connections: number): readonly (readonly string[])[] {
  const chosen = lines.filter((line) => line.connections === connections);
  const targets = [...new Set(chosen.map(nameOf))];
  const workloads = [...new Map(chosen.map((line) => [line.workload, line.what]))];
  return [
    ['workload', ...targets],
    ...workloads.map(([id, what]) => [
      `${id} ${what}`,
      ...targets.map((target) => {
        const line = chosen.find((each) => each.workload === id && nameOf(each) === target);
        return line === undefined ? '–' : rateText(line);
      }),
    ]),
  ];
}

/** An asterisk marks rates that other processes disturbed. */
const rateText = ({ requestsPerSecond, disturbed }: Line): string =>
  `${whole(requestsPerSecond.median)}${disturbed > 0 ? '*' : ''}`;

const nameOf = ({ target, protocol }: Line): string => `${target} ${protocol}`;

const milliseconds = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

export const whole = (value: number): string =>
  Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '–';
