import type { Cell } from '../../../bench/compare/cells.js';
import { distantOverview, head, overview, row, summarize } from '../../../bench/compare/table.js';
import type { Round } from '../../../bench/harness/round.js';

const round = (requestsPerSecond: number, changes: Partial<Round> = {}): Round => ({
  requests: requestsPerSecond,
  requestsPerSecond,
  p50: 1.234,
  p99: 45.67,
  errors: 0,
  serverMicroseconds: 50,
  databaseMicroseconds: 70,
  megabytes: 120,
  others: 0.01,
  ...changes,
});

const cell = (target: string, protocol: Cell['protocol'], rounds: readonly Round[], connections = 16): Cell => ({
  workload: 'W1',
  condition: 'plain',
  what: 'by key',
  target,
  protocol,
  connections,
  rounds,
});

it('a line is the middle of the rounds with their spread, and all of their errors', () => {
  const rounds = [round(900, { errors: 2, serverMicroseconds: 90 }), round(1100), round(1000, { errors: 1 })];
  const [line] = summarize([cell('tablewright', 'REST', rounds)]);
  expect(line).toMatchObject({
    requestsPerSecond: { median: 1000, least: 900, most: 1100 },
    errors: 3,
    serverMicroseconds: 50,
    disturbed: 0,
    ofByHand: undefined,
  });
});

it('figures are compared with those of the server by hand in the same cell', () => {
  const lines = summarize([
    cell('by hand', 'REST', [round(2000)]),
    cell('by hand', 'GraphQL', [round(1600)]),
    cell('by hand', 'GraphQL', [round(100)], 1),
    cell('tablewright', 'REST', [round(1000, { serverMicroseconds: 60, databaseMicroseconds: 35 })]),
    cell('tablewright', 'GraphQL', [round(1200)]),
    cell('other', 'RPC', [round(160)]),
  ]);
  expect(lines.map(({ ofByHand }) => ofByHand?.rate)).toEqual([1, 1, 1, 0.5, 0.75, 0.1]);
  expect(lines[3]?.ofByHand).toEqual({ server: 1.2, database: 0.5, rate: 0.5 });
});

it('a row has a cell for each title, and an asterisk where others had the machine', () => {
  const [line] = summarize([
    cell('tablewright', 'REST', [round(12_345, { others: 0.5 }), round(12_345), round(12_345)]),
  ]);
  if (line === undefined) throw new Error('no line');
  expect(row(line)).toHaveLength(head.length);
  expect(row(line)).toEqual([
    'W1 by key',
    'tablewright REST',
    '16',
    '',
    '',
    '50',
    '70',
    '12,345*',
    '12,345–12,345',
    '',
    '',
    '1.23',
    '45.7',
    '0',
    '120',
  ]);
});

it('the overview has a column for each target and a dash for what one cannot do', () => {
  const lines = summarize([
    cell('by hand', 'GraphQL', [round(2000)]),
    cell('tablewright', 'GraphQL', [round(1500, { others: 0.2, serverMicroseconds: 60 })]),
    cell('tablewright', 'GraphQL', [round(99)], 1),
    { ...cell('by hand', 'GraphQL', [round(50)]), workload: 'W4b', what: 'bulk' },
  ]);
  expect(overview(lines, 16)).toEqual([
    ['workload', 'by hand GraphQL', 'tablewright GraphQL'],
    ['W1 by key', '50 µs', '1.20 ×*'],
    ['W4b bulk', '50 µs', '–'],
  ]);
});

describe('conditions', () => {
  const cells = (['plain', 'durable', 'distant'] as const).flatMap((condition, at) => [
    { ...cell('by hand', 'GraphQL', [round(1000 / (at + 1))]), workload: 'W4', what: 'insert', condition } as const,
    { ...cell('tablewright', 'GraphQL', [round(1200 / (at + 1))]), workload: 'W4', what: 'insert', condition } as const,
  ]);
  const lines = summarize([...cells, cell('tablewright', 'GraphQL', [round(7)])]);

  it('are compared with the server by hand under the same', () => {
    expect(lines.map(({ condition, ofByHand }) => [condition, ofByHand?.rate])).toEqual([
      ['plain', 1],
      ['plain', 1.2],
      ['durable', 1],
      ['durable', 1.2],
      ['plain', undefined],
    ]);
  });

  it('have a row for durable writes below the others, and a column for the network', () => {
    expect(overview(lines, 16)).toEqual([
      ['workload', 'by hand GraphQL', 'tablewright GraphQL'],
      ['W1 by key', '–', '50 µs'],
      ['W4 insert', '50 µs', '1.00 ×'],
      ['W4 insert, durable', '50 µs', '1.00 ×'],
    ]);
    expect(row(lines[1] ?? fail())[head.indexOf('1 ms away')]).toBe('400');
    expect(row(lines[3] ?? fail())[head.indexOf('1 ms away')]).toBe('');
  });

  it('have a table of the network, of what was measured with it', () => {
    expect(distantOverview(lines, 16)).toEqual([
      ['workload', 'by hand GraphQL', 'tablewright GraphQL'],
      ['W4 insert', '333', '400'],
    ]);
    expect(distantOverview(summarize([cell('tablewright', 'REST', [round(1)])]), 16)).toBeUndefined();
  });
});

function fail(): never {
  throw new Error('There is no such line.');
}
