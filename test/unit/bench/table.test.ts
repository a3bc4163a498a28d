import type { Cell } from '../../../bench/compare/cells.js';
import { head, overview, row, summarize } from '../../../bench/compare/table.js';
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
    ratio: undefined,
  });
});

it('a rate is compared with that of the limit in the same cell', () => {
  const lines = summarize([
    cell('limit', 'REST', [round(2000)]),
    cell('limit', 'GraphQL', [round(1600)]),
    cell('limit', 'GraphQL', [round(100)], 1),
    cell('tablewright', 'REST', [round(1000)]),
    cell('tablewright', 'GraphQL', [round(1200)]),
    cell('other', 'RPC', [round(160)]),
  ]);
  expect(lines.map(({ ratio }) => ratio)).toEqual([1, 1, 1, 0.5, 0.75, 0.1]);
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
    '12,345*',
    '12,345–12,345',
    '',
    '1.23',
    '45.7',
    '0',
    '50',
    '70',
    '120',
  ]);
});

it('the overview has a column for each target and a dash for what one cannot do', () => {
  const lines = summarize([
    cell('limit', 'GraphQL', [round(2000)]),
    cell('tablewright', 'GraphQL', [round(1500, { others: 0.2 })]),
    cell('tablewright', 'GraphQL', [round(99)], 1),
    { ...cell('limit', 'GraphQL', [round(50)]), workload: 'W4b', what: 'bulk' },
  ]);
  expect(overview(lines, 16)).toEqual([
    ['workload', 'limit GraphQL', 'tablewright GraphQL'],
    ['W1 by key', '2,000', '1,500*'],
    ['W4b bulk', '50', '–'],
  ]);
});
