import { spread, type Spread } from '../harness/figures.js';
import { MOST_OF_OTHERS, type Round } from '../harness/round.js';
import { workloadIds } from '../workloads/workloads.js';
import type { Cell } from './cells.js';
import { DELAY_MS } from './conditions.js';

/** A cell whose rounds are reduced to their median. */
export interface Line extends Omit<Cell, 'rounds'> {
  readonly requestsPerSecond: Spread;
  /**
   * Its rate with a network between server and database; undefined when `distant` was not measured.
   */
  readonly distant: Spread | undefined;
  /** Compared with the hand-written server in the same cell; undefined when it was not measured. */
  readonly ofByHand: OfByHand | undefined;
  readonly p50: number;
  readonly p99: number;
  /** The total of all rounds. */
  readonly errors: number;
  readonly serverMicroseconds: number;
  readonly databaseMicroseconds: number;
  readonly megabytes: number;
  /** Rounds that other processes disturbed even after repeats. */
  readonly disturbed: number;
}

/** Figures divided by those of the hand-written server. */
export interface OfByHand {
  /** Of the processor time of server and database per request: less is better. */
  readonly server: number;
  readonly database: number;
  /** Of the rate: more is better. */
  readonly rate: number;
}

/** The name of the hand-written server in the table. */
export const BY_HAND = 'by hand';

/** The median of each figure over the rounds, and its ratio to that of the hand-written server. */
export function summarize(cells: readonly Cell[]): readonly Line[] {
  const byHands = new Map(cells.filter(({ target }) => target === BY_HAND).map((cell) => [placeOf(cell), cell]));
  const distant = new Map(cells.filter(isDistant).map((cell) => [laneOf(cell), rateOf(cell)]));
  const near = cells.filter((cell) => !isDistant(cell));
  // When only `distant` was measured, the table shows the `distant` cells.
  return (near.length === 0 ? cells : near).map(({ rounds, ...cell }) => {
    const middle = (figure: (round: Round) => number): number => middleOf({ rounds }, figure);
    const requestsPerSecond = rateOf({ rounds });
    const byHand = byHands.get(placeOf(cell));
    return {
      ...cell,
      requestsPerSecond,
      distant: cell.condition === 'durable' ? undefined : distant.get(laneOf(cell)),
      ofByHand: byHand && {
        server: middle(serverTime) / middleOf(byHand, serverTime),
        database: middle(databaseTime) / middleOf(byHand, databaseTime),
        rate: requestsPerSecond.median / rateOf(byHand).median,
      },
      p50: middle((round) => round.p50),
      p99: middle((round) => round.p99),
      errors: rounds.reduce((sum, round) => sum + round.errors, 0),
      serverMicroseconds: middle(serverTime),
      databaseMicroseconds: middle(databaseTime),
      megabytes: middle((round) => round.megabytes),
      disturbed: rounds.filter((round) => round.others > MOST_OF_OTHERS).length,
    };
  });
}

const isDistant = ({ condition }: Cell): boolean => condition === 'distant';

type Place = Pick<Cell, 'workload' | 'condition' | 'protocol' | 'connections'>;

/**
 * A target with a protocol of its own is compared with the hand-written server in GraphQL, which
 * does the same work for every workload.
 */
const placeOf = ({ workload, condition, protocol, connections }: Place): string =>
  [workload, condition, protocol === 'RPC' ? 'GraphQL' : protocol, connections].join(' ');

/** The key that a cell has in common with its `distant` cell. */
const laneOf = ({ workload, target, protocol, connections }: Place & Pick<Cell, 'target'>): string =>
  [workload, target, protocol, connections].join(' ');

const rate = (round: Round): number => round.requestsPerSecond;
const serverTime = (round: Round): number => round.serverMicroseconds;
const databaseTime = (round: Round): number => round.databaseMicroseconds;

const rateOf = ({ rounds }: Pick<Cell, 'rounds'>): Spread => spread(rounds.map(rate));
const middleOf = ({ rounds }: Pick<Cell, 'rounds'>, figure: (round: Round) => number): number =>
  spread(rounds.map(figure)).median;

export const head = [
  'workload',
  'target',
  'connections',
  'server CPU, of by hand',
  'database CPU, of by hand',
  'server CPU, µs',
  'database CPU, µs',
  'requests/s',
  'least–most',
  'of by hand',
  `${DELAY_MS} ms away`,
  'p50, ms',
  'p99, ms',
  'errors',
  'memory, MB',
] as const;

/** One line of the table. */
export function row(line: Line): readonly string[] {
  const { least, most } = line.requestsPerSecond;
  return [
    nameOfWorkload(line),
    `${line.target} ${line.protocol}`,
    String(line.connections),
    ratioText(line.ofByHand?.server),
    ratioText(line.ofByHand?.database),
    whole(line.serverMicroseconds),
    whole(line.databaseMicroseconds),
    rateText(line),
    `${whole(least)}–${whole(most)}`,
    ratioText(line.ofByHand?.rate),
    line.distant === undefined ? '' : whole(line.distant.median),
    milliseconds(line.p50),
    milliseconds(line.p99),
    whole(line.errors),
    whole(line.megabytes),
  ];
}

/**
 * The server's processor time alone, with a line for each workload and a column for each target:
 * that of the hand-written server in µs, that of the others as a multiple of it. Most readers need
 * no more.
 */
export const overview = (lines: readonly Line[], connections: number): readonly (readonly string[])[] =>
  byTarget(lines, connections, timeText);

/**
 * The rates with a network between server and database; undefined when `distant` was not measured.
 */
export function distantOverview(
  lines: readonly Line[],
  connections: number,
): readonly (readonly string[])[] | undefined {
  const measured = lines.filter(({ distant }) => distant !== undefined);
  if (measured.length === 0) return undefined;
  return byTarget(measured, connections, ({ distant }) => (distant === undefined ? '–' : whole(distant.median)));
}

function byTarget(
  lines: readonly Line[],
  connections: number,
  text: (line: Line) => string,
): readonly (readonly string[])[] {
  const chosen = lines.filter((line) => line.connections === connections);
  const targets = [...new Set(chosen.map(nameOf))];
  // A durable write stands directly below the same write under `plain`.
  const inOrder = workloadIds.flatMap((id) => chosen.filter(({ workload }) => workload === id));
  const workloads = [...new Set(inOrder.map(nameOfWorkload))];
  return [
    ['workload', ...targets],
    ...workloads.map((workload) => [
      workload,
      ...targets.map((target) => {
        const line = chosen.find((each) => nameOfWorkload(each) === workload && nameOf(each) === target);
        return line === undefined ? '–' : text(line);
      }),
    ]),
  ];
}

const nameOfWorkload = ({ workload, what, condition }: Line): string =>
  `${workload} ${what}${condition === 'durable' ? ', durable' : ''}`;

/** An asterisk marks a rate that other processes disturbed. */
const rateText = ({ requestsPerSecond, disturbed }: Line): string =>
  `${whole(requestsPerSecond.median)}${disturbed > 0 ? '*' : ''}`;

const timeText = ({ target, ofByHand, serverMicroseconds, disturbed }: Line): string =>
  `${target === BY_HAND || ofByHand === undefined ? `${whole(serverMicroseconds)} µs` : `${ratioText(ofByHand.server)} ×`}${disturbed > 0 ? '*' : ''}`;

const ratioText = (ratio: number | undefined): string => ratio?.toFixed(2) ?? '';

const nameOf = ({ target, protocol }: Line): string => `${target} ${protocol}`;

const milliseconds = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

export const whole = (value: number): string =>
  Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '–';
