import { benchSchema, fullSizes, smallSizes } from '../../../bench/data/schema.js';
import { workloadsUnder } from '../../../bench/compare/conditions.js';
import { measureOptions } from '../../../bench/compare/options.js';
import { sampled } from '../../../bench/harness/check.js';
import { workload, workloadIds } from '../../../bench/workloads/workloads.js';

describe('inputs', () => {
  it.each(workloadIds)('of %s are the same whenever they are made', (id) => {
    expect(workload(id).inputs(fullSizes)).toEqual(workload(id).inputs(fullSizes));
  });

  it.each([smallSizes, fullSizes])('name keys that are there, each once, of %j', (sizes) => {
    const ids = workload('W1')
      .inputs(sizes)
      .map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...ids)).toBeLessThanOrEqual(sizes.customers);
  });

  it('of an upsert are about as often of a row that is there as of a new one', () => {
    const skus = workload('W4d')
      .inputs(fullSizes)
      .map(({ stock }) => Number(stock.sku.slice('SKU-'.length)));
    const there = skus.filter((sku) => sku <= fullSizes.stock).length / skus.length;
    expect(there).toBeGreaterThan(0.4);
    expect(there).toBeLessThan(0.6);
  });

  it('of two payments never have the same reference', () => {
    const references = workload('W4b')
      .inputs(smallSizes)
      .flatMap(({ payments }) => payments.map(({ reference }) => reference));
    expect(new Set(references).size).toBe(references.length);
  });
});

it('the data follows from its sizes alone', () => {
  expect(benchSchema(fullSizes)).toEqual(benchSchema(fullSizes));
  expect(benchSchema(fullSizes)).not.toEqual(benchSchema(smallSizes));
});

it.each([
  [1, [0]],
  [2, [0, 1]],
  [10, [0, 1, 5, 9]],
])('of %d inputs, %j are checked', (count, expected) => {
  expect(sampled(count)).toEqual(expected);
});

describe('options', () => {
  const defaults = {
    only: [],
    conditions: ['plain', 'durable'],
    connections: [16],
    rounds: 3,
    seconds: 2,
    careful: true,
  } as const;

  it('are lists and whole numbers', () => {
    expect(
      measureOptions(
        ['--only', 'W1,W7', '--conditions', 'distant', '--connections', '1,64', '--rounds', '5'],
        defaults,
      ),
    ).toEqual({
      only: ['W1', 'W7'],
      conditions: ['distant'],
      connections: [1, 64],
      rounds: 5,
      seconds: 2,
      careful: true,
    });
  });

  it.each([
    ['--rounds', '0'],
    ['--seconds', 'long'],
    ['--connections', '1,x'],
    ['--only', 'W99'],
    ['--conditions', 'far'],
  ])('%s %s is refused', (option, value) => {
    expect(() => measureOptions([option, value], defaults)).toThrow(value.replace('1,', ''));
  });
});

describe('conditions', () => {
  it('are asked of all workloads, but for a disk, of those that write', () => {
    expect(workloadsUnder('plain', [])).toEqual(workloadIds);
    expect(workloadsUnder('distant', ['W7', 'W1'])).toEqual(['W1', 'W7']);
    expect(workloadsUnder('durable', [])).toEqual(['W4', 'W4b', 'W4c', 'W4d']);
    expect(workloadsUnder('durable', ['W1', 'W4c'])).toEqual(['W4c']);
  });
});
